"""The numbers that relevance.test.ts expects, computed a second time from the words of docs/series.md with numpy alone.

    python reference.py        # made with Python 3.11, numpy 2.4.6
"""
import math
import pathlib
import re

import numpy as np

EXTRACTS = (pathlib.Path(__file__).parent / '../series/extracts.ts').read_text()


def extract(name):
    return np.array(re.search(rf'const {name} = .*?`(.*?)`', EXTRACTS, re.S)[1].split(), float)


def lag(values, steps):
    return np.concatenate([np.full(steps, np.nan), values[:len(values) - steps]])


def baseline(y, horizon, season):
    n = len(y)
    lags = min(max(n // 25, 1), 6)
    t = np.arange(n)
    columns = [np.ones(n), t.astype(float)] + [lag(y, k) for k in range(horizon, horizon + lags)]
    if season:
        naive = season * math.ceil(horizon / season)
        if naive >= horizon + lags:
            columns.append(lag(y, naive))
        for k in range(1, min(max(n // 30, 1), 3, season // 2) + 1):
            columns.append(np.cos(2 * np.pi * k * t / season))
            if 2 * k != season:
                columns.append(np.sin(2 * np.pi * k * t / season))
    return columns


def fit(columns, y):
    return np.linalg.lstsq(columns, y, rcond=None)[0]


def rss(columns, y):
    return float(np.sum((y - columns @ fit(columns, y)) ** 2))


def blocks(steps, horizon):
    n = len(steps)
    start = math.ceil(n / 2)
    edges = [start + b * (n - start) // 5 for b in range(6)]
    for first, last in zip(edges, edges[1:]):
        yield sum(1 for i in range(first) if steps[i] <= steps[first] - horizon), first, last


def error_alone(y, horizon, season):
    rows = np.column_stack([y] + baseline(y, horizon, season))
    keep = ~np.isnan(rows).any(1)
    y, base = rows[keep, 0], rows[keep, 1:]
    return np.mean(np.concatenate([
        abs(y[first:last] - base[first:last] @ fit(base[:known], y[:known]))
        for known, first, last in blocks(np.flatnonzero(keep), horizon)]))


def relevance(y, x, horizon, season):
    key_lags = min(max(len(y) // 10, 3), 24)
    if season:
        x = x - np.array([np.mean(x[i % season::season]) for i in range(len(x))])
    levels = [lag(x, horizon + k) for k in range(key_lags + 1)]
    base = baseline(y, horizon, season)
    rows = np.column_stack([y] + base + levels)
    keep = ~np.isnan(rows).any(1)
    y, base, levels = rows[keep, 0], rows[keep, 1:len(base) + 1], rows[keep, len(base) + 1:]
    terms = np.column_stack([levels[:, :-1], levels[:, :-1] - levels[:, 1:]])
    before, after, better = [], [], 0
    for known, first, last in blocks(np.flatnonzero(keep), horizon):
        columns, worth = base, known / horizon
        for _ in range(3):
            sums = [rss(np.column_stack([columns[:known], term[:known]]), y[:known]) for term in terms.T]
            gain = worth * math.log(rss(columns[:known], y[:known]) / min(sums))
            if gain <= math.log(worth) + 2 * math.log(terms.shape[1]):
                break
            columns = np.column_stack([columns, terms[:, int(np.argmin(sums))]])
        without = abs(y[first:last] - base[first:last] @ fit(base[:known], y[:known]))
        with_key = abs(y[first:last] - columns[first:last] @ fit(columns[:known], y[:known]))
        better += np.mean(without) > np.mean(with_key)
        before, after = before + list(without), after + list(with_key)
    falls = np.array(before) - np.array(after)
    n, lift = len(falls), np.mean(falls) / np.mean(before)
    width, apart = max(horizon - 1, math.floor(4 * (n / 100) ** (2 / 9))), falls - falls.mean()
    variance = sum((2 - (l == 0)) * (1 - l / (width + 1)) * np.sum(apart[l:] * apart[:n - l]) for l in range(width + 1)) / n ** 2
    squared = falls.mean() ** 2 / variance if lift > 0 else 0
    shrunk = lift * (1 - 2 / squared) if squared > 2 else 0
    full = [rss(np.column_stack([base, term]), y) for term in terms.T]
    return dict(lift=float(lift), relevance=float(1 - (1 - shrunk) ** 2), stable=bool(better >= 3), best=int(np.argmin(full)))


if __name__ == '__main__':
    pump, port, starts, sales = map(extract, ['gasoline', 'harbour', 'houses', 'webSales'])
    alone = [(pump, 1, None), (pump, 3, None), (starts, 1, 12), (starts, 14, 12), (starts[:70], 2, 12), (sales, 1, 4)]
    for y, horizon, season in alone:
        print(float(error_alone(y, horizon, season)))
    foreseen = np.append(starts[1:], starts[0]) + 10 * np.sin(np.arange(120) ** 2)
    far = np.append(starts[6:], starts[:6]) + 10 * np.sin(np.arange(120) ** 2)
    for y, x, horizon, season in [(pump, port, 1, None), (pump, port, 2, None), (starts, foreseen, 1, 12), (starts, far, 6, 12)]:
        print(relevance(y, x, horizon, season))
