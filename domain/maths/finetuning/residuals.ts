import { seasonalNaive } from '../forecasting/baselines/index.js';
import { medians, type QuantileForecast } from '../forecasting/quantiles.js';
import { linearAt, ridge } from '../forecasting/ridge.js';

// What a model that cannot be trained is fitted by: its forecasts are moved and stretched, in closed form.

/**
 * Of forecasts, in units of their own width: how far the centre moves by itself and towards the last value
 * and the season before; and by which factors the bands below and above it become wider.
 */
export type Correction = {
  readonly shift: number;
  readonly towardsLast: number;
  readonly towardsSeason: number;
  readonly below: number;
  readonly above: number;
};

/** A forecast, and what it was made from. */
export type MadeFrom = {
  readonly forecast: QuantileForecast;
  readonly context: Float64Array;
  readonly period: number;
};
/** And what came, NaN where it is not known. */
export type MadeAndCame = MadeFrom & { readonly target: Float64Array };

/** Residuals and distances beyond so many widths count as so many: one surprise must not rule. */
const MOST = 5;
const FACTORS = [0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 1.8, 2.2];

/** So much of a correction: 0 leaves forecasts as they are. */
export const partOf = (correction: Correction, strength: number): Correction => ({
  shift: strength * correction.shift,
  towardsLast: strength * correction.towardsLast,
  towardsSeason: strength * correction.towardsSeason,
  below: 1 + strength * (correction.below - 1),
  above: 1 + strength * (correction.above - 1),
});

/** Ridge on the residuals of past forecasts, then the factors with the least quantile loss. */
export function correctionOf(past: readonly MadeAndCame[]): Correction {
  const rows: Float64Array[] = [];
  const residuals: number[] = [];
  for (const each of past) {
    const { unit, middles, towards } = lookedAt(each);
    each.target.subarray(0, middles.length).forEach((came, h) => {
      if (!Number.isFinite(came)) return;
      rows.push(towards(h));
      residuals.push(cut((came - middles[h]!) / unit));
    });
  }
  if (rows.length < 2) return { shift: 0, towardsLast: 0, towardsSeason: 0, below: 1, above: 1 };
  const fit = ridge(rows, [Float64Array.from(residuals)]);
  const [towardsLast, towardsSeason] = fit.weights[0]!;
  const moved = { shift: fit.intercepts[0]!, towardsLast: towardsLast!, towardsSeason: towardsSeason! };
  const best = (side: 'below' | 'above'): number => {
    const losses = FACTORS.map(factor => {
      const tried = { ...moved, below: 1, above: 1, [side]: factor };
      return past.reduce((sum, each) => sum + lossOf(corrected(each, tried), each.target, unitOf(each)), 0);
    });
    return FACTORS[losses.indexOf(Math.min(...losses))]!;
  };
  return { ...moved, below: best('below'), above: best('above') };
}

/** The forecast as it is corrected: quantiles ascend as before. */
export function corrected(made: MadeFrom, correction: Correction): QuantileForecast {
  const { unit, middles, towards } = lookedAt(made);
  const { shift, towardsLast, towardsSeason, below, above } = correction;
  const moves = { intercepts: [shift], weights: [Float64Array.of(towardsLast, towardsSeason)] };
  const { levels, values, horizon } = made.forecast;
  const centres = middles.map((middle, h) => middle + unit * linearAt(moves, towards(h))[0]!);
  return {
    ...{ horizon, levels },
    values: values.map((value, i) => {
      const h = Math.floor(i / levels.length);
      const apart = value - middles[h]!;
      return centres[h]! + apart * (apart < 0 ? below : above);
    }),
  };
}

/** The mean quantile loss in widths of the forecast; 0 where nothing came. */
export function lossOf({ levels, values }: QuantileForecast, target: Float64Array, unit: number): number {
  let sum = 0;
  let count = 0;
  target.forEach((came, h) => {
    if (!Number.isFinite(came) || (h + 1) * levels.length > values.length) return;
    count++;
    levels.forEach((level, k) => {
      const error = (came - values[h * levels.length + k]!) / unit;
      sum += Math.max(level * error, (level - 1) * error);
    });
  });
  return count === 0 ? 0 : sum / count / levels.length;
}

/** The mean width of the outermost band; of one without any, a hundredth of its size. */
export function unitOf({ forecast: { levels, values, horizon } }: MadeFrom): number {
  let width = 0;
  let size = 0;
  for (let h = 0; h < horizon; h++) {
    width += (values[(h + 1) * levels.length - 1]! - values[h * levels.length]!) / horizon;
    size += Math.abs(values[h * levels.length]!) / horizon;
  }
  return width > 1e-9 * size ? width : size / 100 || 1;
}

function lookedAt(made: MadeFrom) {
  const { forecast, context, period } = made;
  const unit = unitOf(made);
  const middles = medians(forecast);
  const last = context.findLast(value => !Number.isNaN(value)) ?? middles[0]!;
  const season = medians(seasonalNaive(context, period, forecast.horizon));
  const towards = (h: number): Float64Array =>
    Float64Array.of(cut((last - middles[h]!) / unit), cut((season[h]! - middles[h]!) / unit));
  return { unit, middles, towards };
}

const cut = (x: number): number => (Number.isFinite(x) ? Math.max(-MOST, Math.min(MOST, x)) : 0);
