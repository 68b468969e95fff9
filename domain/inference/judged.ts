import { anomalies } from '../maths/forecasting/anomaly.js';
import type { ForecastMany } from '../maths/forecasting/forecaster.js';
import { impute } from '../maths/forecasting/imputation/impute.js';
import { stepOf } from '../maths/forecasting/quantiles.js';
import { quantileOf } from '../maths/forecasting/tails.js';
import { periodOf } from '../maths/forecasting/period.js';
import type { InferenceSeries } from './forecasting.js';
import { insufficient, LEAST_KNOWN } from './history.js';
import { timeOfStep } from './steps.js';

/** A value beside what was expected of it; null where it is missing, or nothing before it is known. */
export type JudgedPoint = {
  readonly time: number;
  readonly value: number | null;
  readonly anomaly: boolean;
  /** How far from the expected value, in half widths of the 80% band: 1 is its edge. */
  readonly score: number | null;
  readonly expected: number | null;
  /** The band outside of which a value is an anomaly. */
  readonly lower: number | null;
  readonly upper: number | null;
};

/** How many of the newest `count` values of so many have any before them to be judged by. */
export const judgedOf = (values: number, count: number): number =>
  Math.max(0, Math.min(count, values - LEAST_KNOWN));

/**
 * Whether the newest `count` values of each series are what those before them let expect. `level`: the share
 * of regular values that lie inside, 0..1.
 * @throws Rejected 422 insufficient_history where nothing is known before the first of them
 */
export const judgeSeries = (
  series: readonly InferenceSeries[],
  { count, level }: { readonly count: number; readonly level: number },
  forecast: ForecastMany,
): Promise<JudgedPoint[][]> =>
  Promise.all(
    series.map(async one => {
      const { values } = one;
      const from = values.length - judgedOf(values.length, count);
      if (values.length <= from) throw insufficient(one.id, values.length, LEAST_KNOWN + 1);
      const period = one.period ?? periodOf(values, one.step);
      const found = await anomalies({ values, period }, { from, steps: 1, level }, forecast);
      const flagged = new Set(found.flagged);
      return Array.from({ length: values.length - from }, (_, i): JudgedPoint => {
        const place = from + i;
        return {
          time: timeOfStep(one, place),
          value: orNull(values[place]!),
          anomaly: flagged.has(place),
          score: orNull(Math.abs(found.score[i]!)),
          expected: orNull(found.expected[i]!),
          lower: orNull(found.lower[i]!),
          upper: orNull(found.upper[i]!),
        };
      });
    }),
  );

/** A value that was known, or one that was made up, within its 80% band. */
export type ImputedPoint = {
  readonly time: number;
  /** Null in a gap that is too long to be filled. */
  readonly value: number | null;
  readonly imputed: boolean;
  readonly lower: number | null;
  readonly upper: number | null;
};

/**
 * The series with their gaps filled from both sides (`impute`); gaps of `maxHorizon` steps and more stay.
 * @throws Rejected 422 insufficient_history where fewer than 2 values are known
 */
export const imputeSeries = (
  series: readonly InferenceSeries[],
  maxHorizon: number,
  forecast: ForecastMany,
): Promise<ImputedPoint[][]> =>
  Promise.all(
    series.map(async one => {
      const { values } = one;
      const known = values.reduce((count, value) => count + Number(!Number.isNaN(value)), 0);
      if (known < LEAST_KNOWN) throw insufficient(one.id, known);
      const period = one.period ?? periodOf(values, one.step);
      const { values: filled, gaps } = await impute({ values, period }, maxHorizon, forecast);
      const bands = new Map<number, readonly [number, number]>();
      for (const { from, length, quantiles } of gaps)
        for (let i = 0; quantiles && i < length; i++) {
          const row = stepOf(quantiles, i);
          const at = (level: number): number => quantileOf(row, quantiles.levels, level);
          bands.set(from + i, [at(0.1), at(0.9)]);
        }
      return Array.from(values, (value, place): ImputedPoint => {
        const [lower = null, upper = null] = bands.get(place) ?? [];
        const imputed = Number.isNaN(value) && lower !== null;
        return { time: timeOfStep(one, place), value: orNull(filled[place]!), imputed, lower, upper };
      });
    }),
  );

const orNull = (x: number): number | null => (Number.isFinite(x) ? x : null);
