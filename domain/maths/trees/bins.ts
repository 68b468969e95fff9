import type { Columns } from './model.js';

/**
 * A table whose values are replaced by the bins they fall into. Bin b of a feature holds the values at or
 * above threshold b - 1 and below threshold b; what is missing has the bin after the last.
 */
export type Binned = {
  readonly rows: number;
  readonly columns: Columns;
  /** Column by column. */
  readonly bins: Uint8Array;
  readonly thresholds: readonly Float64Array[];
  /** Where the sums of a feature begin in a histogram, which has a place for each of its bins. */
  readonly offsets: Int32Array;
  /** Of all features together. */
  readonly places: number;
};

/** The columns must be checked (`checkTable`); `most` is the number of bins of a feature, 2 to 255. */
export function binned(columns: Columns, most: number): Binned {
  const rows = columns[0]!.length;
  const bins = new Uint8Array(rows * columns.length);
  const offsets = new Int32Array(columns.length);
  let places = 0;
  const thresholds = columns.map((column, j) => {
    const values = Float32Array.from(column);
    const borders = bordersOf(values.slice().sort(), most);
    const at = j * rows;
    for (let i = 0; i < rows; i++) bins[at + i] = binOf(values[i]!, borders);
    offsets[j] = places;
    places += borders.length + 2;
    return borders;
  });
  return { rows, columns, bins, thresholds, offsets, places };
}

/** How many borders are at or below the value. */
function binOf(value: number, borders: Float64Array): number {
  if (Number.isNaN(value)) return borders.length + 1;
  let low = 0;
  let high = borders.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (value < borders[middle]!) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * Borders between bins of about equally many rows: a value that is met as often as a bin is large has one of
 * its own, as LightGBM has it (GreedyFindBin; Ke et al. 2017). Of `most` different values or fewer each has
 * its own. Ascending values come in, missing ones last.
 */
function bordersOf(ascending: Float32Array, most: number): Float64Array {
  const { values, counts, known } = distinct(ascending);
  if (values.length <= most)
    return Float64Array.from({ length: Math.max(0, values.length - 1) }, (_, i) =>
      between(values[i]!, values[i + 1]!),
    );
  const large = known / most;
  const isLarge = (i: number): boolean => counts[i]! >= large;
  let rowsLeft = known;
  let binsLeft = most;
  for (const count of counts)
    if (count >= large) {
      rowsLeft -= count;
      binsLeft--;
    }
  let size = rowsLeft / binsLeft;
  let inBin = 0;
  const borders: number[] = [];
  for (let i = 0; i + 1 < values.length && borders.length < most - 1; i++) {
    if (!isLarge(i)) rowsLeft -= counts[i]!;
    inBin += counts[i]!;
    if (!isLarge(i) && inBin < size && !(isLarge(i + 1) && inBin >= size / 2)) continue;
    borders.push(between(values[i]!, values[i + 1]!));
    inBin = 0;
    if (!isLarge(i)) size = rowsLeft / --binsLeft;
  }
  return Float64Array.from(borders);
}

function distinct(ascending: Float32Array): { values: number[]; counts: number[]; known: number } {
  const values: number[] = [];
  const counts: number[] = [];
  let known = 0;
  for (; known < ascending.length && !Number.isNaN(ascending[known]!); known++) {
    if (ascending[known] === values.at(-1)) counts[counts.length - 1]!++;
    else {
      values.push(ascending[known]!);
      counts.push(1);
    }
  }
  return { values, counts, known };
}

/** A float32 above a and at most b, in the middle where there is one. */
function between(a: number, b: number): number {
  const middle = Math.fround(a + (b - a) / 2);
  return middle > a ? middle : b;
}
