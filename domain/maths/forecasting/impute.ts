import { quantile } from '../series/quantile.js';
import { bridged, lastingOf } from './bridge.js';
import { unforecastable, type ForecastMany, type ForecastSeries } from './forecaster.js';
import { medians, stepOf, type QuantileForecast } from './quantiles.js';

/** Missing values in a row: the first and how many; `quantiles` of each, null where there are too many. */
export type Gap = {
  readonly from: number;
  readonly length: number;
  readonly quantiles: QuantileForecast | null;
};

/**
 * `values` with the medians in the gaps. `share`: how much of these is forecast, the rest is a straight line;
 * see `tuned`.
 */
export type Imputed = {
  readonly values: Float64Array;
  readonly gaps: readonly Gap[];
  readonly share: number;
};

/**
 * Trials: of so many points in all, within these bounds; each at least so many steps from the ends of the
 * series.
 */
const POINTS = 48;
const FEWEST = 8;
const MOST = 24;
const CONTEXT = 8;

/**
 * Fills gaps (NaN) of a series by a forecast from what is before and one of the turned series from what is
 * after, each drawn to the value that is known at its far end (`bridged`), and mixed by nearness, quantile by
 * quantile. How far to trust that is tried out on known values that are treated as gaps (`tuned`). A gap at
 * an end of the series has one forecast, as it is. All is one batched call. `horizon`: how far the forecaster
 * goes at most; gaps of so many steps and more stay.
 * @throws Rejected when no value is known
 */
export async function impute(
  series: ForecastSeries,
  horizon: number,
  forecast: ForecastMany,
): Promise<Imputed> {
  const { values } = series;
  if (values.every(Number.isNaN)) throw unforecastable(0, 'none of its values is known');
  const holes = holesOf(values);
  const fillable = holes.filter(({ length }) => length < horizon);
  const trials = trialsOf(values, fillable);
  const tell = await told(series, [...fillable, ...trials], forecast);
  const tuning = tuned(values, trials, tell);
  const filled = values.slice();
  const gaps = holes.map((hole): Gap => {
    if (hole.length >= horizon) return { ...hole, quantiles: null };
    const quantiles = isInside(values, hole)
      ? adjusted(tell(hole), lineOf(values, hole), tuning)
      : tell(hole);
    filled.set(medians(quantiles), hole.from);
    return { ...hole, quantiles };
  });
  return { values: filled, gaps, share: tuning.share };
}

type Hole = { readonly from: number; readonly length: number };

function holesOf(values: Float64Array): Hole[] {
  const holes: Hole[] = [];
  for (let from = 0, end = 0; from < values.length; from = end + 1) {
    for (end = from; end < values.length && Number.isNaN(values[end]!); ) end++;
    if (end > from) holes.push({ from, length: end - from });
  }
  return holes;
}

const isInside = (values: Float64Array, { from, length }: Hole): boolean =>
  from > 0 && from + length < values.length;

/** Known stretches as long as the middle one of the gaps inside, evenly spread. */
function trialsOf(values: Float64Array, holes: readonly Hole[]): Hole[] {
  const lengths = holes
    .filter(hole => isInside(values, hole))
    .map(hole => hole.length)
    .sort((a, b) => a - b);
  const length = lengths[lengths.length >> 1];
  if (length === undefined) return [];
  const places: number[] = [];
  for (let at = 0, known = 0; at < values.length; at++) {
    known = Number.isNaN(values[at]!) ? 0 : known + 1;
    if (known >= length + 2 && at >= CONTEXT + length && at < values.length - CONTEXT)
      places.push(at - length);
  }
  const count = Math.min(places.length, MOST, Math.max(FEWEST, Math.ceil(POINTS / length)));
  return Array.from({ length: count }, (_, i) => ({
    from: places[Math.floor(((i + 0.5) * places.length) / count)]!,
    length,
  }));
}

type Told = (hole: Hole) => QuantileForecast;

