import type { Step } from '../maths/series/grid.js';
import { Rejected } from '../rejected.js';
import { scalesOf } from './grade.js';
import type { Calibration, Driver, InferenceSeries, SeriesForecasted, Warning } from './forecasting.js';
import type { Moves } from './moves.js';
import { timeOfStep } from './steps.js';

/** The forecast of one series as it is kept: columns of numbers. Times are epoch ms. */
export type KeptForecast = {
  readonly id: string;
  /** Time of the first step ahead, and how long steps are. */
  readonly start: number;
  readonly step: Step;
  /** As in `InferenceSeries`. */
  readonly nearest?: true;
  /** Of a goal's target: a step holds [t, t + step), and its actual is the mean of its points. */
  readonly holds?: true;
  /** When its steps begin, epoch ms; of calendar months also when the last ends. Absent: they are even. */
  readonly times?: readonly number[];
  /** Null: it is the quantile at 0.5. */
  readonly mean: readonly number[] | null;
  /** For each of the levels one number for each step. */
  readonly quantiles: readonly (readonly number[])[];
  readonly period: number;
  readonly lookbackUsed: number;
  readonly filledPoints: number;
  readonly calibration: Calibration;
  readonly explanation: {
    readonly components: readonly { readonly name: string; readonly points: readonly number[] }[];
    readonly drivers: readonly Driver[];
  } | null;
  readonly warnings: readonly Warning[];
  /** Time of the newest value that was read. */
  readonly cutoff: number;
  /** What its errors are measured in (`scalesOf` what was read); null: the history never changes. */
  readonly scales: { readonly seasonal: number | null; readonly squaredChange: number | null };
};
export type KeptForecasts = {
  readonly levels: readonly number[];
  readonly forecasts: readonly KeptForecast[];
  /** Of a goal's target. */
  readonly moves?: Moves;
};

/**
 * What is kept of a forecast of a series.
 * @throws Rejected 422 invalid_series where numbers are so large that a forecast of them is none
 */
export function keptForecast(series: InferenceSeries, made: SeriesForecasted, cutoff: number): KeptForecast {
  const { id, times, mean, quantiles, explanation, ...rest } = made;
  if (!quantiles.every(({ values }) => allFinite(values)) || !allFinite(mean)) throw tooLarge(id);
  const median = quantiles.find(({ level }) => level === 0.5)?.values;
  const scales = scalesOf(series.values.subarray(-made.lookbackUsed), made.period);
  return {
    id,
    start: times[0]!,
    step: series.step,
    ...(series.nearest && { nearest: true }),
    mean: median && isSame(mean, median) ? null : plain(mean),
    quantiles: quantiles.map(({ values }) => plain(values)),
    period: rest.period,
    lookbackUsed: rest.lookbackUsed,
    filledPoints: rest.filledPoints,
    calibration: rest.calibration,
    explanation: explanation && {
      components: explanation.components.map(({ name, points }) => ({ name, points: plain(points) })),
      drivers: explanation.drivers,
    },
    warnings: rest.warnings,
    cutoff,
    scales: { seasonal: orNull(scales.seasonal), squaredChange: orNull(scales.squaredChange) },
  };
}

/** Without holes, which JSON takes twice as long to write. */
function plain(column: Float64Array): number[] {
  const list: number[] = [];
  for (let i = 0; i < column.length; i++) list.push(column[i]!);
  return list;
}

function allFinite(column: Float64Array): boolean {
  for (let i = 0; i < column.length; i++) if (!Number.isFinite(column[i])) return false;
  return true;
}

function isSame(a: Float64Array, b: Float64Array): boolean {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

const tooLarge = (id: string): Rejected =>
  new Rejected(
    'unprocessable',
    'invalid_series',
    `${id} cannot be forecast: its numbers are too large, and what follows from them is infinite`,
    { id },
  );

const orNull = (scale: number): number | null => (scale > 0 ? scale : null);

/** The time that a step of a forecast is called by; also of the one behind its last, where it ends. */
export function timeIn(forecast: KeptForecast, h: number): number {
  const { times } = forecast;
  if (!times) return timeOfStep(forecast, h);
  return times[h] ?? times.at(-1)! + (h - times.length + 1) * forecast.step.ms;
}

/** The means of a forecast that is kept, one for each step. */
export const meanOf = ({ mean, quantiles }: KeptForecast, levels: readonly number[]): readonly number[] =>
  mean ?? quantiles[levels.indexOf(0.5)]!;
