/** Missing values in a row, or known ones that are treated as such: the first and how many. */
export type Hole = { readonly from: number; readonly length: number };

/**
 * Trials: of so many points in all, within these bounds; each at least so many steps from the ends of the
 * series.
 */
const TRIAL_POINTS = 48;
const FEWEST_TRIALS = 8;
const MOST_TRIALS = 24;
const TRIAL_CONTEXT = 8;

/** All runs of missing values (NaN), from old to new. */
export function holesOf(values: Float64Array): Hole[] {
  const holes: Hole[] = [];
  let length = 0;
  for (let at = 0; at <= values.length; at++) {
    if (at < values.length && Number.isNaN(values[at]!)) {
      length++;
      continue;
    }
    if (length > 0) holes.push({ from: at - length, length });
    length = 0;
  }
  return holes;
}

/** Whether there is a value on either side. */
export const isInside = (values: Float64Array, { from, length }: Hole): boolean =>
  from > 0 && from + length < values.length;

/** Known stretches as long as the middle one of the gaps inside, evenly spread. */
export function trialsOf(values: Float64Array, holes: readonly Hole[]): Hole[] {
  const lengths = holes
    .filter(hole => isInside(values, hole))
    .map(hole => hole.length)
    .sort((a, b) => a - b);
  const length = lengths[lengths.length >> 1];
  if (length === undefined) return [];
  const places = trialPlaces(values, length);
  const wanted = Math.max(FEWEST_TRIALS, Math.ceil(TRIAL_POINTS / length));
  const count = Math.min(places.length, MOST_TRIALS, wanted);
  return Array.from({ length: count }, (_, i) => ({
    from: places[Math.floor(((i + 0.5) * places.length) / count)]!,
    length,
  }));
}

/** Where a known stretch of this length begins that has a known value before and after it. */
function trialPlaces(values: Float64Array, length: number): number[] {
  const places: number[] = [];
  let known = 0;
  for (let at = 0; at < values.length; at++) {
    known = Number.isNaN(values[at]!) ? 0 : known + 1;
    if (known >= length + 2 && at >= TRIAL_CONTEXT + length && at < values.length - TRIAL_CONTEXT)
      places.push(at - length);
  }
  return places;
}

/** The straight line through a hole, from the value before it to the one after it. */
export const lineOf = (values: Float64Array, { from, length }: Hole): Float64Array => {
  const first = values[from - 1]!;
  const last = values[from + length]!;
  return Float64Array.from({ length }, (_, i) => first + ((last - first) * (i + 1)) / (length + 1));
};
