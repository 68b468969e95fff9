import type { Fill } from './forecasting.js';

export type Filled = { readonly values: Float64Array; readonly filled: number };

/**
 * Values (NaN where missing) with what is missing made up, and how much of it. `linear`: a straight line
 * between its neighbours in time; `ffill`: the value before; `seasonal`: the value a period before or, where
 * there is none, after, else a straight line. A line needs a value on both sides: what is missing at the end
 * stays so, and the model goes on from the last value it knows. Before the first value there is nothing to go
 * by. `none` leaves all as it is.
 */
export function filled(values: Float64Array, fill: Fill, period: number): Filled {
  if (fill === 'none' || !values.includes(NaN)) return { values, filled: 0 };
  const made = values.slice();
  if (fill === 'seasonal' && period > 1) fromSeason(made, values, period);
  if (fill === 'ffill') carryOn(made);
  else lines(made);
  const count = made.reduce(
    (sum, value, i) => sum + Number(Number.isNaN(values[i]!) && !Number.isNaN(value)),
    0,
  );
  return { values: made, filled: count };
}

function carryOn(made: Float64Array): void {
  for (let i = 1; i < made.length; i++) if (Number.isNaN(made[i]!)) made[i] = made[i - 1]!;
}

function lines(made: Float64Array): void {
  let before = -1;
  for (let i = 0; i < made.length; i++) {
    if (Number.isNaN(made[i]!)) continue;
    const from = made[before]!;
    if (before >= 0)
      for (let k = before + 1; k < i; k++) {
        const share = (k - before) / (i - before);
        made[k] = from * (1 - share) + made[i]! * share;
      }
    before = i;
  }
}

/** Of what was known, never of what was made up. Nothing before the first known value. */
function fromSeason(made: Float64Array, known: Float64Array, period: number): void {
  const first = known.findIndex(value => !Number.isNaN(value));
  for (let i = first + 1; i < made.length; i++)
    if (Number.isNaN(known[i]!)) made[i] = nearestInSeason(known, i, period);
}

function nearestInSeason(known: Float64Array, place: number, period: number): number {
  for (let back = place - period; back >= 0; back -= period)
    if (!Number.isNaN(known[back]!)) return known[back]!;
  for (let ahead = place + period; ahead < known.length; ahead += period)
    if (!Number.isNaN(known[ahead]!)) return known[ahead]!;
  return NaN;
}
