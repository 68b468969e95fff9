import type { TunedWindow } from '../../domain/maths/finetuning/windows.js';
import { periodOf } from '../../domain/maths/forecasting/period.js';
import type { FineTuneAsked } from '../../domain/trainings/fine-tuning.js';
import type { Example } from './tuner.js';

export type Examples = {
  readonly of: (window: TunedWindow) => Example;
  /** As the backbone by itself would read it; null: as the adapter does. */
  readonly whole: ((window: TunedWindow) => Example) | null;
  /** Of the series of the table. */
  readonly periods: readonly number[];
};

/** Windows with their values. Periods are found in what is older than anything that is held out. */
export function examplesOf(
  { table, horizon, lookback, backbone }: FineTuneAsked,
  heldFrom: number,
): Examples {
  const periods = table.series.map(({ times, columns }) =>
    periodOf(columns[0]!.subarray(0, Math.max(1, before(times, heldFrom))), table.step),
  );
  const reading =
    (values: number) =>
    ({ series, origin }: TunedWindow): Example => {
      const target = table.series[series]!.columns[0]!;
      return {
        context: target.subarray(Math.max(0, origin - values), origin),
        period: periods[series]!,
        target: target.subarray(origin, origin + horizon),
      };
    };
  const isCut = lookback < backbone.maxContext && table.series.some(({ times }) => times.length > lookback);
  return { periods, of: reading(lookback), whole: isCut ? reading(backbone.maxContext) : null };
}

function before(times: Float64Array, at: number): number {
  const found = times.findIndex(time => time >= at);
  return found < 0 ? times.length : found;
}
