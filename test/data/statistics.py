"""
Writes statistics.json: what statsmodels and scipy say about real and made series, to hold Presage to.

    python -m venv .venv && .venv/bin/pip install numpy==2.4.6 scipy==1.17.1 statsmodels==0.15.0 mpmath==1.3.0
    .venv/bin/python test/data/statistics.py <folder of series> > test/data/statistics.json

The real series are monthly and quarterly series of the US Federal Reserve's FRED as Debian's gretl-data 2022c-1 has them
(one CSV file each, columns t and value), cut to their last points and to 7 digits. Calls:

    statsmodels.tsa.stattools.grangercausalitytests([effect, cause], maxlag)[lag][0]['ssr_ftest']
    statsmodels.tsa.stattools.adfuller(x, regression='c', autolag='AIC')
    statsmodels.stats.multitest.multipletests(p, method='fdr_bh')
    scipy.stats.pearsonr, scipy.stats.spearmanr
    mpmath.betainc(..., regularized=True), mpmath.ncdf: tail probabilities of F, t and the normal distribution at 60 digits
"""
import json
import pathlib
import sys
import warnings

import mpmath
import numpy as np
import scipy
import statsmodels
from scipy import stats
from statsmodels.stats.multitest import multipletests
from statsmodels.tsa.stattools import adfuller, grangercausalitytests

warnings.simplefilter('ignore')
folder = pathlib.Path(sys.argv[1])
rng = np.random.default_rng(20240229)
series = {}


def real(name, points):
    values = np.genfromtxt(folder / f'gretl_data_fedstl_{name}.csv', delimiter=',', skip_header=1, usecols=1)
    series[name] = np.array([float(f'{x:.7g}') for x in values[~np.isnan(values)][-points:]])


for name in ['indpro', 'oilprice', 'm1sl', 'houst', 'houstnsa', 'unratensa', 'cpiaucsl', 'cpiaucns', 'paynsa', 'mich']:
    real(name, 160)
for name in ['mcoilbrenteu', 'mcoilwtico', 'mgasnyh', 'mhoilnyh', 'gasregm']:
    real(name, 120)
for name in ['gpdic1', 'pcecc96', 'netexp']:
    real(name, 70)
# Their ends lie at different months: paired by place, which is all that the mathematics need


def made(name, values):
    series[name] = np.array([float(f'{x:.9g}') for x in values])


noise = rng.standard_normal((160, 3))
made('noise_a', noise[:, 0])
made('noise_b', noise[:, 1])
made('walk_a', np.cumsum(rng.standard_normal(160)))
made('walk_b', np.cumsum(rng.standard_normal(160)))
made('trend', 3 + 0.5 * np.arange(160) + rng.standard_normal(160))
made('quadratic', 0.01 * np.arange(160) ** 2 + rng.standard_normal(160))
lead = rng.standard_normal(160)
made('lead', lead)
made('follows_2', np.r_[0, 0, lead[:-2]] * 0.8 + 0.3 * rng.standard_normal(160))
made('follows_close', np.r_[0, lead[:-1]] + 1e-4 * rng.standard_normal(160))
made('counts', rng.poisson(0.7, 160))
made('spikes', np.where(rng.random(160) < 0.06, rng.exponential(10, 160), 0))
made('large', 1e6 * (5 + 0.01 * np.cumsum(rng.standard_normal(160))))
made('small', 1e-3 * rng.standard_normal(160))
made('steps', np.repeat(rng.integers(0, 6, 32), 5))
made('season', 10 * np.sin(np.arange(160) * np.pi / 6) + rng.standard_normal(160))
made('smooth', np.convolve(rng.standard_normal(180), np.hanning(21) / 10, 'valid'))
made('short', rng.standard_normal(12))
made('short_too', rng.standard_normal(12))


def granger(effect, cause, maxlag):
    x, y = series[effect], series[cause]
    n = min(len(x), len(y))
    answer = grangercausalitytests(np.column_stack([x[-n:], y[-n:]]), maxlag)
    tests = [answer[lag][0]['ssr_ftest'] for lag in range(1, maxlag + 1)]
    return {'effect': effect, 'cause': cause, 'maxlag': maxlag, 'f': [float(t[0]) for t in tests], 'p': [float(t[1]) for t in tests]}


def correlation(a, b):
    x, y = series[a], series[b]
    n = min(len(x), len(y))
    r, rho = stats.pearsonr(x[-n:], y[-n:]), stats.spearmanr(x[-n:], y[-n:])
    return {'a': a, 'b': b, 'n': n, 'pearson': [float(r.statistic), float(r.pvalue)], 'spearman': [float(rho.statistic), float(rho.pvalue)]}


def unit_root(name):
    statistic, p, lags, rows = adfuller(series[name], regression='c', autolag='AIC')[:4]
    return {'series': name, 'statistic': float(statistic), 'p': float(p), 'lags': int(lags), 'rows': int(rows)}


mpmath.mp.dps = 60


def f_tail(f, d1, d2):
    f, a, b = mpmath.mpf(f), mpmath.mpf(d2) / 2, mpmath.mpf(d1) / 2
    return float(mpmath.betainc(a, b, 0, d2 / (d2 + d1 * f), regularized=True))


