import type { Millicredits } from './credits.js';
import { priceOf, type RateItem, type Rates } from './rates.js';

/** How deep a foundation model is fine-tuned. */
export const INTENSITIES = ['adapt', 'specialize', 'forge'] as const;
type Intensity = (typeof INTENSITIES)[number];

/** What work is to be priced, by operation. Counts are whole numbers from 1 where nothing else is said. */
export type Operations = {
  /** `calls` that answer `steps` values for each of `series`. */
  readonly inference: { readonly series: number; readonly steps: number; readonly calls: number };
  /** `replicas` kept ready (from 0) for `hours`. */
  readonly deployment: { readonly replicas: number; readonly hours: number };
  readonly finetune: { readonly intensity: Intensity; readonly trainings: number };
  readonly training: { readonly trainings: number };
  /** Every entry of the pool is trained once; null: not a foundation model. */
  readonly pipeline_cycle: { readonly entries: readonly (Intensity | null)[]; readonly cycles: number };
  readonly tournament: { readonly contestants: number };
  /** Each goal has a tournament, and `forecasts` (from 0) of `horizon` steps. */
  readonly fleet: {
    readonly goals: number;
    readonly contestants: number;
    readonly forecasts: number;
    readonly horizon: number;
  };
};
export type Operation = keyof Operations;

/** A line of an estimate: so much of one item. */
export type EstimateLine = {
  readonly item: RateItem;
  readonly quantity: number;
  readonly rate: string;
  readonly amount: Millicredits;
};
export type Estimate = { readonly amount: Millicredits; readonly lines: readonly EstimateLine[] };

/** Of the replicas of each deployment: the first is shared, and costs nothing. */
export const FREE_REPLICAS = 1;

type Quantities = readonly (readonly [item: RateItem, quantity: number, calls?: number])[];

const quantitiesOf: { readonly [O in Operation]: (params: Operations[O]) => Quantities } = {
  inference: ({ series, steps, calls }) => [['inference.series_step', series * steps, calls]],
  deployment: ({ replicas, hours }) => [
    ['deployment.replica_hour', Math.max(0, replicas - FREE_REPLICAS), hours],
  ],
  finetune: ({ intensity, trainings }) => [[`finetune.${intensity}`, 1, trainings]],
  training: ({ trainings }) => [['training.custom', 1, trainings]],
  pipeline_cycle: ({ entries, cycles }) =>
    [null, ...INTENSITIES].map(kind => [
      kind === null ? 'training.custom' : `finetune.${kind}`,
      1,
      entries.filter(entry => entry === kind).length * cycles,
    ]),
  tournament: ({ contestants }) => [['tournament.contestant', contestants]],
  fleet: ({ goals, contestants, forecasts, horizon }) => [
    ['tournament.contestant', contestants, goals],
    ['inference.series_step', horizon, goals * forecasts],
  ],
};

/**
 * What work would cost at these rates. What is paid call by call is rounded call by call, as it will be.
 * @throws RangeError for more than can be counted
 */
export function estimateOf<O extends Operation>(rates: Rates, operation: O, params: Operations[O]): Estimate {
  const lines = quantitiesOf[operation](params)
    .filter(([, quantity, calls = 1]) => quantity * calls > 0)
    .map(([item, quantity, calls = 1]): EstimateLine => {
      const { rate, amount } = priceOf(rates, item, quantity);
      return { item, quantity: quantity * calls, rate, amount: safe(amount * calls) };
    });
  return { amount: safe(lines.reduce((sum, { amount }) => sum + amount, 0)), lines };
}

function safe(amount: Millicredits): Millicredits {
  if (Number.isSafeInteger(amount)) return amount;
  throw new RangeError(`${amount} thousandths of a credit are too many`);
}
