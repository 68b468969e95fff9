"""Synthetic time series, made in batches on any torch device; the only training data of the family.

A call makes rows that share one seasonal period; `batch` mixes several calls.
"""
import torch

from components import unit
from families import DAILY, Families

# (period in steps, share): what people's calendars give; 1 = none, 0 = any
PERIODS = [(1, .13), (4, .11), (7, .13), (12, .18), (24, .16), (52, .05), (48, .04), (96, .02), (144, .01), (5, .03), (6, .02),
           (13, .02), (168, .01), (0, .09)]


class Series(Families):
    """Seeded batches of series with gaps, wild values and a hint of the period, as they come from people."""

    def one(self, m, T):
        """[B, T] of one family; years, quarters and months lean to growth and markets, short series to arima, days to load."""
        names = ['structural', 'gaussian_process', 'arima', 'diffusion', 'shapes', 'counts', 'growth', 'load', 'market']
        w = [.33, .13, .18, .10, .05, .07, .10, .04, .05]
        if m in (1, 4, 12, 13, 52):
            w[6], w[8] = .2, .3
        if T <= 256:
            w[2] *= 1.3
        if m in DAILY:
            w[7] = .45
        k = self.p() * sum(w)
        for name, share in zip(names, w):
            k -= share
            if k <= 0:
                break
        return getattr(self, name)(m)

    def raw(self, B, T):
        """Series [B, T] and their shared period (1 = none)."""
        self.B, self.T = B, T
        k = self.p() * sum(share for _, share in PERIODS)
        for m, share in PERIODS:
            k -= share
            if k <= 0:
                break
        if m == 0:
            m = int(self.lu(2, 130, (1,)))
        m = min(m, T // 2)
        x = self.one(m, T)
        if self.p() < .2:                            # convex mixture with another process of the same period (TSMixup, Chronos)
            w = self.u(.1, .9)
            x = w * unit(x) + (1 - w) * unit(self.one(m, T))
        return torch.nan_to_num(x, nan=0., posinf=1e8, neginf=-1e8).clamp(-1e9, 1e9), m

    def group(self, B, L, H):
        """x [B, L] with mask [B, L], y [B, H] and period hint [B]; values may be missing, clipped, rounded, shifted, wild."""
        T = L + H
        x, m = self.raw(B, T)
        mean, sd = x.mean(1, keepdim=True), x.std(1, keepdim=True) + 1e-9
        kind = self.u()
        x = torch.where(kind < .08, torch.maximum(x, mean + sd * self.u(-1.5, .3)), x)
        step = sd * self.lu(.02, .6)
        x = torch.where((kind > .08) & (kind < .16), torch.round(x / step) * step, x)
        x = torch.where((kind > .16) & (kind < .22), -x, x)
        if self.p() < .15:
            x = x + (self.t >= self.i(8, T)) * self.n(B, 1) * sd * 1.5 * self.sometimes(.5)
        if self.p() < .2:
            x = x + self.surprises(x)
        y = x[:, L:]
        x = x[:, :L]
        if self.p() < .2:
            wild = (self.u(size=(B, L)) < self.lu(.001, .02)) * (self.student(2)[:, :L] * 3).clamp(-30, 30) * sd
            x = x + wild
        least = 9 if L == 64 else L // 2 + 1
        full = self.sometimes(.4 if L == 2048 else .1)
        length = torch.where(full > 0, torch.full((B, 1), float(L), device=self.device), torch.floor(self.lu(least, L + 1)))
        t = torch.arange(L, device=self.device)[None]
        mask = t >= L - length
        if self.p() < .2:
            gone = (self.u(size=(B, L)) < self.u(0, .3)) & (self.u() < .6)
            if self.p() < .5:
                s, w = self.i(0, L), self.i(1, max(2, L // 8))
                gone = gone | ((t >= s) & (t < s + w))
            kept = mask & ~gone
            mask = torch.where(kept.sum(1, keepdim=True) >= 6, kept, mask)
        h = self.u(size=(B,))
        hint = torch.full((B,), m, device=self.device)
        if m == 1:
            usual = torch.tensor([1, 4, 7, 12, 24, 52], device=self.device)
            hint = usual[self.i(0, 6, (B,))] * (h < .6) + (h >= .6)
        hint = torch.where(h < .86, hint, torch.where(h < .95, torch.ones_like(hint), self.i(1, 60, (B,))))
        return x * mask, mask.float(), y, hint.clamp(1, L)

    def surprises(self, x):
        """What history does not tell: a trend that turns at any time, the future included, and steps that add up."""
        size = (x[:, 1:] - x[:, :-1]).abs().mean(1, keepdim=True)
        turn = torch.clamp(self.t - self.i(0, self.T), min=0) * self.n(self.B, 1) * size * self.lu(.01, .5) * self.sometimes(.5)
        return turn + torch.cumsum(self.n(), 1) * size * self.lu(.03, 1) * self.sometimes(.6)

    def batch(self, B, L, H, rows=16):
        """A batch of B series from B / rows groups of one period and family each."""
        parts = [self.group(rows, L, H) for _ in range(max(1, B // rows))]
        return [torch.cat([part[i] for part in parts]) for i in range(4)]
