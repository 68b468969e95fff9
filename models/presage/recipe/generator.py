"""Synthetic time series, made in batches on any torch device; the only training data of the family.

Every process is linear filters (by FFT, with the impulse response in closed form) over noise, periodic profiles, random
features of Gaussian processes, and point-wise maps of these; nothing loops over time, so a GPU makes them as readily as a CPU.
A call makes rows that share one seasonal period; `batch` mixes several calls.
"""
import math

import torch

# (period in steps, share): what people's calendars give; 1 = none, 0 = any
PERIODS = [(1, .13), (4, .11), (7, .13), (12, .18), (24, .16), (52, .05), (48, .04), (96, .02), (144, .01), (5, .03), (6, .02),
           (13, .02), (168, .01), (0, .09)]
DAILY = (24, 48, 96, 144)          # periods of one day, over which a week lies


class Series:
    """The generator's state: a seeded source, a device, the number of rows B and of steps T of the call under way."""

    def __init__(self, seed, device='cpu'):
        self.g = torch.Generator(device=device).manual_seed(seed)
        self.device = device

    # -- randomness -------------------------------------------------------------------------------------------------
    def u(self, low=0., high=1., size=None):
        return torch.rand(size or (self.B, 1), generator=self.g, device=self.device) * (high - low) + low

    def lu(self, low, high, size=None):
        return torch.exp(self.u(math.log(low), math.log(high), size))

    def n(self, *size):
        return torch.randn(size or (self.B, self.T), generator=self.g, device=self.device)

    def p(self):
        return torch.rand((), generator=self.g, device=self.device).item()

    def i(self, low, high, size=None):
        return torch.randint(low, high, size or (self.B, 1), generator=self.g, device=self.device)

    def sometimes(self, p, size=None):
        return (self.u(size=size) < p).float()

    def sign(self):
        return self.sometimes(.5) * 2 - 1

    def student(self, df):
        """Student's t with whole degrees of freedom, from normals."""
        chi = sum(self.n() ** 2 for _ in range(df))
        return self.n() / torch.sqrt(chi / df + 1e-3)

    # -- parts ------------------------------------------------------------------------------------------------------
    @property
    def t(self):
        return torch.arange(self.T, device=self.device).float()[None]

    def filter(self, x, impulse):
        n = 2 * self.T
        return torch.fft.irfft(torch.fft.rfft(x, n) * torch.fft.rfft(impulse, n), n)[:, :self.T]

    def ar1(self, phi, x=None):
        return self.filter(self.n() if x is None else x, phi ** self.t)

    def ar2(self, rho, theta, x=None):
        """Damped cycle: complex roots of modulus rho and angle theta (radians a step)."""
        return self.filter(self.n() if x is None else x, rho ** self.t * torch.sin((self.t + 1) * theta) / torch.sin(theta))

    def smooth(self, length, features=16):
        """Gaussian process of squared-exponential kernel by random features (Rahimi, Recht 2007); lengths vary."""
        w = self.n(self.B, features) / length
        if self.p() < .3:
            w = w * torch.sqrt(1 / (self.lu(.3, 6)))
        phase = self.u(0, 2 * math.pi, (self.B, features))
        return torch.cos(w[:, :, None] * self.t[:, None] + phase[:, :, None]).sum(1) * math.sqrt(2 / features)

    def waves(self, period, harmonics=3):
        out = torch.zeros(self.B, self.T, device=self.device)
        for k in range(1, harmonics + 1):
            out = out + self.n(self.B, 1) / k * torch.cos(2 * math.pi * k * self.t / period + self.u(0, 2 * math.pi))
        return out

    def profile(self, m, rows=None):
        """One cycle, [rows, m], of mean 0 and deviation 1: harmonics, anything, spikes or plateaus."""
        B = rows or self.B
        phase = torch.arange(m, device=self.device).float()[None]
        K = min(max(1, m // 2), 6)
        many = self.i(1, K + 1, (B, 1))
        waves = torch.zeros(B, m, device=self.device)
        decay = self.u(0, 1.2, (B, 1))
        for k in range(1, K + 1):
            a = self.n(B, 1) / k ** decay * (k <= many)
            waves = waves + a * torch.cos(2 * math.pi * k * phase / m + self.u(0, 2 * math.pi, (B, 1)))
        anything = self.n(B, m)
        spikes = (self.u(size=(B, m)) < self.u(.05, .35, (B, 1))) * self.n(B, m) * 2
        plateau = (((phase + self.i(0, m, (B, 1))) % m) < self.u(.15, .7, (B, 1)) * m).float() + .2 * anything
        kind = self.u(size=(B, 1))
        return unit(torch.where(kind < .55, waves, torch.where(kind < .72, anything, torch.where(kind < .85, spikes, plateau))))

    def season(self, m, evolve=True):
        """Seasonal component of about unit deviation; profiles may wander from cycle to cycle and change in amplitude."""
        if m <= 1:
            return torch.zeros(self.B, self.T, device=self.device)
        S, cycles = self.profile(m), self.T // m + 2
        W = S[:, None, :].expand(self.B, cycles, m)
        if evolve and self.p() < .6:
            pace = torch.where(self.u() < .4, torch.zeros(self.B, 1, device=self.device), self.lu(.01, .35)) * math.sqrt(min(1., m / 24))
            step = self.n(self.B, cycles, m)
            if m > 12:
                k = max(2, m // 8)
                step = torch.nn.functional.avg_pool1d(step.reshape(-1, 1, m), k, 1, k // 2)[..., :m].reshape(self.B, cycles, m) * k ** .5
            W = W + torch.cumsum(step * pace[:, :, None], 1)
        offset = int(self.i(0, m, (1,)))
        x = W.reshape(self.B, -1)[:, offset:offset + self.T]
        if self.p() < .25:
            x = x * (1 + .5 * unit(self.smooth(self.lu(40, 600))))
        return x

    def trend(self):
        t, c, kind = self.t / self.T, self.u(), self.u()
        line = (t - c) * self.n(self.B, 1) * 3
        broken = line + torch.clamp(t - self.u(.1, 1), min=0) * self.n(self.B, 1) * 6
        g = self.lu(.5, 8) * self.sign()
        growth = torch.expm1((g * t).clamp(-6, 6)) / torch.expm1(g.clamp(-6, 6)).abs().clamp(min=1e-3) * 2.5
        logistic = 3 * torch.sigmoid((t - c) * self.lu(4, 60)) * self.sign()
        return torch.where(kind < .4, line, torch.where(kind < .6, broken, torch.where(kind < .8, growth, logistic)))

    def local_trend(self):
        """Random-walk level with a damped or undamped random slope (the state space of exponential smoothing)."""
        level = self.lu(.02, 1) * self.sometimes(.8)
        slope = self.lu(.001, .1) * self.sometimes(.5)
        phi = torch.where(self.u() < .4, torch.ones(self.B, 1, device=self.device), self.u(.8, .995))
        drift = self.n(self.B, 1) * self.lu(.002, .3) * self.sometimes(.6)
        fades = self.sometimes(.5)
        b = self.ar1(phi, self.n() * slope) + drift * (fades * phi ** self.t + (1 - fades))
        return torch.cumsum(b + self.n() * level, 1)

    def noise(self):
        k = self.p()
        if k < .35:
            return self.n()
        if k < .5:
            return self.student(3) * .7
        if k < .8:
            return unit(self.ar1(self.u(-.5, .95)))
        return self.n() * torch.exp(.5 * unit(self.ar1(self.u(.8, .99))) * self.u(.2, 1.2))     # volatility that clusters

    # -- families ---------------------------------------------------------------------------------------------------
    def structural(self, m):
        level = self.local_trend()
        if self.p() < .45:
            level = self.trend() * self.lu(.3, 6) + .3 * level * self.sometimes(.5)
        s = self.season(m) * self.lu(.2, 6) * self.sometimes(.5 if m in (52, 5) else .85)
        if m in DAILY and self.p() < .6:
            s = self.weekly(s, m)
        if m == 7 and self.p() < .5:
            s = s + self.waves(365.25) * self.lu(.3, 5)
        x = level + s + self.noise() * self.lu(.05, 2.5)
        return torch.where(self.u() < .4, torch.exp(unit(x) * self.lu(.05, 1.)), x)

    def weekly(self, s, m):
        """Days of the week scale a daily season, and some days have less of all."""
        week = 1 + self.n(self.B, 7) * .1
        rest = self.i(1, 3)
        days = torch.arange(7, device=self.device)[None]
        week = torch.where(days >= 7 - rest, week - self.u(0, .9) * self.sometimes(.8), week)
        day = ((self.t.long()[0] // m) + int(self.i(0, 7, (1,)))) % 7
        return (s + 2 * s.abs().amax(1, keepdim=True) * self.u()) * week[:, day]

    def load(self, m):
        """Demand by the clock: a profile for workdays, another for days of rest, slow levels, weather-like deviations."""
        m = m if m in DAILY else 24
        off, t = int(self.i(0, 7 * m, (1,))), self.t.long()[0]
        phase, day = (t + off) % m, ((t + off) // m) % 7
        work, rest, own = self.profile(m), self.profile(m), self.profile(7 * m)
        like = self.u(.2, 1)
        rest = like * work + (1 - like) * rest - self.lu(.05, 2) * self.sign()
        restdays = self.i(0, 3)
        x = torch.where(day[None] >= 7 - restdays, rest[:, phase], work[:, phase]) + own[:, (t + off) % (7 * m)] * self.lu(.02, .6)
        x = x * (1 + .3 * unit(self.smooth(self.lu(3 * m, 60 * m))) * self.sometimes(.6))
        x = x + unit(self.ar1(torch.exp(-1 / self.lu(2, 6 * m)))) * self.lu(.05, 1.2)
        x = x + unit(self.smooth(self.lu(2 * m, 90 * m))) * self.lu(.05, 2) + self.noise() * self.lu(.02, .4)
        k = self.p()
        if k < .35:
            return torch.exp(unit(x) * self.lu(.05, .9))
        if k < .5:
            return torch.clamp(unit(x) + self.u(-.8, .8), min=0)       # nothing by night: sun, traffic, visits
        return x

    def gaussian_process(self, m):
        def kernel():
            k = self.p()
            if k < .35:
                return unit(self.smooth(self.lu(3, 600)))
            if k < .6:
                return unit(self.waves(float(max(m, 2)) if m > 1 else self.lu(4, 200), int(self.i(1, 6, (1,)))))
            if k < .75:
                return unit(self.waves(self.lu(5, 500)))
            if k < .85:
                return unit(self.ar1(torch.exp(-1 / self.lu(2, 100))))
            return unit(torch.cumsum(self.n(), 1)) if k < .93 else unit(self.trend())
        x = kernel()
        for _ in range(int(self.i(0, 4, (1,)))):
            y = kernel()
            x = unit(x * (1 + y * self.u(.2, 1))) if self.p() < .35 else x + y * self.lu(.2, 3)
        return x + self.n() * torch.where(self.u() < .3, torch.full((self.B, 1), 1e-3, device=self.device), self.lu(.02, 1))

    def arima(self, m):
        theta = 2 * math.pi / self.lu(4, 40) if self.p() < .4 else self.u(.05, math.pi - .05)
        e = self.n() if self.p() < .7 else self.student(4)
        ma = self.u(-.8, .8) * self.sometimes(.5)
        e = torch.cat([e[:, :1], e[:, 1:] + ma * e[:, :-1]], 1)
        x = torch.where(self.u() < .6, self.ar2(1 - self.lu(.005, .6), theta, e), self.ar1(self.u(-.6, .98), e))
        if self.p() < .5:
            x = self.ar1(self.u(-.6, .9), x)
        x = unit(x)
        if m > 1 and self.p() < .7:
            phi = torch.where(self.u() < .5, torch.ones(self.B, 1, device=self.device), self.u(.3, .99))
            first = torch.nn.functional.pad(self.n(self.B, m) * self.lu(.3, 8), (0, max(0, self.T - m)))[:, :self.T]
            impulse = torch.where(self.t % m == 0, phi ** (self.t / m), torch.zeros_like(phi))
            x = self.filter(x + first, impulse)
        d = self.p()
        if d < .35:
            x = torch.cumsum(x + self.n(self.B, 1) * self.lu(.01, .4), 1)
        elif d < .42:
            x = torch.cumsum(torch.cumsum(unit(x), 1), 1)
        return torch.where(self.u() < .3, torch.exp(unit(x) * self.lu(.1, 1.3)), x)

    def diffusion(self, m):
        k = self.p()
        if k < .3:                                   # geometric Brownian motion with jumps and stochastic volatility
            v = torch.exp(self.ar1(torch.full((self.B, 1), .98, device=self.device)) * self.lu(.01, .15)) * self.lu(.003, .04)
            jumps = (self.u(size=(self.B, self.T)) < .006) * self.n() * v * 8 * self.sometimes(.4)
            return torch.exp(torch.cumsum(v * self.n() + jumps + self.n(self.B, 1) * .001, 1).clamp(-8, 8))
        theta, mean = self.lu(.005, .4), torch.zeros(self.B, self.T, device=self.device)
        if k < .6:                                   # mean reversion to a level that switches
            mean = self.steps(self.lu(.001, .02), 3.)
        elif k < .85:
            mean = self.season(m) * 2 if m > 1 else self.smooth(self.lu(20, 400)) * 2
        return self.ar1(1 - theta, theta * mean + self.lu(.05, .5) * self.n())

    def steps(self, rate, height, walk=False):
        which = torch.cumsum((self.u(size=(self.B, self.T)) < rate).long(), 1).clamp(max=199)
        levels = self.n(self.B, 200) * height
        return torch.gather(torch.cumsum(levels, 1) if walk else levels, 1, which)

    def shapes(self, m):
        k, o = self.p(), self.i(0, 400)
        period = torch.full((self.B, 1), float(m), device=self.device) if m > 2 and self.p() < .6 else torch.round(self.lu(4, 160))
        f = ((self.t + o) % period) / period
        if k < .2:
            x = f * self.sign()
        elif k < .35:
            x = (f < self.u(.1, .9)).float()
        elif k < .5:
            x = (f - .5).abs() * 2
        elif k < .65:
            x = torch.exp(-.5 * ((f - .5) / self.u(.01, .1)) ** 2) * (1 + .3 * self.n())
        elif k < .8:
            x = self.steps(self.lu(.003, .05), 1., self.p() < .5)
        else:                                        # bursts that die away
            kicks = (self.u(size=(self.B, self.T)) < self.lu(.005, .06)) * -torch.log(self.u(1e-6, 1, (self.B, self.T)))
            x = self.ar1(self.u(.6, .97), kicks)
        x = unit(x) * self.lu(.5, 3)
        return x + self.trend() * .7 * self.sometimes(.5) + self.n() * self.lu(.02, .6) * self.sometimes(.7)

    def counts(self, m):
        rate = unit(self.season(m) + .5 * self.smooth(self.lu(20, 300)) + .3 * self.trend()) * self.u(.05, 1.)
        rate = (torch.exp(rate) * self.lu(.1, 60)).clamp(max=1e4)
        k = self.p()
        if k < .4:
            return torch.poisson(rate, generator=self.g)
        if k < .75:                                  # negative binomial: Poisson of a gamma-like (chi-square) rate
            df = int(self.i(1, 9, (1,)))
            return torch.poisson(rate * sum(self.n() ** 2 for _ in range(df)) / df, generator=self.g)
        size = torch.ceil(-torch.log(self.u(1e-6, 1, (self.B, self.T)) * self.u(1e-6, 1, (self.B, self.T))) * rate)
        return (self.u(size=(self.B, self.T)) < self.u(.05, .7)) * size

    def growth(self, m):
        """Log random walks with drift, as economies give: steady or broken drift, seasons, errors of measurement."""
        mu = self.lu(.0005, .06) * torch.where(self.u() < .85, 1., -1.)
        drift = mu.expand(self.B, self.T)
        broken = (self.t >= self.i(0, self.T)) & (self.u() < .35)
        drift = torch.where(broken, drift * self.u(-.5, 2), drift)
        if self.p() < .55:
            phi = 1 - self.lu(.004, .5)
            drift = drift + self.ar1(phi) * torch.sqrt(1 - phi * phi) * self.lu(.0005, .02)
        e = self.n() if self.p() < .7 else self.student(4) * .7
        if self.p() < .5:
            e = torch.cat([e[:, :1], e[:, 1:] + self.u(-.3, .7) * e[:, :-1]], 1)
        x = torch.cumsum(drift + mu.abs() * self.lu(.05, 6) * e, 1)
        if m > 1:
            x = x + self.season(m) * mu.abs() * m * self.lu(.05, 3) * self.sometimes(.7)
        x = x + self.n() * mu.abs() * self.lu(.05, 3) * self.sometimes(.4)
        x = (x - x[:, :1]).clamp(-12, 12)
        return torch.where(self.u() < .75, torch.exp(x), x)

    # -- whole series -----------------------------------------------------------------------------------------------
    def one(self, m, T):
        """[B, T] of one family; years, quarters and months lean to growth, short series to arima, days to load."""
        names = ['structural', 'gaussian_process', 'arima', 'diffusion', 'shapes', 'counts', 'growth', 'load']
        w = [.33, .13, .18, .10, .05, .07, .10, .04]
        if m in (1, 4, 12, 13, 52):
            w[6] = .2
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

    def batch(self, B, L, H, rows=16):
        """A batch of B series from B / rows groups of one period and family each."""
        parts = [self.group(rows, L, H) for _ in range(max(1, B // rows))]
        return [torch.cat([part[i] for part in parts]) for i in range(4)]


def unit(x):
    return (x - x.mean(1, keepdim=True)) / (x.std(1, keepdim=True) + 1e-6)
