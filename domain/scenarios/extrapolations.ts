import { isOfSignal, type Assumption, type EventAdd } from './assumptions.js';
import type { Extrapolation } from './facts.js';
import type { Range } from './known.js';
import { withAssumed } from './known.js';
import { placesIn } from './path.js';

/** What was seen of a signal, and how it goes on by itself; `values` on the same steps as `allTimes`. */
export type SeenSignal = { readonly values: Float64Array; readonly range: Range | null };
/** What was seen of a stream's events. */
export type SeenStream = Readonly<Record<'value' | 'importance' | 'impact', Range | null>>;

export type Seen = {
  readonly allTimes: readonly number[];
  /** Steps before the first one ahead. */
  readonly ahead: number;
  readonly signals: ReadonlyMap<string, SeenSignal>;
  readonly streams: ReadonlyMap<string, SeenStream>;
};

/** Assumptions that go beyond what was seen, each with the value that goes furthest. */
export function extrapolationsOf(seen: Seen, assumptions: readonly Assumption[]): Extrapolation[] {
  return assumptions.flatMap((assumption, index) => {
    if (assumption.kind === 'event_add') return ofEvent(seen, assumption, index);
    if (!isOfSignal(assumption)) return [];
    const { key } = assumption;
    const signal = seen.signals.get(key);
    if (!signal) return [];
    const { allTimes, ahead } = seen;
    const soFar = assumptions.slice(0, index + 1).filter(isOfSignal);
    const own = soFar.filter(one => one.key === key);
    const values = withAssumed(signal.values, allTimes, ahead, own);
    const touched = placesIn(allTimes, assumption, ahead).map(({ i }) => values[i]!);
    return beyond(index, key, 'value', touched, signal.range);
  });
}

function ofEvent({ streams }: Seen, event: EventAdd, index: number): Extrapolation[] {
  const stream = streams.get(event.stream);
  if (!stream) return [];
  return (['value', 'importance', 'impact'] as const).flatMap(field => {
    const given = event[field];
    return given === null ? [] : beyond(index, event.stream, field, [given], stream[field]);
  });
}

function beyond(
  index: number,
  key: string,
  field: Extrapolation['field'],
  values: readonly number[],
  range: Range | null,
): Extrapolation[] {
  if (!range) return [];
  const by = (value: number): number => Math.max(value - range.high, range.low - value);
  const [first, ...rest] = values.filter(Number.isFinite);
  if (first === undefined) return [];
  const value = rest.reduce((furthest, x) => (by(x) > by(furthest) ? x : furthest), first);
  return by(value) > 0 ? [{ index, key, field, value, ...range }] : [];
}

/** Least and largest of what is there; null: nothing is. */
export function rangeOf(values: Iterable<number | null>): Range | null {
  let low = Infinity;
  let high = -Infinity;
  for (const value of values)
    if (value !== null && Number.isFinite(value)) {
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
  return low <= high ? { low, high } : null;
}
