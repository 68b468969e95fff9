"""
Other people's forecasters for bench/forecast.ts. Says {"versions": {method: version}} of what is installed, then answers
requests, one a line: {method, context, period, horizon} -> {ms, quantiles} (horizon x 9, row by row) or {error}. One thread;
milliseconds, and the limit of five minutes, are of the processor's time, so that they are the same on a busy machine.

theta, ets and arima are statsforecast's AutoTheta, AutoETS and AutoARIMA, as they come, but for the following.
- Gaps are filled by straight lines; only the newest 2,048 values are read, by arima 1,024.
- A season of more than 24 steps, which AutoETS does not have and AutoARIMA takes very long for: MSTL takes it off, and ets or
  arima without season forecasts what is left, as stlf of R's forecast does. Theta takes any season.
- arima approximates where R's auto.arima does: more than 150 values, or seasons of more than 12 steps.
The quantiles are the mean for the median, and the borders of the 20, 40, 60 and 80% intervals.
fracast gives its own nine quantiles, read from its newest 2,048 values.
"""
import importlib.util
import json
import os
import signal
import sys
import time
import warnings
from importlib import metadata

for name in ('OMP_NUM_THREADS', 'OPENBLAS_NUM_THREADS', 'MKL_NUM_THREADS', 'NUMEXPR_NUM_THREADS'):
    os.environ[name] = '1'
warnings.simplefilter('ignore')

import numpy as np  # noqa: E402 - the threads are set before it is loaded

NEWEST, NEWEST_ARIMA, LONGEST_SEASON, SECONDS = 2048, 1024, 24, 300
BANDS = (20, 40, 60, 80)
# Raised when something of the above changes, so that kept forecasts are made again.
EDITION = '1'


def whole(context, newest):
    values = np.array([np.nan if x is None else x for x in context], dtype=float)[-newest:]
    known = np.flatnonzero(np.isfinite(values))
    return np.interp(np.arange(len(values)), known, values[known])


def statistical(make, newest=NEWEST):
    def forecast(context, period, horizon):
        values = whole(context, newest)
        season = period if len(values) > 2 * period else 1
        said = make(season, values).forecast(y=values, h=horizon, level=list(BANDS))
        columns = [said[f'lo-{band}'] for band in reversed(BANDS)] + [said['mean']] + [said[f'hi-{band}'] for band in BANDS]
        return np.column_stack([np.asarray(column, dtype=float) for column in columns])
    return forecast


def theta(season, _values):
    from statsforecast.models import AutoTheta
    return AutoTheta(season_length=season)


def ets(season, _values):
    from statsforecast.models import MSTL, AutoETS
    if season > LONGEST_SEASON:
        return MSTL(season_length=season, trend_forecaster=AutoETS(model='ZZN'))
    return AutoETS(season_length=season)


def arima(season, values):
    from statsforecast.models import MSTL, AutoARIMA
    if season > LONGEST_SEASON:
        return MSTL(season_length=season, trend_forecaster=AutoARIMA(approximation=len(values) > 150))
    return AutoARIMA(season_length=season, approximation=len(values) > 150 or season > 12)


def fracast():
    import torch
    from fracast import FracastModel
    torch.set_num_threads(1)
    model = FracastModel.from_pretrained(weights='fp32')

    def forecast(context, _period, horizon):
        values = np.array([np.nan if x is None else x for x in context[-NEWEST:]], dtype=float)
        middle = np.nanmean(values)  # it counts in float32: what is far from 0 would lose its last digits
        return np.sort(model.forecast(values - middle, horizon=horizon).astype(float), axis=1) + middle
    return forecast


# method -> (package, what makes its forecaster)
METHODS = {
    'theta': ('statsforecast', lambda: statistical(theta)),
    'ets': ('statsforecast', lambda: statistical(ets)),
    'arima': ('statsforecast', lambda: statistical(arima, NEWEST_ARIMA)),
    'fracast': ('fracast', fracast),
}


def late(_signal, _frame):
    raise TimeoutError(f'more than {SECONDS} s of the processor')


def answer(made, method, context, period, horizon):
    if method not in made:
        made[method] = METHODS[method][1]()
        made[method]([float(i % 7 + i / 9) for i in range(60)], 7, 8)  # what is loaded or compiled first is no part of the time
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        begin = time.process_time()
        quantiles = made[method](context, period, horizon)
        took = time.process_time() - begin
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    if quantiles.shape != (horizon, 9) or not np.isfinite(quantiles).all():
        raise ValueError('no finite quantiles')
    return dict(ms=took * 1000, quantiles=[float(f'{x:.8g}') for x in quantiles.ravel()])


def main():
    signal.signal(signal.SIGVTALRM, late)
    out, made = sys.stdout, {}
    sys.stdout = sys.stderr  # what packages print is no answer
    versions = {name: f'{package}-{metadata.version(package)}-{EDITION}' for name, (package, _) in METHODS.items()
                if importlib.util.find_spec(package)}
    print(json.dumps(dict(versions=versions)), file=out, flush=True)
    for line in sys.stdin:
        try:
            said = answer(made, **json.loads(line))
        except Exception as error:  # noqa: BLE001 - whatever a package fails with, the next series has its turn
            said = dict(error=f'{type(error).__name__}: {error}')
        print(json.dumps(said), file=out, flush=True)


if __name__ == '__main__':
    main()
