"""The families of processes that synthetic series come from; each method gives series [B, T] of one period."""
import math

import torch

from components import Components, unit

DAILY = (24, 48, 96, 144, 288, 480)          # periods of one day, over which a week lies


class Families(Components):
    def structural(self, m):
        level = self.local_trend()
        if self.p() < .45:
            level = self.trend() * self.lu(.3, 6) + .3 * level * self.sometimes(.5)
        s = self.season(m) * self.lu(.2, 6) * self.sometimes(.5 if m in (52, 5) else .85)
        if m in DAILY and self.p() < .75:
            s = self.weekly(s, m)
        if m == 7 and self.p() < .5:
            s = s + self.waves(365.25) * self.lu(.3, 5)
        x = level + s + self.noise() * self.lu(.02, 2.5)
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

    def steady(self, m):
        """A level that returns: seasons, and deviations that fade within hours to weeks, as weather, traffic and demand have them."""
        s = self.season(m) * self.lu(.2, 4) * self.sometimes(.9)
        if m in DAILY and self.p() < .6:
            s = self.weekly(s, m)
        if m == 7 and self.p() < .5:
            s = s + self.waves(365.25) * self.lu(.3, 3)
        x = s + unit(self.ar1(torch.exp(-1 / self.lu(.1 * m, 10 * m)))) * self.lu(.05, 2) + self.noise() * self.lu(.02, .8)
        x = x + unit(self.smooth(self.lu(20 * m, 200 * m))) * self.lu(.05, .8) * self.sometimes(.5)
        return torch.where(self.u() < .4, torch.exp(unit(x) * self.lu(.05, 1.5)), x)

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
        short = m == 1 and self.T <= 256               # years: a step is a long time
        mu = self.lu(*(.003, .12) if short else (.0005, .06)) * torch.where(self.u() < .85, 1., -1.)
        drift = mu.expand(self.B, self.T)
        broken = (self.t >= self.i(0, self.T)) & (self.u() < .35)
        drift = torch.where(broken, drift * self.u(-.5, 2), drift)
        pace, long = self.u(), self.lu(.2 * self.T, 3 * self.T)            # growth that tires, or gathers
        drift = drift * torch.where(pace < .2, torch.exp(-self.t / long), torch.where(pace > .75, torch.exp((self.t - self.T) / long), 1.))
        if self.p() < .55:
            phi = 1 - self.lu(.004, .5)
            drift = drift + self.ar1(phi) * torch.sqrt(1 - phi * phi) * self.lu(.0005, .02)
        e = self.n() if self.p() < .7 else self.student(4) * .7
        if self.p() < .5:
            e = torch.cat([e[:, :1], e[:, 1:] + self.u(-.3, .7) * e[:, :-1]], 1)
        x = torch.cumsum(drift + mu.abs() * self.lu(.05, 6) * e, 1)
        if m > 1:
            swing = torch.where(self.u() < .5, mu.abs() * m * self.lu(.05, 3), self.lu(.02, .6))
            x = x + self.season(m) * swing * self.sometimes(.8)
        x = x + self.n() * mu.abs() * self.lu(.05, 3) * self.sometimes(.4)
        x = (x - x[:, :1]).clamp(-12, 12)
        return torch.where(self.u() < .75, torch.exp(x), x)

    def market(self, m):
        """
        Prices, rates and indices as they are published: means over a step of what moves all the time, so that a step goes on into
        the next one (Working 1960); large moves come in clusters, growth in waves, seasons are small or taken out.
        """
        wave = unit(self.ar1(self.u(.6, .98))) * self.lu(.1, 2) * self.sometimes(.6)
        wild = torch.exp(.5 * unit(self.ar1(self.u(.8, .99))) * self.u(0, 1.5))
        steps = wave + (self.student(3) * .7 if self.p() < .6 else self.n()) * wild
        share = self.u(.0, .55)
        steps = torch.cat([steps[:, :1], (1 - share) * steps[:, 1:] + share * steps[:, :-1]], 1)
        steps = unit(steps) + self.slope() * self.lu(.02, 1.2) * self.sometimes(.6)
        back = torch.where(self.u() < .7, torch.ones(self.B, 1, device=self.device), 1 - self.lu(.003, .15))
        x = self.ar1(back, steps) + self.season(m) * self.lu(.05, 2) * self.sometimes(.4)
        return torch.where(self.u() < .6, torch.exp((x * self.lu(.003, .08)).clamp(-12, 12)), x)

    def saturation(self, m):
        """What fills up: logistic, Gompertz or exponential approach to a ceiling, met before, on or after its bend; or its decline."""
        rate = self.lu(4, 80) / self.L
        past = (self.t - self.L) * rate + self.u(-3, 9)                    # from the bend, in units of the curve's own time
        kind = self.u()
        curve = torch.where(kind < .4, torch.sigmoid(past), torch.where(kind < .7, torch.exp(-torch.exp(-past.clamp(min=-20))),
                                                                        -torch.expm1(-past.clamp(min=0))))
        curve = torch.where(self.u() < .2, 1 - curve, curve) + self.u(0, .6) * self.sometimes(.5)
        noise = self.noise() * self.lu(.002, .08)
        x = curve + torch.where(self.u() < .5, noise, noise * curve) + self.local_trend() * self.lu(.001, .01) * self.sometimes(.3)
        if m > 1:
            x = x * torch.exp(self.season(m) * self.lu(.01, .3) * self.sometimes(.6))
        return x

    def sparse(self, m):
        """Intermittent demand: mostly nothing, at a rate that keeps or slowly changes; pieces, or packs of some."""
        rate = self.lu(.01, 3)
        wander = unit(self.smooth(self.lu(30, 600))) * self.u(0, .8) * self.sometimes(.4)
        ends = -torch.clamp(self.t - self.u(.2, 1.5) * self.L, min=0) * self.lu(.002, .05) * self.sometimes(.15)
        rate = rate * torch.exp(wander + ends + unit(self.season(m) + 1e-3 * self.n()) * self.u(0, .8) * self.sometimes(.4))
        k = self.p()
        if k < .35:
            return torch.poisson(rate, generator=self.g)
        if k < .6:
            df = int(self.i(1, 5, (1,)))
            return torch.poisson(rate * sum(self.n() ** 2 for _ in range(df)) / df, generator=self.g)
        pack = torch.where(self.u() < .5, 1., torch.ceil(self.lu(1, 50)))
        size = torch.ceil(-torch.log(self.u(1e-6, 1, (self.B, self.T))) * self.lu(.2, 8))
        return (self.u(size=(self.B, self.T)) < rate.clamp(max=.9)) * size * pack

    def still(self, m):
        """What is set by hand and stays: prices, rates, settings; moved now and then, some between two values, some never."""
        rate = self.lu(.02, 6) / self.L * self.sometimes(.9)
        height = self.lu(.005, .6) * self.sign()
        moves = (self.u(size=(self.B, self.T)) < rate).float()
        walk = torch.cumsum(moves * (self.n() * .7 + height.sign() * self.sometimes(.6)), 1) * height.abs()
        both = (torch.cumsum(moves, 1) % 2) * height
        x = torch.where(self.u() < .75, walk, both)
        x = torch.where(self.u() < .5, torch.round(x * 20) / 20, x)
        return x + self.sometimes(.9) + self.noise() * 10 ** self.u(-5, -2) * self.sometimes(.15)
