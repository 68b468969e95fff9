import { itself, type FeatureMaker } from '../columns.js';
import type { FeatureKinds } from '../recipe.js';

type Fn = FeatureKinds['rolling']['fn'];

/** A function of the newest `window` values, NaN where one of them is missing; sample deviation. */
export const rolling: FeatureMaker<FeatureKinds['rolling']> = {
  names: itself,
  needs: ({ column, window }) => [{ column, back: window - 1 }],
  machine({ column, window, fn }, making) {
    const { values, back } = making.column(column);
    const over = fn === 'median' ? medians(window) : inParts(window, partsOf[fn](window));
    return {
      run: ({ rows, first }) => over(values, { at: back, first, rows }, making.outs[0]!.now(rows)),
    };
  },
};

/** `first` is the row that place `at` has in the whole table. */
type Rows = { readonly at: number; readonly first: number; readonly rows: number };
type OverWindows = (values: Float64Array, rows: Rows, out: Float64Array) => void;

/**
 * Windows are put together at rows that are multiples of the window, so that a table has the same bits
 * wherever its blocks begin.
 */
const inParts =
  (window: number, parts: Parts): OverWindows =>
  (values, { at, first, rows }, out) => {
    for (let row = 0; row < rows; ) {
      const behind = (first + row) % window;
      const count = Math.min(rows - row, window - behind);
      parts.run(values, at + row - behind, behind, behind + count, out, row);
      row += count;
    }
  };

/**
 * `run`: windows that end at the places `from` to `to` (not included) after `start`; each is made of what
 * lies before `start`, summed up backward from there, and of what lies after it, summed up forward.
 */
type Parts = {
  run(values: Float64Array, start: number, from: number, to: number, out: Float64Array, outAt: number): void;
};

/** Sums, or means. A window that ends at place p holds the newest `window - 1 - p` before the start. */
const sums =
  (isMean: boolean) =>
  (window: number): Parts => {
    const before = new Float64Array(window);
    const parts = isMean ? window : 1;
    return {
      run(values, start, from, to, out, outAt) {
        for (let back = 1; back < window - from; back++)
          before[back] = before[back - 1]! + values[start - back]!;
        let after = 0;
        for (let p = 0; p < from; p++) after += values[start + p]!;
        for (let p = from; p < to; p++) {
          after += values[start + p]!;
          out[outAt + p - from] = (before[window - 1 - p]! + after) / parts;
        }
      },
    };
  };

/** The largest values, or the least, where the sign is -1. */
const extremes =
  (sign: 1 | -1) =>
  (window: number): Parts => {
    const before = new Float64Array(window).fill(-Infinity);
    return {
      run(values, start, from, to, out, outAt) {
        for (let back = 1; back < window - from; back++)
          before[back] = Math.max(before[back - 1]!, sign * values[start - back]!);
        let after = -Infinity;
        for (let p = 0; p < from; p++) after = Math.max(after, sign * values[start + p]!);
        for (let p = from; p < to; p++) {
          after = Math.max(after, sign * values[start + p]!);
          out[outAt + p - from] = sign * Math.max(before[window - 1 - p]!, after);
        }
      },
    };
  };

/** Sums of squared deviations of two parts, put together (Chan, Golub and LeVeque 1979). */
function deviations(window: number): Parts {
  const means = new Float64Array(window);
  const squares = new Float64Array(window);
  return {
    run(values, start, from, to, out, outAt) {
      const reach = window - 1 - from;
      let mean = 0;
      let square = 0;
      for (let back = 1; back <= reach; back++) {
        const off = values[start - back]! - mean;
        mean += off / back;
        square += off * (values[start - back]! - mean);
        means[back] = mean;
        squares[back] = square;
      }
      mean = 0;
      square = 0;
      for (let p = 0; p < to; p++) {
        const off = values[start + p]! - mean;
        mean += off / (p + 1);
        square += off * (values[start + p]! - mean);
        if (p < from) continue;
        const back = window - 1 - p;
        const apart = back > 0 ? means[back]! - mean : 0;
        const all = square + (back > 0 ? squares[back]! : 0) + (apart * apart * back * (p + 1)) / window;
        out[outAt + p - from] = Math.sqrt(all / (window - 1));
      }
    },
  };
}

const partsOf: Readonly<Record<Exclude<Fn, 'median'>, (window: number) => Parts>> = {
  sum: sums(false),
  mean: sums(true),
  min: extremes(-1),
  max: extremes(1),
  std: deviations,
};

/** The values of the window are kept in order. */
const medians =
  (window: number): OverWindows =>
  (values, { at, rows }, out) => {
    const known = values.slice(at - window + 1, at).filter(value => !Number.isNaN(value));
    const sorted = new Float64Array(window);
    sorted.set(known.sort());
    let count = known.length;
    const below = (window - 1) >> 1;
    for (let row = 0; row < rows; row++) {
      const value = values[at + row]!;
      if (!Number.isNaN(value)) insert(sorted, count++, value);
      out[row] = count === window ? (sorted[below]! + sorted[window >> 1]!) / 2 : NaN;
      const oldest = values[at + row - window + 1]!;
      if (!Number.isNaN(oldest)) remove(sorted, count--, oldest);
    }
  };

function placeOf(sorted: Float64Array, count: number, value: number): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

function insert(sorted: Float64Array, count: number, value: number): void {
  const place = placeOf(sorted, count, value);
  sorted.copyWithin(place + 1, place, count);
  sorted[place] = value;
}

function remove(sorted: Float64Array, count: number, value: number): void {
  const place = placeOf(sorted, count, value);
  sorted.copyWithin(place, place + 1, count);
}
