"""The numbers that trees.test.ts expects: the losses of LightGBM on the held-out rows of the tables of tables.ts, which are made
here by the same draws.

    pip install lightgbm numpy && python reference.py        # made with Python 3.11, lightgbm 4.7.0, numpy 2.4.6
"""
import math

import numpy as np

M = 0xFFFFFFFF


def imul(a, b):
    return (a * b) & M


def generator(seed):
    state = seed

    def following():
        nonlocal state
        state = (state + 0x6D2B79F5) & M
        mixed = imul(state ^ (state >> 15), state | 1)
        mixed ^= (mixed + imul(mixed ^ (mixed >> 7), mixed | 61)) & M
        return (mixed ^ (mixed >> 14)) / 2**32
    return following


def noise(following):
    return sum(following() for _ in range(12)) - 6


def friedman(f):
    x = [f() for _ in range(10)]
    y = 10 * math.sin(math.pi * x[0] * x[1]) + 20 * (x[2] - .5) ** 2 + 10 * x[3] + 5 * x[4] + noise(f)
    return [*x, y]


def missing(f):
    x = [f() for _ in range(4)]
    gone = f() < .2
    y = 4 * x[0] + 3 * x[1] * x[2] + (3 if gone else 0) + (.2 + 2 * x[3]) * noise(f)
    return [math.nan if f() < .2 else x[0], x[1], x[2], math.nan if gone else x[3], y]


def calendar(f):
    hour, day, level = int(24 * f()), int(7 * f()), 5 + int(20 * f())
    mean = level * (1 + .5 * math.sin(hour * math.pi / 12)) * (.5 if day > 4 else 1)
    return [hour, day, level, 7, 1 if f() < .05 else 0, math.floor(mean + .3 * mean * noise(f) + .5)]


def main():
    import lightgbm
    print('lightgbm', lightgbm.__version__, 'numpy', np.__version__)
    for name, seed, make in (('friedman', 11, friedman), ('missing', 12, missing), ('calendar', 13, calendar)):
        following = generator(seed)
        rows = np.array([make(following) for _ in range(2000)])
        x, y = rows[:, :-1], rows[:, -1]
        losses = []
        for level in (.1, .5, .9):
            parameters = dict(objective='quantile', alpha=level, num_leaves=15, min_data_in_leaf=20, learning_rate=.1, lambda_l2=1,
                              max_bin=255, min_data_in_bin=1, num_threads=1, deterministic=True, verbose=-1)
            model = lightgbm.train(parameters, lightgbm.Dataset(x[:1500], y[:1500]), 100)
            residual = y[1500:] - model.predict(x[1500:])
            losses.append(float(np.mean(np.maximum(level * residual, (level - 1) * residual))))
        parameters.update(objective='l2')
        squared = lightgbm.train(parameters, lightgbm.Dataset(x[:1500], y[:1500]), 100)
        print(name, losses, 'mse', float(np.mean((y[1500:] - squared.predict(x[1500:])) ** 2)))


if __name__ == '__main__':
    main()
