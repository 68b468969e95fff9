import type { Baseline } from './baseline.js';

/**
 * A baseline that needs a series beginning and ending with a number, made into one for any: missing values at
 * the beginning are left off; with missing values at the end it forecasts from the last number on, that many
 * steps further, and gives the last of these. So a forecast after a silence is as wide as the silence makes
 * it.
 */
export const betweenNumbers =
  (fit: Baseline): Baseline =>
  (series, period, horizon) => {
    checkArguments(series, period, horizon);
    const numbers = fromNumberToNumber(series);
    if (!numbers.length) throw new RangeError('a series without a number cannot be forecast');
    const silence = series.length - 1 - series.findLastIndex(Number.isFinite);
    const forecast = fit(numbers, period, horizon + silence);
    return { ...forecast, horizon, values: forecast.values.slice(silence * forecast.levels.length) };
  };

/** The series from its first number to its last; empty where it has none. */
export const fromNumberToNumber = (series: Float64Array): Float64Array =>
  series.slice(series.findIndex(Number.isFinite), series.findLastIndex(Number.isFinite) + 1);

export function checkArguments(series: Float64Array, period: number, horizon: number): void {
  if (!(Number.isInteger(period) && period >= 1))
    throw new RangeError(`a period is a whole number from 1 on, not ${period}`);
  if (!(Number.isInteger(horizon) && horizon >= 1))
    throw new RangeError(`a horizon is a whole number from 1 on, not ${horizon}`);
  if (!series.length) throw new RangeError('a series without a number cannot be forecast');
}

/**
 * The series without gaps: a missing value lies on the line between the nearest numbers before and after it
 * of the same phase of the season, or is the nearest one where there is only one of them; a phase without any
 * number takes the line between its neighbours in time. Period 1 is plain linear interpolation.
 */
export function filled(series: Float64Array, period: number): Float64Array {
  const values = Float64Array.from(series);
  if (!series.some(Number.isNaN)) return values;
  for (let phase = 0; phase < period; phase++) fillEvery(values, phase, period);
  if (period > 1) fillEvery(values, 0, 1);
  return values;
}

function fillEvery(values: Float64Array, from: number, every: number): void {
  let before = -1;
  for (let at = from; at < values.length; at += every) {
    if (Number.isNaN(values[at]!)) continue;
    for (let i = before < 0 ? from : before + every; i < at; i += every) {
      const share = (i - before) / (at - before);
      values[i] = before < 0 ? values[at]! : values[before]! * (1 - share) + values[at]! * share;
    }
    before = at;
  }
  for (let i = before + every; before >= 0 && i < values.length; i += every) values[i] = values[before]!;
}
