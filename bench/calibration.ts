import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { openFamily } from '../adapters/forecaster/family.js';
import { widened } from '../domain/inference/calibration.js';
import { forecastSeries } from '../domain/inference/forecast-series.js';
import { evenly } from '../domain/inference/gridded.js';
import { forecastManyOf } from '../domain/maths/forecasting/forecaster.js';
import { coverage, crps } from '../domain/maths/forecasting/metrics/index.js';
import { LEVELS, type QuantileForecast } from '../domain/maths/forecasting/quantiles.js';
import { DAY } from '../domain/time.js';
import { randomOf } from '../test/random.js';
import { median } from '../domain/maths/series/quantile.js';
import { prepare } from './forecast-prepare.js';
import { grouped, readWindows, sampleOf, setsIn, type Window } from './forecast-sets.js';

/**
 * How much the 80% bands of forecasts cover, as the model gives them and as inference calibrates them by each
 * series' own past, and what that costs in CRPS. `PYTHON=.venv/bin/python node dist/bench/calibration.js
 * [options]`; Python 3 with the packages of bench/forecast-packages.txt is needed for the series.
 *
 * Judged are forecasts from origins all along each series, a horizon apart, from the fourth on that could be
 * calibrated; and the same with noise of twice the usual seasonal change from the middle of these on.
 *
 * --series=<folder>   CSV files with manifest.json and windows.csv, as one more set
 * --sets=a,b          only these of high (hours, days and weeks), m1, m3, tourism, and the folder's name
 * --most=60           at most so many series of each set and frequency
 * --model=nano
 * --folder=<folder>   where series are kept
 */
const { values: options } = parseArgs({
  options: {
    series: { type: 'string', multiple: true, default: [] },
    sets: { type: 'string' },
    most: { type: 'string', default: '60' },
    model: { type: 'string', default: 'nano' },
    folder: { type: 'string', default: join(tmpdir(), 'presage-forecast') },
  },
});
/** Forecasts of each series that are judged. */
const ORIGINS = 8;
/** Before the first of them there is so much that it is calibrated by four forecasts or more. */
const LEAST_PAST = 6;
/** Noise that is put in, in median seasonal changes. */
const WILDER = 2;

type Series = {
  readonly values: Float64Array;
  readonly period: number;
  readonly horizon: number;
};
type Judged = { inside: number; n: number; readonly logs: number[] };

const family = openFamily({ threads: 2 });
const model = family.forecasters.get(options.model)!;
const forecast = forecastManyOf(model, new AbortController().signal);
const sets = join(resolve(options.folder), 'sets');
prepare(
  'forecast-data.py',
  sets,
  options.series.map(path => resolve(path)),
);

/** Each series once, as far as its last window knows it. */
function seriesOf(windows: readonly Window[]): Series[] {
  const byName = grouped(windows, ({ name }) => name);
  return [...byName.values()].map(own => {
    const last = own.reduce((a, b) => (b.origin > a.origin ? b : a));
    const horizon = Math.min(...own.map(window => window.horizon));
    return { values: last.values, period: last.period, horizon };
  });
}

function originsOf({ values, period, horizon }: Series): number[] {
  const least = Math.max(24, 2 * period) + LEAST_PAST * Math.max(horizon, period, 16);
  const places = Array.from({ length: ORIGINS }, (_, i) => values.length - (i + 1) * horizon);
  return places.filter(place => place >= least).reverse();
}

/** Noise from a place on, the same for each series. */
function wilder({ values, period }: Series, from: number): Float64Array {
  const random = randomOf(1);
  const changes = Array.from(values.subarray(period), (x, i) => Math.abs(x - values[i]!));
  const size = WILDER * median(changes.filter(Number.isFinite));
  const noise = (): number =>
    Math.sqrt(-2 * Math.log(random.next() + 1e-12)) * Math.cos(2 * Math.PI * random.next());
  return values.map((value, i) => (i < from ? value : value + size * noise()));
}

async function judge(series: readonly Series[], isWilder: boolean): Promise<{ own: Judged; ours: Judged }> {
  const empty = (): Judged => ({ inside: 0, n: 0, logs: [] });
  const own = empty();
  const ours = empty();
  for (const one of series) {
    const origins = originsOf(one);
    const middle = origins[origins.length >> 1] ?? 0;
    const values = isWilder ? wilder(one, middle) : one.values;
    const asked = origins.map(origin => ({
      ...evenly(String(origin), { start: 0, stepMs: DAY, values: [] }),
      values: values.subarray(Math.max(0, origin - model.caps.context), origin),
      period: one.period,
    }));
    const made = await forecastSeries(
      asked,
      { horizon: one.horizon, levels: LEVELS, fill: 'none', explain: false, lookback: model.caps.context },
      forecast,
    );
    made.forEach(({ quantiles, calibration }, i) => {
      const calibrated = together(quantiles.map(column => column.values));
      const plain = widened(calibrated, 1 / calibration.widenedBy);
      const actual = values.slice(origins[i]!, origins[i]! + one.horizon);
      take(ours, actual, calibrated, plain);
      take(own, actual, plain, plain);
    });
  }
  return { own, ours };
}

function together(columns: readonly Float64Array[]): QuantileForecast {
  const horizon = columns[0]!.length;
  const values = new Float64Array(horizon * LEVELS.length);
  columns.forEach((column, k) =>
    column.forEach((x, h) => values.fill(x, h * LEVELS.length + k, h * LEVELS.length + k + 1)),
  );
  return { horizon, levels: LEVELS, values };
}

function take(
  judged: Judged,
  actual: Float64Array,
  forecast: QuantileForecast,
  plain: QuantileForecast,
): void {
  const known = actual.reduce((count, y) => count + Number(!Number.isNaN(y)), 0);
  if (known === 0) return;
  judged.inside += coverage(actual, forecast) * known;
  judged.n += known;
  const ratio = Math.log(crps(actual, forecast) / crps(actual, plain));
  if (Number.isFinite(ratio)) judged.logs.push(ratio);
}

const share = ({ inside, n }: Judged): string => `${((100 * inside) / n).toFixed(1)}%`;
const cost = ({ logs }: Judged): string =>
  Math.exp(logs.reduce((sum, x) => sum + x / logs.length, 0)).toFixed(3);

console.log(`${options.model} ${model.version}: what 80% bands cover, and the CRPS against the model's own`);
for (const set of setsIn(sets).filter(name => options.sets?.split(',').includes(name) ?? true)) {
  const windows = sampleOf(await readWindows(sets, set), Number(options.most), 1);
  const series = seriesOf(windows).filter(one => originsOf(one).length >= 4);
  if (series.length === 0) continue;
  for (const isWilder of [false, true]) {
    const { own, ours } = await judge(series, isWilder);
    console.log(
      `${set.padEnd(12)} ${isWilder ? 'wilder' : 'as is '} ${String(ours.logs.length).padStart(5)} forecasts`
        + `  own ${share(own)}  calibrated ${share(ours)}  CRPS ${cost(ours)}`,
    );
  }
}
await family.close();
