"""The network: closed-form forecasts as inputs, a patch transformer that weighs and corrects them, nine quantiles out.

Shapes: B series, L context steps (newest last), H horizon steps (a multiple of 16), K closed-form forecasts ("bases").
Only operations with an ONNX counterpart; L and H are dynamic.
"""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F

from bases import BASES, LAST, MAX_CONTEXT, MAX_HORIZON, NEVER, SEASONAL, Past, ages, bases, paths, second_periods

PATCH, FINE, COARSE = 16, 256, 4       # newest 256 steps in patches of 16; older ones averaged by fours, so in patches of 64
SHIFTS = (3, 6, 12, 24, 64)            # how far back the bases are tried on known values
KNOWN = 5                              # fewest values before such an origin for its trial to count
QUANTILES = [.1, .2, .3, .4, .5, .6, .7, .8, .9]
# sums from each side towards the median: of the four steps below and the four above it
SUMS = [[float(j <= i < 4 or 4 <= i <= j) for j in range(8)] for i in range(8)]
# of the logarithms of length, period, unit of steps, first, seasonal, first and longer differences, and unit: what the network sees
LOGS = [[1 / 6, 0, 0, 0, 0, 0, 0], [0, .2, 0, 0, 0, 0, 0], [0, 0, 1 / 3, 0, 0, 0, 0], [0, 0, 0, 1 / 3, 0, 0, 0],
        [0, 0, 0, 0, 1., 0, 0], [0, 0, 0, 0, -1., -1., 0], [0, 0, 0, 0, 0, 1., 0], [0, 0, 0, 0, 0, 0, 1.]]
GLOBALS, CONTEXT_CHANNELS = 21, 7
FUTURE_CHANNELS = BASES + 2
FADE = [[(j + 1) / PATCH] for j in range(PATCH)]       # how much of a step is its own patch's, the rest that of the one before
asinh = torch.asinh


def mixed(own, before, fade):
    return before + (own - before) * fade


