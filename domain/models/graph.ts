import { seasonalNaive } from '../maths/forecasting/baselines/index.js';
import { LEVELS, medians } from '../maths/forecasting/quantiles.js';

// How a series goes into the network of an imported model, and how a forecast comes out of it.

export const INPUT_TYPES = ['float32', 'float64'] as const;
export const MISSING = ['nan', 'linear'] as const;
export const PADS = ['nan', 'zero', 'first'] as const;
export const FORMS = ['levels_last', 'levels_first', 'points'] as const;
export const SCALINGS = ['none', 'mean_abs', 'z_score'] as const;

/**
 * A network with one input, a batch of one series, and one output, its forecast of as many steps as the model
 * can do.
 */
export type Graph = {
  readonly input: {
    readonly name: string;
    readonly type: (typeof INPUT_TYPES)[number];
    /** Whether the input is [1, length, 1] instead of [1, length]. */
    readonly channel: boolean;
    /** Values that it always takes; null: any number of them up to the model's context. */
    readonly length: number | null;
    /** What stands where a value is missing: NaN, or the line between those around it. */
    readonly missing: (typeof MISSING)[number];
    /** What stands before a series that is shorter than `length`, after scaling. */
    readonly pad: (typeof PADS)[number];
  };
  readonly output: {
    readonly name: string;
    /** [1, horizon, levels], [1, levels, horizon], or one value for each step. */
    readonly form: (typeof FORMS)[number];
  };
  /** What is done to the known values before, and undone after: less their mean, by their deviation, ... */
  readonly scaling: (typeof SCALINGS)[number];
};

/** What the scaling took from the values: x = (value - from) / by. */
export type Scale = { readonly from: number; readonly by: number };
export type Prepared = { readonly values: Float64Array; readonly scale: Scale };

/** The levels of what comes out: a network that gives points gets the nine of every forecast. */
export const levelsOf = (model: {
  readonly graph?: Graph | null;
  readonly quantiles: readonly number[];
}): readonly number[] => (model.graph?.output.form === 'points' ? LEVELS : model.quantiles);

/** The newest values of a series as the network takes them; at least one of them is known. */
export function prepared({ input, scaling }: Graph, series: Float64Array): Prepared {
  const newest = input.length === null ? series : series.subarray(-input.length);
  const scale = scaleOf(newest, scaling);
  const whole = input.missing === 'linear' ? withoutGaps(newest) : newest;
  const values = whole.map(value => (value - scale.from) / scale.by);
  return { values: input.length === null ? values : padded(values, input.length, input.pad), scale };
}

function scaleOf(values: Float64Array, scaling: Graph['scaling']): Scale {
  if (scaling === 'none') return { from: 0, by: 1 };
  const known = values.filter(value => !Number.isNaN(value));
  const mean = (numbers: Float64Array): number => numbers.reduce((sum, x) => sum + x / numbers.length, 0);
  if (scaling === 'mean_abs') return { from: 0, by: mean(known.map(Math.abs)) || 1 };
  const from = mean(known);
  return { from, by: Math.sqrt(mean(known.map(x => (x - from) ** 2))) || 1 };
}

/** Missing values on the lines between their neighbours; at the ends the neighbour itself. */
function withoutGaps(values: Float64Array): Float64Array {
  const whole = values.slice();
  let last = -1;
  for (let i = 0; i <= whole.length; i++) {
    if (i < whole.length && Number.isNaN(whole[i]!)) continue;
    const before = last < 0 ? whole[i]! : whole[last]!;
    const after = i === whole.length ? before : whole[i]!;
    for (let gap = last + 1; gap < i; gap++)
      whole[gap] = before + ((after - before) * (gap - last)) / (i - last);
    last = i;
  }
  return whole;
}

function padded(values: Float64Array, length: number, pad: Graph['input']['pad']): Float64Array {
  const missing = length - values.length;
  const whole = new Float64Array(length).fill({ nan: NaN, zero: 0, first: values[0]! }[pad], 0, missing);
  whole.set(values, missing);
  return whole;
}

/** Of what the network answered for all its steps, the quantiles of the first ones, row by row. */
export function quantilesOf(
  { output }: Graph,
  answered: ArrayLike<number>,
  { scale }: Prepared,
  asked: {
    readonly series: Float64Array;
    readonly period: number;
    readonly horizon: number;
    readonly steps: number;
  },
): Float64Array {
  const { horizon, steps } = asked;
  const at = (index: number): number => answered[index]! * scale.by + scale.from;
  if (output.form === 'points')
    return banded(
      Float64Array.from({ length: horizon }, (_, step) => at(step)),
      asked,
    );
  const count = answered.length / steps;
  const place = (step: number, level: number): number =>
    output.form === 'levels_last' ? step * count + level : level * steps + step;
  const values = new Float64Array(horizon * count);
  for (let step = 0; step < horizon; step++) {
    const row = Float64Array.from({ length: count }, (_, level) => at(place(step, level)));
    // Networks let quantiles cross now and then
    values.set(row.sort(), step * count);
  }
  return values;
}

/** The bands of the seasonal naive forecast, around other points. */
function banded(
  points: Float64Array,
  { series, period }: { readonly series: Float64Array; readonly period: number },
): Float64Array {
  const naive = seasonalNaive(series, period, points.length);
  const middles = medians(naive);
  return naive.values.map((value, i) => {
    const step = Math.floor(i / LEVELS.length);
    return value - middles[step]! + points[step]!;
  });
}
