import { forecastWithCovariates } from '../domain/maths/forecasting/covariates/forecast.js';
import { forecastManyOf, type ForecastMany } from '../domain/maths/forecasting/forecaster.js';
import { mase, relativeTo, scaledWql, seasonalScale } from '../domain/maths/forecasting/metrics/index.js';
import { medians, type QuantileForecast } from '../domain/maths/forecasting/quantiles.js';
import { linearAt, ridge } from '../domain/maths/forecasting/ridge.js';
import type { Random } from '../test/random.js';
import { grouped } from './forecast-sets.js';
import {
  linesOf,
  meanOf,
  numbers,
  percent,
  randomFor,
  three,
  type TaskInput,
  type TaskResult,
} from './forecast-tasks-sets.js';

type Line = {
  readonly set: string;
  readonly name: string;
  readonly period: number;
  readonly horizon: number;
  readonly values: (number | null)[];
  readonly drivers: Readonly<Record<string, (number | null)[]>>;
};
type Driven = {
  readonly set: string;
  readonly name: string;
  readonly period: number;
  readonly horizon: number;
  readonly values: Float64Array;
  readonly drivers: readonly Float64Array[];
};

/** Forecasts of one series are judged from so many origins at its end, a horizon apart. */
const ORIGINS = 12;
/**
 * Made up: series of so many values, and how strong the driver is, in standard deviations of the noise; of
 * each so many.
 */
const LENGTH = 400;
const STRENGTHS = [0, 0.5, 1, 2];
const EACH = 6;

/**
 * The mean errors over the origins in units of the seasonal error, and the share of origins at which the
 * drivers were kept.
 */
type Errors = {
  readonly kept: number;
  readonly plain: number;
  readonly model: number;
  readonly alone: number;
  readonly plainLoss: number;
  readonly loss: number;
};
type Tried = Errors & { readonly driven: Driven };

/**
 * Forecasts with drivers that are known ahead, against the same model's without, and against the drivers
 * without the model.
 */
export async function covariatesTask(input: TaskInput): Promise<TaskResult> {
  const real = (await linesOf<Line>(input.folder, 'covariates')).map(drivenOf);
  const tried: Tried[] = [];
  const forecast = forecastManyOf(input.model, new AbortController().signal);
  for (const driven of [...real, ...madeUp(input.seed)]) {
    const remembered = remembering(forecast);
    const also = real.includes(driven) ? uselessOf(driven, input.seed) : [];
    for (const each of [driven, ...also]) tried.push(await tryOut(each, remembered));
  }
  const groups = [...grouped(tried, ({ driven }) => driven.set)].map(([group, members]) =>
    summaryOf(group, members),
  );
  const ofReal = summaryOf(
    'all real drivers',
    tried.filter(({ driven }) => real.includes(driven)),
  );
  const ofUseless = summaryOf(
    'all useless drivers',
    tried.filter(({ driven }) => driven.set.startsWith(NOTHING)),
  );
  return {
    title:
      'multivariate: errors with drivers known ahead, relative to the same model without '
      + '(geometric mean over series)',
    head: [
      'series ~ drivers',
      'series',
      'MAE',
      'quantile loss',
      'better',
      'worse',
      'drivers kept',
      'drivers without the model, MAE',
    ],
    rows: [...groups, ofReal, ofUseless].map(s => [
      s.group,
      `${s.series}`,
      three(s.mae),
      three(s.loss),
      `${s.better}`,
      `${s.worse}`,
      percent(s.kept),
      three(s.alone),
    ]),
    rule:
      'MAE with real drivers at most 0.95 of that without, more series better by 2% than worse; '
      + 'with useless ones at most 1.005',
    earned: ofReal.mae <= 0.95 && ofReal.better > ofReal.worse && ofUseless.mae <= 1.005,
    details: { groups, ofReal, ofUseless },
  };
}

const drivenOf = ({ values, drivers, ...rest }: Line): Driven => ({
  ...rest,
  values: numbers(values),
  drivers: Object.values(drivers).map(numbers),
});

const USELESS: Readonly<Record<string, (length: number, random: Random) => Float64Array>> = {
  noise: (length, random) => Float64Array.from({ length }, () => normal(random)),
  'a walk': (length, random) => {
    let at = 0;
    return Float64Array.from({ length }, () => (at += normal(random)));
  },
  'rare days': (length, random) => Float64Array.from({ length }, () => Number(random.chance(0.1))),
};

const NOTHING = 'a useless driver';

const uselessOf = (driven: Driven, seed: number): Driven[] =>
  Object.entries(USELESS).map(([kind, make]) => {
    const random = randomFor(seed, `${driven.set} ${driven.name} ${kind}`);
    return { ...driven, set: `${NOTHING}: ${kind}`, drivers: [make(driven.values.length, random)] };
  });

