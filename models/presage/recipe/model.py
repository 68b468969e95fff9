"""The network: closed-form forecasts as inputs, a patch transformer that weighs and corrects them, nine quantiles out.

Shapes: B series, L context steps (newest last), H horizon steps (a multiple of 16), K closed-form forecasts ("bases").
Only operations with an ONNX counterpart; L and H are dynamic.
"""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F

PATCH, FINE, COARSE = 16, 256, 4       # newest 256 steps in patches of 16; older ones averaged by fours, so in patches of 64
SHIFTS = (16, 64)                      # how far back the bases are tried on known values
QUANTILES = [.1, .2, .3, .4, .5, .6, .7, .8, .9]
MAX_CONTEXT, MAX_HORIZON = 2048, 720
CYCLES, NEAR = 16, 4                   # how many cycles back seasonal profiles look, and the shorter mean
ALPHAS = (.9, .5, .4, .2, .1, .05, .03, .02, .0)     # smoothing constants; 0 = plain mean
NEVER = 1 << 20                        # a lag beyond every context
# sums from each side towards the median: of the four steps below and the four above it
SUMS = [[float(j <= i < 4 or 4 <= i <= j) for j in range(8)] for i in range(8)]
# of the logarithms of length, period, unit of steps, first, seasonal, first and longer differences, and unit: what the network sees
LOGS = [[1 / 6, 0, 0, 0, 0, 0, 0], [0, .2, 0, 0, 0, 0, 0], [0, 0, 1 / 3, 0, 0, 0, 0], [0, 0, 0, 1 / 3, 0, 0, 0],
        [0, 0, 0, 0, 1., 0, 0], [0, 0, 0, 0, -1., -1., 0], [0, 0, 0, 0, 0, 1., 0], [0, 0, 0, 0, 0, 0, 1.]]
BASES, GLOBALS, CONTEXT_CHANNELS = 24, 19, 7
FUTURE_CHANNELS = BASES + 2


asinh = torch.asinh


def ages(device=None):
    """Weights of a step by its age, newest last, [2048, 11]: (1 - alpha)^age, then those of .1 times -age and age squared."""
    age = torch.arange(MAX_CONTEXT - 1, -1, -1, device=device).double()[:, None]
    decay = (1 - torch.tensor(ALPHAS, device=device).double()) ** age
    tenth = decay[:, 4:5]
    return torch.cat([decay, -age * tenth, age * age * tenth], 1).float()


def paths(device=None):
    """How a slope adds up over the steps ahead, [12, 768]: not at all, damped by .8, .9 and .97, or in full."""
    ahead = torch.arange(1, MAX_HORIZON + 49, device=device).double()[None]
    rows = [0 * ahead] * 5 + [(1 - p ** ahead) * p / (1 - p) for p in (.8, .9, .97)] + [ahead] * 4
    return torch.cat(rows).float()


def column(i, j):
    """Where signal i (values, steps, seasonal differences, deviations, differences of the longer season) is smoothed by ALPHAS[j]."""
    return i * len(ALPHAS) + j