class Inputs:
    """
    Everything the network sees, without gradients. x [B, L], newest last, with mask 0 where missing; m [B] the period; H steps
    ahead; zero [B, 1]: what was taken from the series before (x + zero is the series up to a factor).
    """

    def __init__(self, net, x, mask, m, H, zero=0.):
        B, L = x.shape
        m = m[:, None].clamp(min=1)
        m2 = net.longer[m.clamp(max=MAX_CONTEXT)]
        n = mask.sum(1, keepdim=True).clamp(min=1.)
        loc = (x * mask).sum(1, keepdim=True) / n
        z = (x - loc) * mask
        sc = torch.sqrt((z * z).sum(1, keepdim=True) / n)
        sc = torch.where(sc > 1e-9 * (1e-9 + loc.abs()), sc, 1.)
        z = z / sc
        self.loc, self.sc = loc, sc
        both = torch.stack([z, mask])
        zs, ms = torch.cat([both] + [F.pad(both[:, :, :-s], (s, 0)) for s in SHIFTS], 1).unbind(0)
        rows = 1 + len(SHIFTS)
        above = ((loc + zero) / sc).clamp(-1e4, 1e4)
        p = Past(zs, ms, m.repeat(rows, 1), m2.repeat(rows, 1), net.ages)
        all_bases = bases(p, H, above.repeat(rows, 1), net.paths).clamp(-1e4, 1e4)
        b, *earlier = torch.chunk(all_bases, rows)
        signals, masks, pool = (torch.chunk(v, rows)[0] for v in (p.signals, p.masks, p.pool))
        counts, *known = torch.chunk(p.counts, rows)
        sizes = signals.abs().sum(2) / counts.clamp(min=1.)                # [B, 5]
        _, first, seasonal, _, second = torch.split(sizes, 1, 1)
        _, steps, seasons, _, longer = torch.split(counts, 1, 1)
        enough, enough2 = (seasons >= 3).to(x.dtype), (longer > 8).to(x.dtype)
        gate = enough * (seasonal < first).to(x.dtype)
        sd = (gate * seasonal + (1 - gate) * first).clamp(min=1e-3)

        # how each base did from earlier origins [B, S, K]; the one that did best is what all is measured from
        tried = torch.stack([self.errors(v, z, mask, s) for v, s in zip(earlier, SHIFTS)], 1) / sd[:, :, None]
        able = torch.stack([c[:, :1] >= KNOWN for c in known], 1).to(x.dtype)
        plain = F.one_hot((gate[:, 0] * SEASONAL).long(), BASES).to(x.dtype)
        score = (torch.log(tried + .05) * able).sum(1) - 1e-3 * plain
        error, best = score.min(1, keepdim=True)
        ready = able[:, 0]
        self.unit = unit = sd * (ready * (torch.exp(error / able.sum(1).clamp(min=1.)) - .05).clamp(.05, 1e3) + 1 - ready)
        self.base = base = (F.one_hot(best, BASES).to(x.dtype) @ b)[:, 0]
        self.bases = asinh(((b - base[:, None]) / unit[:, :, None]).clamp(-1e4, 1e4))
        self.tried = torch.log(tried / (unit / sd)[:, :, None] + .1).clamp(-3, 6) * able
        level, last = pool[:, 3:4], pool[:, LAST:LAST + 1]
        logs = torch.log(torch.cat([n, m.to(x.dtype), sd, first.clamp(min=1e-3), seasonal + 1e-3, first + 1e-3, second + 1e-3, unit / sd], 1))
        size, period, own, step, cycle, week, kept = torch.split(logs @ torch.tensor(LOGS, device=x.device), 1, 1)
        self.globals = torch.cat([
            size, period, own, step, gate, cycle, enough, week * enough2, enough2,
            *steps_of(signals[:, 1], masks[:, 1], first, steps, torch.cat([m * 0 + 1, m, torch.where(m2 == NEVER, 1, m2)], 1),
                      asinh((z + (1 - mask) * 1e3).amin(1, keepdim=True)), asinh((z - (1 - mask) * 1e3).amax(1, keepdim=True))),
            level, (last - level) / sd * .1, kept,
            # how far zero lies below the level, and below the lowest: beyond a deviation it is no matter how far
            torch.cat([above, above + (z + (1 - mask) * 1e3).amin(1, keepdim=True)], 1).clamp(0, 1) * 4,
        ], 1).clamp(-8, 8)
        _, _, differences = torch.split(signals, (1, 1, 3), 1)
        scaled = torch.cat([(z - level)[:, None] * mask[:, None], differences], 1) / sd[:, :, None]
        values, near, cycle, rest = torch.split(asinh(torch.cat([z[:, None], scaled], 1)), (1, 1, 1, 2), 1)
        channels = torch.cat([values, near, mask[:, None], cycle, masks[:, 2:3], rest], 1)
        self.patches(channels, mask, L)
        future = torch.cat([self.bases, asinh(torch.stack([(base - level) / sd, base], 1))], 1)
        self.future = future.reshape(B, FUTURE_CHANNELS, H // PATCH, PATCH).permute(0, 2, 1, 3).reshape(B, H // PATCH, -1)
        self.L, self.H = L, H

    @staticmethod
    def errors(b, z, mask, s):
        """Mean error of each base over the s steps after an origin s steps back -> [B, K]."""
        w = mask[:, -s:][:, None]
        return ((b[:, :, :s] - z[:, -s:][:, None]).abs() * w).sum(2) / w.sum(2).clamp(min=1.)

    def patches(self, channels, mask, L):
        """Tokens of the context [B, N, C * 16], oldest first: older steps averaged by fours, newest 256 as they are."""
        B, C = channels.shape[:2]

        def tokens(part):
            return part.reshape(B, C, -1, PATCH).permute(0, 2, 1, 3).reshape(B, -1, C * PATCH)
        out, seen = tokens(channels[:, :, -FINE:]), mask[:, -FINE:].reshape(B, -1, PATCH).sum(2)
        if L > FINE:
            old = channels[:, :, :-FINE].reshape(B, C, -1, COARSE).mean(3)
            out = torch.cat([tokens(old), out], 1)
            seen = torch.cat([mask[:, :-FINE].reshape(B, -1, PATCH * COARSE).sum(2), seen], 1)
        self.tokens, self.seen = out, seen.clamp(max=1.)


def steps_of(d, ok, size, n, lags, low, high):
    """Autocorrelations of the steps (cut at four mean sizes) at lags [B, 3], lowest, highest, share of no change, tails."""
    n = n.clamp(min=1.)
    c = (d / (size + 1e-6)).clamp(-4, 4) * ok
    c = (c - c.sum(1, keepdim=True) / n) * ok
    B, L = c.shape
    t = torch.arange(1, L + 1, device=c.device)
    i = (t - lags[:, :, None]).clamp(min=0).reshape(B, -1)
    then = torch.gather(F.pad(c, (1, 0)), 1, i).reshape(B, 3, L)
    w = torch.gather(F.pad(ok, (1, 0)), 1, i).reshape(B, 3, L) * ok[:, None]
    square = c * c
    r = (c[:, None] * then * w).sum(2) / (square[:, None] * w).sum(2).clamp(min=1e-3)
    still = ((d.abs() < 1e-6).to(d.dtype) * ok).sum(1, keepdim=True) / n
    return r, low, high, still, (square * ok).sum(1, keepdim=True) / n / 2


class Norm(nn.Module):
    """Root-mean-square norm (Zhang, Sennrich 2019)."""

    def __init__(self, d):
        super().__init__()
        self.g = nn.Parameter(torch.ones(d))

    def forward(self, x):
        return x / torch.sqrt(x.pow(2).mean(-1, keepdim=True) + 1e-5) * self.g


class Block(nn.Module):
    def __init__(self, d, heads, ff):
        super().__init__()
        self.n1, self.n2, self.heads, self.d = Norm(d), Norm(d), heads, d
        self.qkv, self.o = nn.Linear(d, 3 * d, bias=False), nn.Linear(d, d, bias=False)
        self.up, self.down = nn.Linear(d, ff), nn.Linear(ff, d)
        for w in (self.o, self.down):
            nn.init.zeros_(w.weight)

    def forward(self, x, bias):
        B, N, _ = x.shape
        each = self.d // self.heads
        q, k, v = (u.reshape(B, N, self.heads, each).transpose(1, 2) for u in torch.split(self.qkv(self.n1(x)), self.d, 2))
        a = torch.softmax(q @ k.transpose(-1, -2) * each ** -.5 + bias, -1) @ v
        x = x + self.o(a.transpose(1, 2).reshape(B, N, self.d))
        return x + self.down(F.relu(self.up(self.n2(x))))


def waves(n, scale, d, device=None):
    """Fixed sines of the position [n, d]."""
    i = torch.arange(n, device=device).float()[:, None]
    f = torch.exp(torch.arange(d // 2, device=device).float()[None] * (-math.log(scale) / (d // 2)))
    return torch.cat([torch.sin(i * f), torch.cos(i * f)], 1)


class Net(nn.Module):
    def __init__(self, d=128, layers=4, ff=None):
        super().__init__()
        ff = ff or 4 * d
        self.size = dict(d=d, layers=layers, ff=ff)
        self.half = False                  # in training: matrix products in bfloat16, sums and what is kept in float32
        extra = GLOBALS + BASES * len(SHIFTS)
        self.context = nn.Linear(CONTEXT_CHANNELS * PATCH, d)
        self.context2 = nn.Sequential(nn.Linear(CONTEXT_CHANNELS * PATCH, 2 * d), nn.ReLU(), nn.Linear(2 * d, d))
        self.future = nn.Linear(FUTURE_CHANNELS * PATCH, d)
        self.future2 = nn.Sequential(nn.Linear(FUTURE_CHANNELS * PATCH, 2 * d), nn.ReLU(), nn.Linear(2 * d, d))
        self.all = nn.Sequential(nn.Linear(extra, d), nn.ReLU(), nn.Linear(d, d))
        self.place = nn.Parameter(torch.randn(FINE // PATCH + (MAX_CONTEXT - FINE) // (PATCH * COARSE), d) * .02)   # newest first
        self.ahead = nn.Linear(32, d)
        self.register_buffer('sines', waves(MAX_HORIZON // PATCH + 3, 200., 32), persistent=False)
        self.register_buffer('ages', ages(), persistent=False)
        self.register_buffer('paths', paths(), persistent=False)
        self.register_buffer('longer', second_periods(), persistent=False)
        self.blocks = nn.ModuleList([Block(d, d // 32, ff) for _ in range(layers)])
        self.norm = Norm(d)
        self.head = nn.Sequential(nn.Linear(d, 2 * d), nn.ReLU(), nn.Linear(2 * d, 2 * PATCH * 9))
        self.head1 = nn.Linear(d, 2 * PATCH * 9)
        self.weigh = nn.Linear(d, BASES)
        self.trust = nn.Linear(d, len(SHIFTS))
        with torch.no_grad():
            self.head[2].weight.mul_(.1)
            self.head1.weight.mul_(.1)
            self.head1.bias.zero_()
            self.weigh.weight.zero_()
            self.weigh.bias.zero_()
            self.trust.weight.zero_()
            self.trust.bias.fill_(.1)
            # at the start: median 0 and steps of about .25 between quantiles
            start = torch.full((2 * PATCH, 9), -1.2)
            start[:, 4] = 0
            self.head[2].bias.copy_(start.reshape(-1))

    def hidden(self, i):
        """-> context tokens [B, N, d] and future tokens [B, H / 16, d] after the blocks."""
        N, M = i.tokens.shape[1], i.H // PATCH
        common = self.all(torch.cat([i.globals, i.tried.flatten(1)], 1))[:, None]
        c = self.context(i.tokens) + self.context2(i.tokens) + common + torch.flip(self.place[:N], (0,))
        f = self.future(i.future) + self.future2(i.future) + common + self.ahead(self.sines[:M])
        x = torch.cat([c, f], 1)
        # context tokens see the known context; a future token sees that and itself, so a longer horizon changes nothing
        n = torch.arange(N + M, device=x.device)
        seen = torch.cat([i.seen, f[:, :, 0] * 0], 1)[:, None, None]
        bias = (torch.maximum(seen, (n[:, None] == n[None]).to(x.dtype)) - 1) * 1e4
        for block in self.blocks:
            x = block(x, bias)
        x = self.norm(x)
        return x[:, :N], x[:, N:]

    def steps(self, i, f):
        """Quantiles as asinh of units around the best base, [B, H, 9], rising along the last axis."""
        B, M = f.shape[:2]
        # each token speaks of its own patch and of the next; from the one before to the own goes a slope, so no edge shows
        own, next_ = torch.split((self.head(f) + self.head1(f)).reshape(B, M, 2 * PATCH, 9), PATCH, 2)
        fade = torch.tensor(FADE, device=f.device)
        u = mixed(own, torch.cat([own[:, :1], next_[:, :-1]], 1), fade).reshape(B, i.H, 9)
        w = torch.softmax(self.weigh(f) - F.softplus(self.trust(f)) @ i.tried, -1)[:, :, None]           # [B, M, 1, K]
        w = torch.cat([w, torch.cat([w[:, :1], w[:, :-1]], 1)], 2)
        each = w @ i.bases.reshape(B, BASES, M, PATCH).permute(0, 2, 1, 3)                               # [B, M, 2, 16]
        own, before = torch.split(each[..., None], 1, 2)
        centre = mixed(own, before, fade).reshape(B, i.H, 1)
        below, middle, over = torch.split(u, (4, 1, 4), 2)
        middle = middle + centre
        # sums towards and away from the median
        steps = torch.cat([-F.softplus(below), F.softplus(over)], 2) @ torch.tensor(SUMS, device=u.device)
        lower, upper = torch.split(steps, 4, 2)
        return torch.cat([middle + lower, middle, middle + upper], 2).clamp(-12, 12)

    def forward(self, x, mask, m, H):
        with torch.no_grad():
            i = Inputs(self, x, mask, m, H)
        with torch.autocast(x.device.type, torch.bfloat16, enabled=self.half):
            c, f = self.hidden(i)
        return self.steps(i, f.float()), i

    def forecast(self, x, mask, m, H, zero=0.):
        """Quantiles [B, H, 9] in the units of x, and the pooled states [B, 2d]."""
        i = Inputs(self, x, mask, m, H, zero)
        c, f = self.hidden(i)
        u = self.steps(i, f)
        u = (torch.exp(u) - torch.exp(-u)) * .5
        q = i.loc[:, :, None] + i.sc[:, :, None] * (i.base[:, :, None] + i.unit[:, :, None] * u)
        pooled = (c * i.seen[:, :, None]).sum(1) / i.seen.sum(1, keepdim=True).clamp(min=1.)
        return q, torch.cat([pooled, f.mean(1)], 1)


def loss(s, i, y):
    """Pinball loss of asinh((y - base) / unit), mean over quantiles -> [B, H]; near steps count more, as most are asked for."""
    e = asinh((((y - i.loc) / i.sc - i.base) / i.unit).clamp(-1e4, 1e4))[..., None] - s
    q = torch.tensor(QUANTILES, device=y.device)
    weight = (1 + torch.arange(i.H, device=y.device) / 16) ** -.5
    return torch.maximum(q * e, (q - 1) * e).mean(2) * (weight / weight.mean())
