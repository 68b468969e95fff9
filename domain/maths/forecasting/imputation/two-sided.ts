import type { ForecastMany, ForecastSeries } from '../forecaster.js';
import { stepOf, type QuantileForecast } from '../quantiles.js';
import { bridged, lastingOf } from './bridge.js';
import type { Hole } from './holes.js';

/** What the forecasts from both sides say about a hole. */
export type HoleForecast = (hole: Hole) => QuantileForecast;

/** Forecasts holes from both sides, in one batched call; only these holes can be asked for. */
export async function forecastHoles(
  { values, period }: ForecastSeries,
  holes: readonly Hole[],
  forecast: ForecastMany,
): Promise<HoleForecast> {
  const turned = values.slice().reverse();
  const batch: ForecastSeries[] = [];
  const places = new Map<Hole, readonly number[]>();
  const add = (known: Float64Array): number =>
    known.length > 0 ? batch.push({ values: known, period }) - 1 : -1;
  for (const hole of holes) {
    const after = values.length - hole.from - hole.length;
    places.set(hole, [add(values.subarray(0, hole.from)), add(turned.subarray(0, after))]);
  }
  const horizon = 1 + Math.max(...holes.map(({ length }) => length));
  const answers = batch.length ? await forecast(batch, horizon) : [];
  const lasting = lastingOf(values, period);
  return hole => {
    const [before, after] = places.get(hole)!.map(place => answers[place]);
    const first = values[hole.from - 1]!;
    const last = values[hole.from + hole.length]!;
    return joined(hole.length, before, after, first, last, lasting);
  };
}

/** `first` and `last`: the values next to the hole; at an end of the series there is one forecast only. */
function joined(
  length: number,
  before: QuantileForecast | undefined,
  after: QuantileForecast | undefined,
  first: number,
  last: number,
  lasting: number,
): QuantileForecast {
  if (!before || !after) {
    const only = (before ?? after)!;
    return byRows(only.levels, length, i => stepOf(only, before ? i : length - 1 - i));
  }
  const left = bridged(before, length, last, lasting);
  const right = bridged(after, length, first, lasting);
  return byRows(before.levels, length, i => {
    const there = right[length - 1 - i]!;
    const share = 1 - (i + 1) / (length + 1);
    return left[i]!.map((x, k) => share * x + (1 - share) * there[k]!);
  });
}

/** A forecast made of a row of quantiles for each step. */
export function byRows(
  levels: readonly number[],
  horizon: number,
  rowOf: (step: number) => Float64Array,
): QuantileForecast {
  const values = new Float64Array(horizon * levels.length);
  for (let step = 0; step < horizon; step++) values.set(rowOf(step), step * levels.length);
  return { horizon, levels, values };
}