class Past:
    """
    What the bases of one origin share. z [R, L] in unit scale, 0 where mask is 0; periods m, m2 [R, 1]. Five signals, each with
    its own mask: the values, their steps, their seasonal differences, their deviations from the mean of four cycles, and their
    differences over the longer season.
    """

    def __init__(self, z, mask, m, m2, table):
        R, L = z.shape
        self.z, self.mask, self.m, self.m2, self.L, self.R = z, mask, m, m2, L, R
        t = torch.arange(L, device=z.device)
        self.padded, self.shown = F.pad(z, (1, 0)), F.pad(mask, (1, 0))
        # lags of nothing (the values themselves), a step, one cycle, the longer one, and two to four cycles
        lags = torch.cat([m * 0 + NEVER, m * 0 + 1, m, m2, 2 * m, 3 * m, 4 * m], 1)
        v, o = self.at((t - lags[:, :, None]).reshape(R, -1))
        v, o = v.reshape(R, 7, L), o.reshape(R, 7, L)
        near = (0., 0., 1., 0., 1., 1., 1.)
        mean = torch.tensor([near], dtype=z.dtype, device=z.device)
        have = mean @ o
        own, step, cycle, longer, _ = torch.split(o, (1, 1, 1, 1, 3), 1)
        self.masks = mask[:, None] * torch.cat([own + 1, step, cycle, have.clamp(max=1.), longer], 1)
        own, step, cycle, longer, _ = torch.split(v, (1, 1, 1, 1, 3), 1)
        before = torch.cat([own, step, cycle, mean @ v / have.clamp(min=1.), longer], 1)
        self.signals = (z[:, None] - before) * self.masks
        table = table[-L:]
        weights = self.masks @ table                                       # [R, 5, 11]
        sums = self.signals @ table
        plain, last_two = (len(ALPHAS), 2)
        steady, _ = torch.split(weights, (plain, last_two), 2)
        smooth, _ = torch.split(sums, (plain, last_two), 2)
        self.counts = steady[:, :, plain - 1]
        means = smooth / steady.clamp(min=1e-12)
        seen = t.to(z.dtype) * mask
        newest = seen.amax(1, keepdim=True)
        oldest = (seen + (1 - mask) * 1e9).amin(1, keepdim=True).clamp(max=L - 1.)
        ends = torch.gather(z, 1, torch.cat([newest, oldest], 1).long())
        self.last, start = torch.split(ends, 1, 1)
        drift = (self.last - start) / (newest - oldest).clamp(min=1.)
        level, slope = self.line(weights[:, 0], sums[:, 0])
        # all numbers that bases are made of, [R, 50]
        self.pool = torch.cat([means.reshape(R, -1), self.last, drift, level, slope, drift * 0], 1)

    def at(self, index):
        """Values and mask at index [R, n]; 0 before the context."""
        i = (index + 1).clamp(min=0)
        return torch.gather(self.padded, 1, i), torch.gather(self.shown, 1, i)

    @staticmethod
    def line(weights, sums):
        """Level and slope at the origin of the straight line fitted with weights .9^age."""
        parts = (4, 1, len(ALPHAS) - 5, 1, 1)
        _, s0, _, s1, s2 = torch.split(weights, parts, 1)
        _, y0, _, y1, _ = torch.split(sums, parts, 1)
        det, s0 = s0 * s2 - s1 * s1, s0.clamp(min=1e-9)
        slope = ((s0 * y1 - s1 * y0) / det.clamp(min=1e-6) * (det > 1e-3 * s0 * s0).to(det.dtype)).clamp(-3, 3)
        return (y0 - slope * s1) / s0, slope


LAST, DRIFT, LEVEL, SLOPE, NOTHING = (len(ALPHAS) * 5 + i for i in range(5))
LINE_STARTS = [LAST, 1, 3, 5, 8] + [LAST] * 6 + [LEVEL]
LINE_SLOPES = [NOTHING] * 5 + [column(1, 2), column(1, 3), column(1, 4), column(1, 4), column(1, 6), DRIFT, SLOPE]
# of [last cycle, mean of four, mean of sixteen, profile of sixteen]: the shape, its shift, and its growth from cycle to cycle
SHAPES = [0, 1, 0, 0, 1, 1, 1, 2, 3]
OFFSETS = [NOTHING] * 4 + [column(3, 0), column(3, 1), column(3, 4), NOTHING, NOTHING]
GROWTHS = [NOTHING, NOTHING, column(2, 3), column(2, 7), column(2, 7), column(2, 7), NOTHING, NOTHING, NOTHING]
FIRST_CYCLE = [0, 0, 1, 1, 0, 0, 0, 0, 0]          # whether growth begins with the first cycle ahead or the second
NAIVE, SEASONAL = 0, 12