/** What the forecasts from both sides say about each hole. */
async function told(
  { values, period }: ForecastSeries,
  holes: readonly Hole[],
  forecast: ForecastMany,
): Promise<Told> {
  const turned = values.slice().reverse();
  const asked: ForecastSeries[] = [];
  const places = new Map<Hole, readonly number[]>();
  const ask = (known: Float64Array): number =>
    known.length > 0 ? asked.push({ values: known, period }) - 1 : -1;
  for (const hole of holes) {
    const after = values.length - hole.from - hole.length;
    places.set(hole, [ask(values.subarray(0, hole.from)), ask(turned.subarray(0, after))]);
  }
  const answers = asked.length
    ? await forecast(asked, 1 + Math.max(...holes.map(({ length }) => length)))
    : [];
  const lasting = lastingOf(values, period);
  return hole => {
    const [before, after] = places.get(hole)!.map(place => answers[place]);
    return joined(
      hole.length,
      before,
      after,
      values[hole.from - 1]!,
      values[hole.from + hole.length]!,
      lasting,
    );
  };
}

function joined(
  length: number,
  before: QuantileForecast | undefined,
  after: QuantileForecast | undefined,
  first: number,
  last: number,
  lasting: number,
): QuantileForecast {
  const left =
    before
    && (after ? bridged(before, length, last, lasting) : Array.from({ length }, (_, i) => stepOf(before, i)));
  const right =
    after
    && (before ? bridged(after, length, first, lasting) : Array.from({ length }, (_, i) => stepOf(after, i)));
  return made((before ?? after)!.levels, length, i => {
    const here = left?.[i];
    const there = right?.[length - 1 - i];
    const share = 1 - (i + 1) / (length + 1);
    return here && there ? here.map((x, k) => share * x + (1 - share) * there[k]!) : (here ?? there)!;
  });
}

function made(
  levels: readonly number[],
  horizon: number,
  rowOf: (step: number) => Float64Array,
): QuantileForecast {
  const values = new Float64Array(horizon * levels.length);
  for (let step = 0; step < horizon; step++) values.set(rowOf(step), step * levels.length);
  return { horizon, levels, values };
}

const lineOf = (values: Float64Array, { from, length }: Hole): Float64Array => {
  const first = values[from - 1]!;
  const last = values[from + length]!;
  return Float64Array.from({ length }, (_, i) => first + ((last - first) * (i + 1)) / (length + 1));
};

type Tuning = { readonly share: number; readonly wider: number };

/** The rows moved towards the line, their distances from the median scaled. */
const adjusted = (
  forecast: QuantileForecast,
  line: Float64Array,
  { share, wider }: Tuning,
): QuantileForecast => {
  const middle = medians(forecast);
  return made(forecast.levels, forecast.horizon, step =>
    stepOf(forecast, step).map(
      x => share * middle[step]! + (1 - share) * line[step]! + wider * (x - middle[step]!),
    ),
  );
};

const SHARES = [1, 0.75, 0.5, 0.25, 0];
const WIDEST = 8;
const BAND = 0.8;

/**
 * The share of the forecasts in the median that would have come nearest to the values of the trials, and the
 * factor by which their 80% bands would have held 80% of them. Without trials the forecasts as they are.
 */
function tuned(values: Float64Array, trials: readonly Hole[], tell: Told): Tuning {
  if (!trials.length) return { share: 1, wider: 1 };
  const tried = trials.map(hole => ({ hole, forecast: tell(hole), line: lineOf(values, hole) }));
  const missesAt = (share: number): number[] =>
    tried.flatMap(({ hole, forecast, line }) =>
      [...medians(forecast)].map((x, i) =>
        Math.abs(share * x + (1 - share) * line[i]! - values[hole.from + i]!),
      ),
    );
  const { misses, share } = SHARES.map(share => ({ share, misses: missesAt(share) })).reduce((a, b) =>
    sum(b.misses) < sum(a.misses) ? b : a,
  );
  const halves = tried.flatMap(({ forecast }) =>
    Array.from({ length: forecast.horizon }, (_, i) => halfOf(stepOf(forecast, i))),
  );
  const ratios = misses
    .flatMap((miss, i) => (halves[i]! > 0 ? [miss / halves[i]!] : []))
    .sort((a, b) => a - b);
  return { share, wider: ratios.length ? Math.min(WIDEST, Math.max(1 / WIDEST, quantile(ratios, BAND))) : 1 };
}

const halfOf = (row: Float64Array): number => (row.at(-1)! - row[0]!) / 2;

const sum = (numbers: readonly number[]): number => numbers.reduce((total, x) => total + x, 0);
