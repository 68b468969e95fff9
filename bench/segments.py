"""
The side of pandas in bench/segments.ts: reads a line of JSON (names, counts of points, features, text) and
the times and values of each signal as doubles from standard input, makes the same columns, and says its
version, the seconds that took, those of the processor, the most memory that the process held in MB, and the
sum of all values.
"""
import hashlib
import json
import resource
import sys
import time
import warnings

import numpy as np
import pandas as pd

warnings.simplefilter('ignore')
source = sys.stdin.buffer
head = json.loads(source.readline())
points = {}
for name, count in zip(head['names'], head['counts']):
    times = np.frombuffer(source.read(8 * count), dtype='<f8').astype('int64')
    points[name] = pd.Series(np.frombuffer(source.read(8 * count), dtype='<f8'), pd.to_datetime(times, unit='ms'))


def expression(text, d):
    if text.startswith('log'):
        return np.log(d['y'].abs()) + d['a'].shift(3) * 2
    abc = (d['a'], d['b'], d['c'])
    return np.maximum(np.maximum(abc[0], abc[1]), abc[2]) - np.minimum(np.minimum(abc[0], abc[1]), abc[2]) / 2


def columns_of(kind, p, d):
    if kind == 'lag':
        return [d[p['column']].shift(p['steps'])]
    if kind == 'diff':
        return [d[p['column']].diff(p['steps'])]
    if kind == 'rolling':
        return [getattr(d[p['column']].rolling(p['window']), p['fn'])()]
    if kind == 'ewm':
        column = d[p['column']]
        return [column.ewm(alpha=p['alpha'], adjust=False).mean().where(column.notna())]
    if kind == 'ratio':
        return [d[p['numerator']] / d[p['denominator']]]
    if kind == 'interaction':
        return [d[p['columns'][0]] * d[p['columns'][1]]]
    if kind == 'calendar':
        day = d['y'].index.day_of_week
        index = d['y'].index
        parts = {'hour': lambda: index.hour, 'day_of_week': lambda: day, 'day': lambda: index.day, 'month': lambda: index.month}
        found = parts[p['part']]() if p['part'] in parts else day >= 5
        return [pd.Series(np.asarray(found, dtype=float), index)]
    if kind == 'fourier':
        seconds = d['y'].index.as_unit('ns').asi8 / 1e9
        angle = 2 * np.pi * (seconds % p['period_s']) / p['period_s']
        return [pd.Series(f(k * angle), d['y'].index) for k in range(1, p['order'] + 1) for f in (np.sin, np.cos)]
    return [expression(p['expression'], d)]


begin, begin_cpu = time.perf_counter(), time.process_time()
hours = points['y'].resample('h').mean()
data = {'y': hours}
for name in head['names'][1:]:
    data[name] = points[name].resample('h').mean().reindex(hours.index).ffill(limit=3)
made = dict(data)
for feature in head['features']:
    for i, column in enumerate(columns_of(feature['kind'], feature['params'], data)):
        made[f"{feature['name']}.{i}"] = column
frame = pd.DataFrame(made).replace([np.inf, -np.inf], np.nan)
total = float(np.nansum(frame.to_numpy()))
if head['text']:
    hashlib.sha256(frame.to_csv().encode()).hexdigest()
seconds, cpu = time.perf_counter() - begin, time.process_time() - begin_cpu
print(pd.__version__, seconds, cpu, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, total)
