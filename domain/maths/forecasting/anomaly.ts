import { quantile } from '../series/quantile.js';
import { knownBefore, type ForecastMany, type ForecastSeries } from './forecaster.js';
import { stepOf, type QuantileForecast } from './quantiles.js';

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
 * 80% of them (`widthOf`). `tail`: how likely a regular value lies as far out, or farther, on either side,
 * 0..1. `flagged`: places in `values`.
 */
export type Anomalies = {
  readonly from: number;
  readonly expected: Float64Array;
  readonly score: Float64Array;
  readonly tail: Float64Array;
  readonly flagged: readonly number[];
};

/**
 * Which values are not what the ones before them led to expect: forecasts from rolling origins, all in one
 * batched call. Since a wild value would spoil the next forecasts, there is a second call in which the values
 * that the first one flagged are missing, for the origins behind the first of them.
 */
export async function anomalies(
  series: ForecastSeries,
  options: AnomalyOptions,
  forecast: ForecastMany,
): Promise<Anomalies> {
  const { values } = series;
  const origins = originsOf(values.length, options);
  const first = await ask(series, origins, options.steps, forecast);
  const judged = judge(values, options, first);
  const [flag] = judged.flagged;
  if (flag === undefined) return judged;
  const cleaned = values.slice();
  for (const place of judged.flagged) cleaned[place] = NaN;
  const second = await ask(
    { ...series, values: cleaned },
    origins.filter(origin => origin > flag),
    options.steps,
    forecast,
  );
  return judge(values, options, new Map([...first, ...second]));
}

function originsOf(length: number, { from, steps }: AnomalyOptions): number[] {
  if (![from, steps].every(count => Number.isSafeInteger(count) && count >= 1))
    throw new RangeError('anomalies are judged from place 1 on, with one step or more');
  return Array.from({ length: Math.max(0, Math.ceil((length - from) / steps)) }, (_, i) => from + i * steps);
}

/** The forecast of each origin that has a known value not long before it. */
async function ask(
  { values, period }: ForecastSeries,
  origins: readonly number[],
  steps: number,
  forecast: ForecastMany,
): Promise<Map<number, QuantileForecast>> {
  const askable = origins.filter(origin => knownBefore(values, origin));
  if (!askable.length) return new Map();
  const answers = await forecast(
    askable.map(origin => ({ values: values.subarray(0, origin), period })),
    steps,
  );
  return new Map(askable.map((origin, i) => [origin, answers[i]!]));
}

type Forecasts = ReadonlyMap<number, QuantileForecast>;
type Judged = {
  readonly place: number;
  readonly value: number;
  readonly score: number;
  readonly row: Float64Array;
  readonly levels: readonly number[];
};

function judge(values: Float64Array, options: AnomalyOptions, forecasts: Forecasts): Anomalies {
  const { from, level } = options;
  const judged = judgedOf(values, options, forecasts);
  const wider = widthOf(judged);
  const column = (): Float64Array => new Float64Array(Math.max(0, values.length - from)).fill(NaN);
  const found = { from, expected: column(), score: column(), tail: column(), flagged: [] as number[] };
  for (const { place, value, row, levels, score } of judged) {
    const median = row[levels.indexOf(0.5)]!;
    const below = probabilityBelow(row, levels, median + (value - median) / wider);
    const tail = 2 * Math.min(below, 1 - below);
    found.expected[place - from] = median;
    found.score[place - from] = Math.max(-LIMIT, Math.min(LIMIT, score / wider));
    found.tail[place - from] = tail;
    if (tail < 1 - level) found.flagged.push(place);
  }
  return found;
}

/** The known values, each beside what was forecast for it. */
function judgedOf(values: Float64Array, { from, steps }: AnomalyOptions, forecasts: Forecasts): Judged[] {
  const judged: Judged[] = [];
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

const LIMIT = 1e6;

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
const ENOUGH = 30;
const WIDEST = 4;

/**
 * The factor by which the 80% bands would hold 80% of the values. A few anomalies among them hardly move it:
 * that is why it is not taken at a higher level.
 */
function widthOf(judged: readonly Judged[]): number {
  const sizes = judged.map(({ score }) => Math.min(LIMIT, Math.abs(score))).sort((a, b) => a - b);
  return sizes.length < ENOUGH ? 1 : Math.min(WIDEST, Math.max(1 / WIDEST, quantile(sizes, 0.8)));
}

/**
 * How likely a value below this one is, by ascending quantiles at ascending levels: what `quantileOf` is the
 * inverse of, linear between two levels and with an exponential tail beyond the outermost. Of several levels
 * at one value, their middle.
 */
export function probabilityBelow(quantiles: Float64Array, levels: readonly number[], value: number): number {
  const last = levels.length - 1;
  if (value < quantiles[0]!) return beyond(quantiles, 0, 1, levels[0]!, levels[1]!, value);
  if (value > quantiles[last]!)
    return 1 - beyond(quantiles, last, last - 1, 1 - levels[last]!, 1 - levels[last - 1]!, value);
  const high = quantiles.findIndex(known => known >= value);
  const low = quantiles.findLastIndex(known => known <= value);
  if (low >= high) return (levels[high]! + levels[low]!) / 2;
  const share = (value - quantiles[low]!) / (quantiles[high]! - quantiles[low]!);
  return levels[low]! * (1 - share) + levels[high]! * share;
}

/** What is left beyond a value, of `at` beyond the outermost quantile and `from` beyond the next one in. */
function beyond(
  quantiles: Float64Array,
  outer: number,
  inner: number,
  at: number,
  from: number,
  value: number,
): number {
  const step = quantiles[inner]! - quantiles[outer]!;
  return step === 0 ? 0 : at * (from / at) ** ((value - quantiles[outer]!) / step);
}
