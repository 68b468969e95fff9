import { knownBefore } from '../forecasting/forecaster.js';

/** A series to learn from: `times` ascending, one for each value. */
export type TunedSeries = { readonly times: Float64Array; readonly values: Float64Array };

/** A forecast to learn from: of one series, from the values before `origin`. */
export type TunedWindow = { readonly series: number; readonly origin: number };

/** Places in the list of windows. */
export type TunedFold = {
  /** The time from which on windows are held out. */
  readonly from: number;
  /** These end before that time. */
  readonly train: readonly number[];
  /** Held out, by blocks: windows of one block overlap, so that they are one finding. */
  readonly blocks: readonly (readonly number[])[];
};
export type TunedFolds = { readonly windows: readonly TunedWindow[]; readonly folds: readonly TunedFold[] };

/** At most so many windows over all series; more are thinned out evenly. */
const MOST = 500;
const FOLDS = 4;
/** The newest part of the time, which is held out in turn. */
const HELD = 0.4;
/** Before a window's origin at least so many steps; and so many windows before the first that is held out. */
const SHORTEST_PAST = 32;
const LEAST_WINDOWS = 24;

/**
 * Windows of series over the same time, and folds: the newest part of the time is divided, and each fold
 * trains on windows that end before its part and holds out those that lie in it. `leastHeld`: the earliest
 * time that must be held out. Null: too short.
 */
export function tunedFolds(
  series: readonly TunedSeries[],
  horizon: number,
  leastHeld: number,
): TunedFolds | null {
  const span = spanOf(series);
  const starts = span && startsOf(span, horizon, leastHeld);
  if (!starts) return null;
  const windows = windowsOf(series, horizon);
  const first = windows.map(({ series: s, origin }) => series[s]!.times[origin]!);
  const last = windows.map(({ series: s, origin }) => series[s]!.times[origin + horizon - 1]!);
  const every = [...windows.keys()];
  const folds = starts.map((from, k) => {
    const to = starts[k + 1] ?? Infinity;
    const held = every.filter(w => first[w]! >= from && last[w]! < to);
    const blockOf = (w: number): string =>
      `${windows[w]!.series} ${Math.floor((first[w]! - from) / (horizon * span.step))}`;
    return { from, train: every.filter(w => last[w]! < from), blocks: groups(held, blockOf) };
  });
  const isEnough = folds.every(({ train, blocks }) => train.length >= LEAST_WINDOWS && blocks.length > 0);
  return isEnough ? { windows, folds } : null;
}

/** The last time of all, the length of a step, and how many there are. */
type Span = { readonly last: number; readonly step: number; readonly count: number };

function spanOf(series: readonly TunedSeries[]): Span | null {
  const own = series.map(({ times }) => times).filter(({ length }) => length > 1);
  if (own.length === 0) return null;
  const longest = own.reduce((a, b) => (b.length > a.length ? b : a));
  const step = (longest.at(-1)! - longest[0]!) / (longest.length - 1);
  const first = own.reduce((least, times) => Math.min(least, times[0]!), Infinity);
  const last = own.reduce((most, times) => Math.max(most, times.at(-1)!), -Infinity);
  return { last, step, count: Math.round((last - first) / step) + 1 };
}

/** The times at which the parts that are held out begin, the first at `leastHeld` at the latest. */
function startsOf({ last, step, count }: Span, horizon: number, leastHeld: number): readonly number[] | null {
  const folds = Math.min(FOLDS, Math.floor(count / 2 / horizon));
  if (folds < 2) return null;
  const asked = Math.ceil((last - leastHeld) / step) + 1;
  const length = Math.max(horizon, Math.ceil(Math.max(HELD * count, asked) / folds));
  if (folds * length >= count) return null;
  const starts = Array.from({ length: folds }, (_, k) => last - ((folds - k) * length - 1) * step);
  return [Math.min(starts[0]!, leastHeld), ...starts.slice(1)];
}

/**
 * From the newest of each series back in equal strides. Where there are many series their windows lie apart,
 * so that together they are spread over the whole time.
 */
function windowsOf(series: readonly TunedSeries[], horizon: number): TunedWindow[] {
  const possible = series.reduce((sum, { values }) => sum + Math.max(0, values.length - horizon), 0);
  const stride = Math.max(1, Math.ceil(possible / MOST));
  return series.flatMap(({ values }, s) => {
    const windows: TunedWindow[] = [];
    const newest = values.length - horizon - Math.floor(stride * ((s * GOLDEN) % 1));
    for (let origin = newest; origin >= SHORTEST_PAST; origin -= stride)
      if (isUsable(values, origin, horizon)) windows.push({ series: s, origin });
    return windows.reverse();
  });
}

/** Its multiples, less their whole parts, are spread evenly however many there are. */
const GOLDEN = (Math.sqrt(5) - 1) / 2;

const isUsable = (values: Float64Array, origin: number, horizon: number): boolean =>
  knownBefore(values, origin) && values.subarray(origin, origin + horizon).some(Number.isFinite);

function groups(items: readonly number[], groupOf: (item: number) => string): number[][] {
  const found = new Map<string, number[]>();
  for (const item of items) {
    const group = found.get(groupOf(item));
    if (group) group.push(item);
    else found.set(groupOf(item), [item]);
  }
  return [...found.values()];
}