def bases(p, H, above, ahead):
    """The closed-form forecasts [R, K, H] from the end of p; above [R, 1]: how far its zero lies over the series' zero."""
    R, L, m, pool = p.R, p.L, p.m, p.pool
    device, dtype = pool.device, pool.dtype
    pick = lambda columns: pool[:, torch.tensor(columns, device=device)][:, :, None]
    lines = pick(LINE_STARTS) + pick(LINE_SLOPES) * ahead[None, :, :H]

    h = torch.arange(H, device=device)[None]
    cycle = torch.div(h, m, rounding_mode='trunc')
    phase = h - cycle * m
    back = torch.arange(1, CYCLES + 1, device=device)[None] * m
    m2 = p.m2
    index = torch.cat([L + phase[:, None] - back[:, :, None], (L + torch.remainder(h, m2) - m2)[:, None]], 1)
    v, o = p.at(index.reshape(R, -1))
    v, o = v.reshape(R, CYCLES + 1, H), o.reshape(R, CYCLES + 1, H)
    v, s2 = torch.split(v, (CYCLES, 1), 1)
    o, o2 = torch.split(o, (CYCLES, 1), 1)
    # means of the cycles, and each cycle's own mean
    running = F.pad(torch.cumsum(torch.stack([p.z, p.mask], 1), 2), (1, 0))
    edges = L - torch.arange(CYCLES + 1, device=device)[None] * m
    edges = edges.clamp(min=0)[:, None]
    running = torch.gather(running, 2, torch.cat([edges, edges], 1))
    running = running[:, :, :-1] - running[:, :, 1:]
    sums, counts = running[:, 0], running[:, 1]
    own = sums / counts.clamp(min=1.)
    k = torch.arange(CYCLES, device=device)
    by = torch.stack([(k < NEAR).to(dtype), .85 ** k.to(dtype)])
    totals = by @ o
    some, fallback = totals > 0, pool[:, 3:4]
    sums = torch.cat([by @ v, by[1:] @ (v - own[:, :, None] * o)], 1) / totals[:, [0, 1, 1]].clamp(min=1e-6)
    sums = sums + torch.tensor([[0.], [0.], [1.]], device=device) * own[:, :1, None]
    means = torch.where(some[:, [0, 1, 1]], sums, fallback[:, :, None])
    near = torch.where(some[:, 0], means[:, 0], p.last)
    s1 = torch.where(o[:, 0] > 0, v[:, 0], near)
    cycles = (cycle + 1).to(dtype)
    first = torch.tensor(FIRST_CYCLE, device=device).to(dtype)[None, :, None]
    turns = cycle.to(dtype)[:, None] + first
    seasons = torch.cat([s1[:, None], means], 1)[:, SHAPES] + pick(OFFSETS) + pick(GROWTHS) * turns

    # a season that grows with the level: last cycle times the ratio of the last two cycles' means, where all is above zero
    raised = (own[:, :2] + above) * counts[:, :2].clamp(max=1.)
    newer, older = torch.split(raised, 1, 1)
    ratio = torch.where(torch.minimum(newer, older) > 1e-3, newer / older.clamp(min=1e-3), 1.).clamp(.5, 2.)
    grown = (s1 + above) * torch.exp(torch.log(ratio) * cycles.clamp(max=4.)) - above

    longer = torch.where(o2 > 0, s2, s1[:, None]) + o2 * pick([column(4, 3), column(4, 7)]) * (p.counts[:, 4:] > 8).to(dtype)[:, :, None]
    return torch.cat([lines, seasons, grown[:, None], longer], 1)


def second_periods(device=None):
    """
    The longer cycle that goes with a period, a table over periods: a week over days, a year of whole weeks over weeks, else never.
    """
    out = torch.full((MAX_CONTEXT + 1,), NEVER, device=device)
    out[24:289] = 7 * torch.arange(24, 289, device=device)
    for period, longer in ((52, NEVER), (7, 364), (5, 260), (60, 1440)):
        out[period] = longer
    return out


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

        # how each base did from earlier origins [B, 2, K]; the one that did best is what all is measured from
        tried = torch.stack([self.errors(v, z, mask, s) for v, s in zip(earlier, SHIFTS)], 1) / sd[:, :, None]
        able = torch.stack([c[:, :1] >= 8. * (i + 1) for i, c in enumerate(known)], 1).to(x.dtype)
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
        self.head = nn.Sequential(nn.Linear(d, 2 * d), nn.ReLU(), nn.Linear(2 * d, PATCH * 9))
        self.head1 = nn.Linear(d, PATCH * 9)
        self.weigh = nn.Linear(d, BASES)
        self.trust = nn.Linear(d, len(SHIFTS))
        with torch.no_grad():
            self.head[2].weight.mul_(.1)
            self.head1.weight.mul_(.1)
            self.head1.bias.zero_()
            self.weigh.weight.zero_()
            self.weigh.bias.zero_()
            self.trust.weight.zero_()
            self.trust.bias.fill_(.8)
            # at the start: median 0 and steps of about .25 between quantiles
            start = torch.full((PATCH, 9), -1.2)
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
        u = (self.head(f) + self.head1(f)).reshape(B, i.H, 9)
        w = torch.softmax(self.weigh(f) - F.softplus(self.trust(f)) @ i.tried, -1)                       # [B, M, K]
        centre = (w[:, :, None] @ i.bases.reshape(B, BASES, M, PATCH).permute(0, 2, 1, 3)).reshape(B, i.H, 1)
        below, middle, over = torch.split(u, (4, 1, 4), 2)
        middle = middle + centre
        # sums towards and away from the median
        steps = torch.cat([-F.softplus(below), F.softplus(over)], 2) @ torch.tensor(SUMS, device=u.device)
        lower, upper = torch.split(steps, 4, 2)
        return torch.cat([middle + lower, middle, middle + upper], 2).clamp(-12, 12)

    def forward(self, x, mask, m, H):
        with torch.no_grad():
            i = Inputs(self, x, mask, m, H)
        c, f = self.hidden(i)
        return self.steps(i, f), i

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
    """Pinball loss of asinh((y - base) / unit), mean over quantiles -> [B, H]."""
    e = asinh((((y - i.loc) / i.sc - i.base) / i.unit).clamp(-1e4, 1e4))[..., None] - s
    q = torch.tensor(QUANTILES, device=y.device)
    return torch.maximum(q * e, (q - 1) * e).mean(2)
