"""Synthetic time series, made in batches on any torch device; the only training data of the family.

A call makes rows that share one seasonal period; `batch` mixes several calls.
"""
import torch

from components import unit
from families import DAILY, Families

# (period in steps, share): what people's calendars give; 1 = none, 0 = any. And those that only long series show.
PERIODS = [(1, .15), (4, .11), (7, .13), (12, .18), (24, .15), (52, .05), (48, .04), (96, .02), (144, .01), (5, .03), (6, .02),
           (13, .02), (168, .01), (0, .08)]
LONG = [(96, .15), (144, .15), (168, .05), (288, .25), (336, .05), (364, .05), (480, .15), (720, .05), (0, .1)]
YEARLY = (1, 4, 12, 13, 52)        # periods within a year, or years


class Series(Families):
    """Seeded batches of series with gaps, wild values and a hint of the period, as they come from people."""

    def one(self, m, T):
        """[B, T] of one family; years, quarters and months lean to growth and markets, short series to arima, days to load."""
        names = ['structural', 'gaussian_process', 'arima', 'diffusion', 'shapes', 'counts', 'growth', 'load', 'market', 'saturation',
                 'steady']
        w = [.33, .13, .18, .10, .05, .06, .10, .04, .05, .05, .05]
        if m in YEARLY:
            w[6], w[8], w[9] = .35, .25, .06 if m == 1 else .12
        if T <= 256:
            w[2] *= 1.3
        if m in DAILY:
            w[7] = .55
        if m in DAILY or m in (7, 168, 336):
            w[0], w[6], w[8], w[10] = .35, .04, .03, .35
        if m == 5:
            w[8] = .4
        self.up, self.unsure = ((.8, .75) if m == 1 else (.75, .5)) if m in YEARLY else (.52, .2)
        self.family = self.chosen(names, w)
        return getattr(self, self.family)(m)

    def chosen(self, items, weights):
        k = self.p() * sum(weights)
        for item, share in zip(items, weights):
            k -= share
            if k <= 0:
                break
        return item

    def raw(self, B, L, H):
        """Series [B, L + H], their shared period (1 = none), and whether they are what they are: counts of rare things, fixed values."""
        T = L + H
        self.B, self.L, self.T = B, L, T
        m = self.chosen(*zip(*(LONG if L >= 512 and self.p() < .4 else PERIODS)))
        if m == 0:
            m = int(self.lu(2, 130, (1,)))
        m = min(m, T // 2)
        k = self.p()
        if k < .06:
            return (self.sparse if k < .035 else self.still)(m), m, True
        x = self.one(m, T)
        if self.p() < .2:                            # convex mixture with another process of the same period (TSMixup, Chronos)
            w = self.u(.1, .9)
            x = w * unit(x) + (1 - w) * unit(self.one(m, T))
        if m in YEARLY and self.family != 'saturation':
            x = self.grown(x, m)
        return torch.nan_to_num(x, nan=0., posinf=1e8, neginf=-1e8).clamp(-1e9, 1e9), m, False

    def grown(self, x, m):
        """Growth as years, quarters and months of economies, firms and visitors have it: it goes on, if not evenly."""
        size = (x[:, m:] - x[:, :-m]).abs().mean(1, keepdim=True) / m
        drift = size * self.lu(.2, 2.5) * torch.where(self.u() < .9, 1., -1.)
        y = x + drift * (self.t - self.T / 2)
        y = torch.where(self.u() < .5, torch.exp(unit(y) * self.lu(.1, 1.3)), y)
        return torch.where(self.u() < {1: .75, 4: .5, 12: .45}.get(m, .2), y, x)

    def group(self, B, L, H):
        """x [B, L] with mask [B, L], y [B, H] and period hint [B]; values may be missing, clipped, rounded, shifted, wild."""
        x, m, kept = self.raw(B, L, H)
        if not kept:
            x = self.disturbed(x)
        sd = x.std(1, keepdim=True) + 1e-9
        y = x[:, L:]
        x = x[:, :L]
        if not kept and self.p() < .2:
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
            rest = mask & ~gone
            mask = torch.where(rest.sum(1, keepdim=True) >= 6, rest, mask)
        h = self.u(size=(B,))
        hint = torch.full((B,), m, device=self.device)
        if m == 1:
            usual = torch.tensor([1, 4, 7, 12, 24, 52], device=self.device)
            hint = usual[self.i(0, 6, (B,))] * (h < .6) + (h >= .6)
        hint = torch.where(h < .86, hint, torch.where(h < .95, torch.ones_like(hint), self.i(1, 60, (B,))))
        x, mask, y = self.as_used(x, mask.float(), y)
        return x, mask, y, hint.clamp(1, L)

    @staticmethod
    def as_used(x, mask, y):
        """What export.py does to series before the network: below zero is turned over, what never varied is a hundred."""
        low, high = (x + (1 - mask) * 1e12).amin(1, keepdim=True), (x - (1 - mask) * 1e12).amax(1, keepdim=True)
        fixed, nothing = low == high, (low == high) & (low == 0)
        scale = torch.where(fixed & ~nothing, 100 / torch.where(low == 0, 1., low), torch.where((x * mask).sum(1, keepdim=True) < 0, -1., 1.))
        x = torch.where(fixed & ~nothing, 100., x * scale)
        return x * mask, mask, torch.where(nothing, 0., y * scale)

    def disturbed(self, x):
        """Series cut, rounded, mirrored, on levels as people's are, with shifts and surprises."""
        low, mean, sd = x.amin(1, keepdim=True), x.mean(1, keepdim=True), x.std(1, keepdim=True) + 1e-9
        kind = self.u()
        x = torch.where(kind < .06, torch.maximum(x, mean + sd * self.u(-1.5, .3)), x)
        x = torch.where((kind > .06) & (kind < .08), torch.minimum(x, mean + sd * self.u(.3, 2)), x)
        step = sd * self.lu(.02, .6)
        x = torch.where((kind > .09) & (kind < .17), torch.round(x / step) * step, x)
        x = torch.where((kind > .17) & (kind < .22), 2 * mean - x, x)
        if self.p() < .6:
            level = torch.where(self.u() < .5, (-low).clamp(min=0) + sd * self.u(0, 1), sd * self.lu(1.5, 60))
            x = x + level * ((low < 0) & (self.u() < .9))
        if self.p() < .14:
            x = x + self.shifts(sd) * self.sometimes(.6)
        if self.p() < self.unsure:
            x = x + self.surprises(x)
        return x

    def shifts(self, sd):
        """A level that moves, mostly late in what is known, sometimes in what is not: most stay, some pass or fade."""
        age = torch.where(self.u() < .8, self.lu(1, .9 * self.L), -self.u(0, 1) * (self.T - self.L))
        since = self.t - torch.floor(self.L - age)
        kind, passing = self.u(), (since < self.lu(1, 20)).float()
        fading = torch.exp(-since.clamp(min=0) / self.lu(2, 40))
        shape = (since >= 0) * torch.where(kind < .75, 1., torch.where(kind < .88, passing, fading))
        return shape * sd * self.lu(.6, 5) * self.sign()

    def surprises(self, x):
        """What history does not tell: a trend that turns at any time, the future included, and steps that add up."""
        size = (x[:, 1:] - x[:, :-1]).abs().mean(1, keepdim=True)
        turn = torch.clamp(self.t - self.i(0, self.T), min=0) * self.n(self.B, 1) * size * self.lu(.01, .5) * self.sometimes(.5)
        return turn + torch.cumsum(self.n(), 1) * size * self.lu(.05, 1.2) * self.sometimes(.7)

    def batch(self, B, L, H, rows=16):
        """A batch of B series from B / rows groups of one period and family each."""
        parts = [self.group(rows, L, H) for _ in range(max(1, B // rows))]
        return [torch.cat([part[i] for part in parts]) for i in range(4)]
