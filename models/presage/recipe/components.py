"""What synthetic series are made of: randomness, filters, seasons, trends and noises, in batches on any torch device.

Linear filters by FFT with the impulse response in closed form, periodic profiles, random features of Gaussian processes; nothing
loops over time, so a GPU makes them as readily as a CPU.
"""
import math

import torch


class Components:
    """The generator's state: a seeded source, a device, the number of rows B and of steps T of the call under way."""

    def __init__(self, seed, device='cpu'):
        self.g = torch.Generator(device=device).manual_seed(seed)
        self.device, self.up, self.unsure = device, .5, .2           # how often a trend rises, and surprises

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

    def slope(self):
        """Size of a trend, standard normal but for its sign: `up` of them rise."""
        return self.n(self.B, 1).abs() * (self.sometimes(self.up) * 2 - 1)

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
        line = (t - c) * self.slope() * 3
        broken = line + torch.clamp(t - self.u(.1, 1), min=0) * self.n(self.B, 1) * 6
        g = self.lu(.5, 8) * (self.sometimes(self.up) * 2 - 1)
        growth = torch.expm1((g * t).clamp(-6, 6)) / torch.expm1(g.clamp(-6, 6)).abs().clamp(min=1e-3) * 2.5
        logistic = 3 * torch.sigmoid((t - c) * self.lu(4, 60)) * (self.sometimes(self.up) * 2 - 1)
        return torch.where(kind < .4, line, torch.where(kind < .6, broken, torch.where(kind < .8, growth, logistic)))

    def local_trend(self):
        """Random-walk level with a damped or undamped random slope (the state space of exponential smoothing)."""
        level = self.lu(.02, 1) * self.sometimes(.8)
        slope = self.lu(.001, .1) * self.sometimes(.5)
        phi = torch.where(self.u() < .4, torch.ones(self.B, 1, device=self.device), self.u(.8, .995))
        drift = self.slope() * self.lu(.002, .3) * self.sometimes(.6)
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


def unit(x):
    return (x - x.mean(1, keepdim=True)) / (x.std(1, keepdim=True) + 1e-6)
