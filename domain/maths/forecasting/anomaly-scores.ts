import { quantile } from '../series/quantile.js';
import { stepOf, type QuantileForecast } from './quantiles.js';
import { probabilityBelow, quantileOf } from './tails.js';

export type AnomalyOptions = {
  /** The first value to be judged, by its place; the ones before it are context only. At least 1. */
  readonly from: number;
  /** How many steps are forecast from one origin: 1 sees most; more need fewer forecasts. */
  readonly steps: number;
  /**
   * A value is flagged that lies outside the middle share of this size, 0..1: 0.99 flags one regular value of
   * a hundred.
   */
  readonly level: number;
};

/**
 * What was made of values[from], values[from + 1], ...; NaN where the value is missing or none of the 512
 * before its origin is known. `expected`: the median. `score`: how far the value lies from it in half widths
 * of the 80% band on its side (1 is the edge), within +-1e6. From 30 values on the bands are scaled to hold
 * 80% of them (`calibration`). `lower`, `upper`: where the band of the level ends. `tail`: how likely a
 * regular value lies as far out, or farther, on either
 * side, 0..1. `flagged`: places in `values`.
 */
export type Anomalies = {
  readonly from: number;
  readonly expected: Float64Array;
  readonly score: Float64Array;
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  readonly tail: Float64Array;
  readonly flagged: readonly number[];
};

/** Scores lie within these bounds. */
const LARGEST_SCORE = 1e6;

type Forecasts = ReadonlyMap<number, QuantileForecast>;
type JudgedValue = {
  readonly place: number;
  readonly value: number;
  readonly score: number;
  readonly row: Float64Array;
  readonly levels: readonly number[];
};

/** Judges the known values from `from` on by what was forecast for them, from each origin. */
export function judge(values: Float64Array, options: AnomalyOptions, forecasts: Forecasts): Anomalies {
  const { from, level } = options;
  const judged = judgedOf(values, options, forecasts);
  const wider = calibration(judged);
  const column = (): Float64Array => new Float64Array(Math.max(0, values.length - from)).fill(NaN);
  const found = {
    from,
    expected: column(),
    score: column(),
    lower: column(),
    upper: column(),
    tail: column(),
    flagged: [] as number[],
  };
  for (const { place, value, row, levels, score } of judged) {
    const median = row[levels.indexOf(0.5)]!;
    const below = probabilityBelow(row, levels, median + (value - median) / wider);
    const tail = 2 * Math.min(below, 1 - below);
    found.expected[place - from] = median;
    found.score[place - from] = Math.max(-LARGEST_SCORE, Math.min(LARGEST_SCORE, score / wider));
    const edge = (at: number): number => median + wider * (quantileOf(row, levels, at) - median);
    found.lower[place - from] = edge((1 - level) / 2);
    found.upper[place - from] = edge((1 + level) / 2);
    found.tail[place - from] = tail;
    if (tail < 1 - level) found.flagged.push(place);
  }
  return found;
}

/** The known values, each beside what was forecast for it. */
function judgedOf(
  values: Float64Array,
  { from, steps }: AnomalyOptions,
  forecasts: Forecasts,
): JudgedValue[] {
  const judged: JudgedValue[] = [];
  for (let place = from; place < values.length; place++) {
    const step = (place - from) % steps;
    const forecast = forecasts.get(place - step);
    const value = values[place]!;
    if (!forecast || Number.isNaN(value)) continue;
    const row = stepOf(forecast, step);
    const { levels } = forecast;
    judged.push({ place, value, row, levels, score: scoreOf(value, row, levels) });
  }
  return judged;
}

/** The nine levels end at 0.1 and 0.9: the outermost quantiles are the 80% band. */
function scoreOf(value: number, row: Float64Array, levels: readonly number[]): number {
  const median = row[levels.indexOf(0.5)]!;
  const distance = value - median;
  const half = distance < 0 ? median - row[0]! : row.at(-1)! - median;
  return distance === 0 ? 0 : distance / half;
}

/**
 * With fewer values there is no telling whether the bands are too narrow; factors beyond 4 would be no
 * calibration any more.
 */
const ENOUGH_VALUES = 30;
const WIDEST_SCALING = 4;

/**
 * The factor by which the 80% bands would hold 80% of the values. A few anomalies among them hardly move it:
 * that is why it is not taken at a higher level.
 */
function calibration(judged: readonly JudgedValue[]): number {
  const sizes = judged.map(({ score }) => Math.min(LARGEST_SCORE, Math.abs(score))).sort((a, b) => a - b);
  if (sizes.length < ENOUGH_VALUES) return 1;
  return Math.min(WIDEST_SCALING, Math.max(1 / WIDEST_SCALING, quantile(sizes, 0.8)));
}
