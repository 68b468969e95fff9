import { medians } from '../domain/maths/forecasting/quantiles.js';
import { median } from './common.js';
import type { Method } from './forecast-methods.js';
import { forecastOf, judged, quantileAt, type Tried } from './forecast-stress-scores.js';
import type { Case } from './forecast-stress-series.js';
import { meanOf } from './forecast-tasks-sets.js';

// What scores do not show: what a forecast does when its series is turned, moved or scaled, how narrow it is
// where nothing moves, and whether the edges of the network's patches can be seen in it.

const largest = (values: readonly number[]): number => values.reduce((most, x) => Math.max(most, x), 0);

const deviationOf = (values: Float64Array): number => {
  const middle = meanOf([...values]);
  return Math.sqrt(meanOf(Array.from(values, x => (x - middle) ** 2)));
};

/** A series times `factor`, and then `shift` more. */
export type Change = { readonly factor: number; readonly shift: number };

/** For a series with this standard deviation: changes that a forecast should follow. */
export const CHANGES: Readonly<Record<string, (deviation: number) => Change>> = {
  'less 10 deviations': deviation => ({ factor: 1, shift: -10 * deviation }),
  'plus 1,000 deviations': deviation => ({ factor: 1, shift: 1000 * deviation }),
  'times 1e-6': () => ({ factor: 1e-6, shift: 0 }),
  'times 1e6': () => ({ factor: 1e6, shift: 0 }),
};
export const NEGATED = (): Change => ({ factor: -1, shift: 0 });

/**
 * Changed series against the series as they are: `wql`, the geometric mean of the ratio of their scaled WQL
 * less 1; `worst`, the largest change of one series' WQL either way; `usual` and `largest`, the median and
 * the largest over series of how far the forecast median moves at most beside what it should, in deviations
 * of the history.
 */
export type Followed = {
  readonly wql: number;
  readonly worst: number;
  readonly usual: number;
  readonly largest: number;
};

/** What a method makes of changed series. */
export async function followed(
  method: Method,
  tried: readonly Tried[],
  change: (deviation: number) => Change,
): Promise<Followed> {
  const logs: number[] = [];
  const moves: number[] = [];
  for (const each of tried) {
    const deviation = deviationOf(each.context);
    const { factor, shift } = change(deviation);
    const changed = {
      ...each,
      context: each.context.map(x => factor * x + shift),
      actual: each.actual.map(x => factor * x + shift),
    };
    const forecast = await forecastOf(method, changed);
    logs.push(Math.log(judged(changed, forecast).wql / judged(each, each.forecast).wql));
    const points = medians(each.forecast);
    const away = Array.from(medians(forecast), (x, step) => Math.abs((x - shift) / factor - points[step]!));
    moves.push(largest(away) / deviation);
  }
  return {
    wql: Math.exp(meanOf(logs)) - 1,
    worst: Math.exp(largest(logs.map(Math.abs))) - 1,
    usual: median(moves),
    largest: largest(moves),
  };
}

/** Of series that do not move any more: means over steps, in the unit of the series. */
export type Still = { readonly error: number; readonly band: number };

/** The mean distance of the medians from the actuals, and the mean width of the 80% band. */
export function stillness({ actual, forecast }: Tried): Still {
  const low = quantileAt(forecast, 0.1);
  const high = quantileAt(forecast, 0.9);
  const points = medians(forecast);
  return {
    error: meanOf(Array.from(actual, (y, step) => Math.abs(y - points[step]!))),
    band: meanOf(Array.from(high, (x, step) => x - low[step]!)),
  };
}

/** By how much a series moved the last time; NaN where it never did. */
export function lastMove({ context }: Case): number {
  const last = context.at(-1)!;
  return Math.abs(last - (context.findLast(x => x !== last) ?? NaN));
}

/** Steps of a patch of the network. */
const PATCH = 16;

/** Mean |second differences|: those that span the edge of two patches, and the others. */
export type Bends = { readonly edges: number; readonly elsewhere: number };

/** In deviations of the history. Two at each edge: at the last step of a patch, and the first of the next. */
export function bendsOf({ context }: Case, line: Float64Array): Bends {
  const edges: number[] = [];
  const elsewhere: number[] = [];
  for (let step = 1; step < line.length - 1; step++) {
    const bend = Math.abs(line[step - 1]! - 2 * line[step]! + line[step + 1]!);
    if ((step + 1) % PATCH < 2) edges.push(bend);
    else elsewhere.push(bend);
  }
  const deviation = deviationOf(context);
  return { edges: meanOf(edges) / deviation, elsewhere: meanOf(elsewhere) / deviation };
}
