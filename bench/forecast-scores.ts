import {
  coverage,
  mase,
  relativeTo,
  scaledWql,
  seasonalScale,
  smape,
} from '../domain/maths/forecasting/metrics/index.js';
import { LEVELS, medians, type QuantileForecast } from '../domain/maths/forecasting/quantiles.js';
import { randomOf } from '../test/random.js';
import type { Made } from './forecast-kept.js';
import { grouped, type Task, type Window } from './forecast-sets.js';

// How good the forecasts of bench/forecast.ts were.

/** One forecast of one method, judged. `ms` is that of the whole forecast that it is a part of. */
export type Score = {
  readonly window: Window;
  readonly mase: number;
  readonly wql: number;
  readonly smape: number;
  readonly coverage: number;
  readonly ms: number;
  readonly failed: boolean;
};

/** method -> its scores, the same windows in the same order for all methods. */
export type Scores = ReadonlyMap<string, readonly Score[]>;

export const scoresOf = (tasks: readonly Task[], made: ReadonlyMap<string, Made>): Score[] =>
  tasks.flatMap(task => {
    const { quantiles, ms, failed } = made.get(task.key)!;
    const scale = seasonalScale(task.context, task.period);
    return task.windows.map(window => {
      const { horizon, origin, values } = window;
      const actual = values.subarray(origin, origin + horizon);
      const forecast: QuantileForecast = {
        horizon,
        levels: LEVELS,
        values: quantiles.subarray(0, horizon * LEVELS.length),
      };
      const points = medians(forecast);
      return {
        window,
        ms,
        failed: failed !== undefined,
        mase: mase(actual, points, scale),
        wql: scaledWql(actual, forecast, scale),
        smape: smape(actual, points),
        coverage: coverage(actual, forecast),
      };
    });
  });

/**
 * What a table has of a method in a group of windows: `mase` and `wql` relative to the seasonal naive
 * forecast.
 */
export type Summary = {
  readonly windows: number;
  readonly mase: number;
  readonly wql: number;
  readonly smape: number;
  readonly coverage: number;
};

const meanOf = (values: readonly number[]): number => {
  const known = values.filter(x => !Number.isNaN(x));
  return known.reduce((sum, x) => sum + x, 0) / known.length;
};

export const summaryOf = (scores: readonly Score[], naive: readonly Score[]): Summary => ({
  windows: scores.length,
  mase: relativeTo(
    naive.map(score => score.mase),
    scores.map(score => score.mase),
  ),
  wql: relativeTo(
    naive.map(score => score.wql),
    scores.map(score => score.wql),
  ),
  smape: meanOf(scores.map(score => score.smape)),
  coverage: meanOf(scores.map(score => score.coverage)),
});

/** A method's summaries in groups of windows, in the order in which the groups come. */
export function summariesBy(
  scores: readonly Score[],
  naive: readonly Score[],
  groupOf: (window: Window) => string,
): Map<string, Summary> {
  const places = grouped(scores.keys(), i => groupOf(scores[i]!.window));
  return new Map(
    [...places].map(([group, at]) => [
      group,
      summaryOf(
        at.map(i => scores[i]!),
        at.map(i => naive[i]!),
      ),
    ]),
  );
}

/** The horizons of the goals; those of the competitions (4 to 24) are counted with the nearest. */
export const horizonGroup = ({ horizon }: Window): string =>
  `to ${[8, 24].find(most => horizon <= most) ?? horizon}`;

/** The geometric mean ratio of two methods' scores, and where it lies in 95 of 100 samples. */
export type Ratio = { readonly ratio: number; readonly low: number; readonly high: number };

const RESAMPLES = 2000;
const TAIL = 0.025;

/**
 * One method against another: the ratio of the two, and its 95% interval by drawing the series anew, with
 * replacement (windows of one series belong together: they are not counted as so many independent findings).
 */
export function ratioOf(
  scores: readonly Score[],
  others: readonly Score[],
  metric: 'mase' | 'wql',
  seed: number,
): Ratio {
  const places = [
    ...grouped(scores.keys(), i => `${scores[i]!.window.set} ${scores[i]!.window.name}`).values(),
  ];
  const series = places.map(at => logsOf(at, scores, others, metric)).filter(({ count }) => count > 0);
  const random = randomOf(seed);
  const drawn = Array.from({ length: RESAMPLES }, () => together(series.map(() => random.pick(series))));
  drawn.sort((a, b) => a - b);
  const low = drawn[Math.floor(TAIL * RESAMPLES)]!;
  const high = drawn[Math.ceil((1 - TAIL) * RESAMPLES) - 1]!;
  return { ratio: together(series), low, high };
}

type Logs = { readonly sum: number; readonly count: number };

function logsOf(
  at: readonly number[],
  scores: readonly Score[],
  others: readonly Score[],
  metric: 'mase' | 'wql',
): Logs {
  const ratios = at.map(i => relativeTo([others[i]![metric]], [scores[i]![metric]]));
  const logs = ratios.map(Math.log).filter(log => !Number.isNaN(log));
  return { sum: logs.reduce((sum, log) => sum + log, 0), count: logs.length };
}

const together = (series: readonly Logs[]): number =>
  Math.exp(
    series.reduce((sum, logs) => sum + logs.sum, 0) / series.reduce((count, logs) => count + logs.count, 0),
  );
