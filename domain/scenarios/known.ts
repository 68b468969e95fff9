import type { GoalForecastIssued } from '../forecasts/facts.js';
import type { InferenceSeries } from '../inference/forecasting.js';
import type { Columns } from './facts.js';
import { followed, type SignalResponse } from './signal-response.js';
import { assumed, isOfSignal, type Assumption, type SignalAssumption } from './assumptions.js';
import { placesIn } from './path.js';

/** A signal as the base knew it, on the steps of the history and those ahead; NaN where there is nothing. */
export type KnownSignal = {
  readonly edgeId: string;
  /** What is ahead is what it would be by itself. */
  readonly values: Float64Array;
  readonly response: SignalResponse | null;
};
/** Least and largest of what was seen. */
export type Range = { readonly low: number; readonly high: number };

/** All that a run knows, which is what its base knew. */
export type Known = {
  readonly issued: GoalForecastIssued['data'];
  /** Of the steps ahead, and of those before and ahead. */
  readonly times: readonly number[];
  readonly allTimes: readonly number[];
  /** The base at all of its levels. */
  readonly base: Columns;
  readonly history: InferenceSeries;
  readonly signals: ReadonlyMap<string, KnownSignal>;
};

export const edgesOff = (assumptions: readonly Assumption[]): ReadonlySet<string> =>
  new Set(assumptions.flatMap(one => (one.kind === 'edge_off' ? [one.edgeId] : [])));

/** Signals with all that is assumed of them, in order. */
export function withAssumed(
  values: Float64Array,
  allTimes: readonly number[],
  ahead: number,
  assumptions: readonly SignalAssumption[],
): Float64Array {
  const changed = values.slice();
  for (const assumption of assumptions)
    for (const { i, place } of placesIn(allTimes, assumption, ahead))
      changed[i] = assumed(assumption, changed[i]!, place);
  return changed;
}

/** What assumptions on other signals do to the target at the steps ahead, by the edges that act. */
export function bySignals(known: Known, assumptions: readonly Assumption[]): Float64Array {
  const { signals, allTimes, times } = known;
  const off = edgesOff(assumptions);
  const ahead = allTimes.length - times.length;
  const sum = new Float64Array(times.length);
  for (const [key, { edgeId, values, response }] of signals) {
    const own = assumptions.filter(isOfSignal).filter(one => one.key === key);
    if (own.length === 0 || response === null || off.has(edgeId)) continue;
    const changed = withAssumed(values, allTimes, ahead, own);
    const changes = changed.map((value, i) => {
      const by = value - values[i]!;
      // Who adds it up refuses what is infinite; NaN: nothing is known there
      return Number.isNaN(by) ? 0 : by;
    });
    followed(response, changes)
      .subarray(ahead)
      .forEach((by, h) => (sum[h]! += by));
  }
  return sum;
}