def t_tail(t, degrees):
    t = mpmath.mpf(t)
    return float(mpmath.betainc(mpmath.mpf(degrees) / 2, mpmath.mpf(1) / 2, 0, degrees / (degrees + t * t), regularized=True))


f_cases = [(0, 1, 10), (1e-12, 1, 5), (1e-6, 3, 50), (0.5, 1, 1), (1, 2, 3), (1, 15, 15), (2.5, 5, 234), (4, 1, 100), (10, 15, 4),
           (30, 5, 234), (700, 5, 234), (1400, 4, 240), (1e5, 1, 50), (1e12, 2, 30), (1.1, 15, 20000), (90, 15, 20000),
           (1.001, 300, 19000), (1e4, 1, 1), (0.3, 7, 1e6), (60, 15, 1e6)]
t_cases = [(0, 5), (1e-9, 7), (0.5, 1), (-1.96, 30), (2, 1000), (8, 12), (45, 200), (1e6, 3), (35, 5000), (-12, 1e6)]
z_cases = [0, 1e-10, 0.5, -0.5, 1.959963984540054, -2.999, -3.001, 3.5, -5, -8, -20, -36, 6, 9]

sets = [list(map(float, rng.random(50))), list(map(float, rng.random(200) ** 6)), [0.01] * 7, [0.0, 1e-300, 1e-200, 0.04, 0.05, 1.0, 1.0],
        [0.049], list(map(float, np.r_[rng.random(30), rng.random(10) * 1e-5]))]

cases = {
    'versions': {'python': sys.version.split()[0], 'numpy': np.__version__, 'scipy': scipy.__version__,
                 'statsmodels': statsmodels.__version__, 'mpmath': mpmath.__version__},
    'series': None,
    'granger': [granger(*case) for case in [
        ('indpro', 'oilprice', 6), ('oilprice', 'indpro', 6), ('houst', 'unratensa', 12), ('unratensa', 'houst', 12),
        ('mgasnyh', 'mcoilbrenteu', 5), ('mcoilbrenteu', 'mgasnyh', 5), ('mcoilwtico', 'mcoilbrenteu', 4), ('gasregm', 'mgasnyh', 8),
        ('mhoilnyh', 'gasregm', 3), ('cpiaucsl', 'm1sl', 4), ('m1sl', 'cpiaucsl', 4), ('cpiaucns', 'cpiaucsl', 15),
        ('paynsa', 'houstnsa', 15), ('mich', 'oilprice', 2), ('pcecc96', 'gpdic1', 4), ('gpdic1', 'netexp', 15),
        ('noise_a', 'noise_b', 10), ('noise_b', 'noise_a', 1), ('walk_a', 'walk_b', 5), ('walk_b', 'trend', 5), ('trend', 'quadratic', 5),
        ('quadratic', 'trend', 3), ('follows_2', 'lead', 8), ('lead', 'follows_2', 8), ('follows_close', 'lead', 1),
        ('follows_close', 'lead', 3), ('counts', 'spikes', 5), ('spikes', 'counts', 5), ('large', 'small', 6), ('small', 'large', 6),
        ('steps', 'season', 5), ('season', 'steps', 12), ('smooth', 'noise_a', 4), ('noise_a', 'smooth', 4), ('short', 'short_too', 3),
    ]],
    'adfuller': [unit_root(name) for name in series],
    'correlation': [correlation(*case) for case in [
        ('indpro', 'oilprice'), ('houst', 'unratensa'), ('mgasnyh', 'mcoilbrenteu'), ('mcoilwtico', 'mcoilbrenteu'), ('cpiaucsl', 'm1sl'),
        ('cpiaucns', 'cpiaucsl'), ('gpdic1', 'netexp'), ('noise_a', 'noise_b'), ('walk_a', 'walk_b'), ('trend', 'quadratic'),
        ('follows_2', 'lead'), ('counts', 'spikes'), ('large', 'small'), ('steps', 'season'), ('steps', 'counts'), ('spikes', 'spikes'),
        ('short', 'short_too'), ('mich', 'counts'),
    ]],
    'fdr_bh': [{'p': p, 'q': list(map(float, multipletests(p, method='fdr_bh')[1]))} for p in sets],
    'f_upper_tail': [[*case, f_tail(*case)] for case in f_cases],
    't_two_sided': [[*case, t_tail(*case)] for case in t_cases],
    'normal_lower_tail': [[z, float(mpmath.ncdf(mpmath.mpf(z)))] for z in z_cases],
}
cases['series'] = {name: list(map(float, values)) for name, values in series.items()}
print('{\n' + ',\n'.join(
    f'{json.dumps(key)}: ' + (json.dumps(value) if key == 'versions' else
                              '{\n' + ',\n'.join(f'{json.dumps(k)}: {json.dumps(v)}' for k, v in value.items()) + '\n}'
                              if isinstance(value, dict) else '[\n' + ',\n'.join(map(json.dumps, value)) + '\n]')
    for key, value in cases.items()) + '\n}')
