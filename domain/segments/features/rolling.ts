import { itself, type FeatureMaker } from '../columns.js';
import type { FeatureKinds } from '../recipe.js';

type Fn = FeatureKinds['rolling']['fn'];

/** A function of the newest `window` values, NaN where one of them is missing; sample deviation. */
export const rolling: FeatureMaker<FeatureKinds['rolling']> = {
  names: itself,
  needs: ({ column, window }) => [{ column, back: window - 1 }],
  machine({ column, window, fn }, making) {
    const { values, back } = making.column(column);
    return {
      run: ({ rows, first }) =>
        overWindows(fn, window, values, { at: back, first, rows }, making.outs[0]!.now(rows)),
    };
  },
};

/**
 * `first` is the row that place `at` has in the whole table: windows are put together at rows that are
 * multiples of the window, so that a table has the same bits wherever its blocks begin.
 */
function overWindows(
  fn: Fn,
  window: number,
  values: Float64Array,
  place: { readonly at: number; readonly first: number; readonly rows: number },
  out: Float64Array,
): void {
  if (fn === 'median') {
    rollingMedian(window, values, place, out);
    return;
  }
  const parts = partsOf[fn](window);
  const { at, first, rows } = place;
  for (let row = 0; row < rows; ) {
    // The part of the table between two multiples of the window
    const behind = (first + row) % window;
    const count = Math.min(rows - row, window - behind);
    parts.run(values, at + row - behind, behind, behind + count, out, row);
    row += count;
  }
}

/**
 * `run`: windows that end at the places `from` to `to` (not included) after `start`; each is made of what
 * lies before `start`, summed up backward from there, and of what lies after it, summed up forward.
 */
type Parts = {
  run(values: Float64Array, start: number, from: number, to: number, out: Float64Array, outAt: number): void;
};

function folding(join: (a: number, b: number) => number, done: (all: number) => number) {
  return (window: number): Parts => {
    const before = new Float64Array(window);
    return {
      run(values, start, from, to, out, outAt) {
        // A window that ends at place p holds what lies window - 1 - p or fewer before the start
        const reach = window - 1 - from;
        let all = NaN;
        for (let back = 1; back <= reach; back++) {
          const value = values[start - back]!;
          all = back === 1 ? value : join(all, value);
          before[back] = all;
        }
        all = NaN;
        for (let p = 0; p < to; p++) {
          const value = values[start + p]!;
          all = p === 0 ? value : join(all, value);
          if (p < from) continue;
          const back = window - 1 - p;
          out[outAt + p - from] = done(back > 0 ? join(before[back]!, all) : all);
        }
      },
    };
  };
}

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

const plus = (a: number, b: number): number => a + b;
const same = (all: number): number => all;
const partsOf: Readonly<Record<Exclude<Fn, 'median'>, (window: number) => Parts>> = {
  sum: folding(plus, same),
  mean: window => folding(plus, all => all / window)(window),
  min: folding(Math.min, same),
  max: folding(Math.max, same),
  std: deviations,
};

function rollingMedian(
  window: number,
  values: Float64Array,
  { at, rows }: { readonly at: number; readonly rows: number },
  out: Float64Array,
): void {
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
}

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
