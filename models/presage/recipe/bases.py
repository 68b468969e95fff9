"""The closed-form forecasts that the network weighs ("bases"): levels, lines, seasonal profiles, and what they share.

Shapes: R series (one row for each origin), L context steps (newest last), H horizon steps, K forecasts.
"""
import torch
import torch.nn.functional as F

MAX_CONTEXT, MAX_HORIZON = 2048, 720
CYCLES, NEAR = 16, 4                   # how many cycles back seasonal profiles look, and the shorter mean
ALPHAS = (.9, .5, .4, .2, .1, .05, .03, .02, .0)     # smoothing constants; 0 = plain mean
NEVER = 1 << 20                        # a lag beyond every context
BASES = 24


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