/** Roughly: of variance 1. */
const normal = (random: Random): number =>
  Array.from({ length: 12 }, random.next).reduce((sum, x) => sum + x, -6);

/** A season, a slow walk and noise, and a driver that is on or off, of known strength. */
function madeUp(seed: number): Driven[] {
  return STRENGTHS.flatMap(strength =>
    Array.from({ length: EACH }, (_, i): Driven => {
      const random = randomFor(seed, `made up ${strength} ${i}`);
      const driver = USELESS['rare days']!(LENGTH, random);
      let level = 0;
      const values = driver.map((on, t) => {
        level += 0.1 * normal(random);
        const season = 2 * Math.sin((2 * Math.PI * t) / 7);
        return level + season + normal(random) + strength * on * Math.sqrt(10);
      });
      return {
        set: `made up, strength ${strength}`,
        name: `${i}`,
        period: 7,
        horizon: 7,
        values,
        drivers: [driver],
      };
    }),
  );
}

/**
 * A forecast of the same part of a series is made once: origins lie a horizon apart, so that one's tests are
 * the next one's trials; and drivers do not change it. For one series.
 */
function remembering(forecast: ForecastMany): ForecastMany {
  const kept = new Map<number, QuantileForecast>();
  return async (series, horizon) => {
    const asked = series.filter(({ values }) => !kept.has(values.length));
    const answers = asked.length ? await forecast(asked, horizon) : [];
    asked.forEach(({ values }, i) => kept.set(values.length, answers[i]!));
    return series.map(({ values }) => kept.get(values.length)!);
  };
}

async function tryOut(driven: Driven, forecast: ForecastMany): Promise<Tried> {
  const { values, period, horizon } = driven;
  const results: Errors[] = [];
  for (let back = ORIGINS; back >= 1; back--) {
    const origin = values.length - back * horizon;
    const actual = values.subarray(origin, origin + horizon);
    if (origin < values.length / 2 || actual.every(Number.isNaN)) continue;
    const series = { values: values.subarray(0, origin), period };
    const scale = seasonalScale(series.values, period);
    const covariates = driven.drivers.map(column => column.subarray(0, origin + horizon));
    const made = await forecastWithCovariates({ series, covariates, horizon }, forecast);
    const [plain] = await forecast([series], horizon);
    results.push({
      kept: Number(made.kept),
      model: mase(actual, medians(made.forecast), scale),
      plain: mase(actual, medians(plain!), scale),
      loss: scaledWql(actual, made.forecast, scale),
      plainLoss: scaledWql(actual, plain!, scale),
      alone: mase(actual, driversAlone(driven, origin), scale),
    });
  }
  const mean = (name: keyof Errors): number => meanOf(results.map(result => result[name]));
  return {
    driven,
    kept: mean('kept'),
    plain: mean('plain'),
    model: mean('model'),
    alone: mean('alone'),
    loss: mean('loss'),
    plainLoss: mean('plainLoss'),
  };
}

/**
 * Ridge regression of the change over a season (of as many seasons as the horizon needs) on the change of the
 * drivers.
 */
function driversAlone({ values, period, horizon, drivers }: Driven, origin: number): Float64Array {
  const lag = period * Math.ceil(horizon / period);
  const rows: Float64Array[] = [];
  const changes: number[] = [];
  const rowAt = (t: number): Float64Array =>
    Float64Array.from(drivers.flatMap(column => [column[t]!, column[t]! - column[t - lag]!]));
  for (let t = lag; t < origin; t++) {
    const change = values[t]! - values[t - lag]!;
    if (!Number.isNaN(change)) {
      rows.push(rowAt(t));
      changes.push(change);
    }
  }
  const fit = ridge(rows, [Float64Array.from(changes)]);
  return Float64Array.from(
    { length: horizon },
    (_, h) => lastKnown(values, origin + h - lag) + linearAt(fit, rowAt(origin + h))[0]!,
  );
}

const lastKnown = (values: Float64Array, at: number): number =>
  values.subarray(0, at + 1).findLast(x => !Number.isNaN(x)) ?? NaN;

function summaryOf(group: string, tried: readonly Tried[]) {
  const of = (name: 'plain' | 'model' | 'alone' | 'loss' | 'plainLoss'): number[] =>
    tried.map(each => each[name]);
  return {
    group,
    series: tried.length,
    mae: relativeTo(of('plain'), of('model')),
    loss: relativeTo(of('plainLoss'), of('loss')),
    better: tried.filter(({ model, plain }) => model < 0.98 * plain).length,
    worse: tried.filter(({ model, plain }) => model > 1.02 * plain).length,
    kept: meanOf(tried.map(({ kept }) => kept)),
    alone: relativeTo(of('plain'), of('alone')),
  };
}
