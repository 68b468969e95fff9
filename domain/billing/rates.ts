import { amountOf } from './amounts.js';
import type { Millicredits, Price } from './credits.js';

/** Everything that costs credits: what one unit of it is, and what is to be said about it. */
export const rateItems = {
  'inference.series_step': {
    unit: 'step of one series',
    note: 'Each value of an answer; a call is rounded once, to a thousandth of a credit, never to none',
  },
  'deployment.replica_hour': {
    unit: 'replica and hour',
    note: 'Replicas that are kept ready beyond the first, which deployments share; asleep: nothing',
  },
  'training.custom': { unit: 'training', note: 'A model of one of the algorithms, trained once' },
  'finetune.adapt': { unit: 'training', note: 'A foundation model, fine-tuned with intensity adapt' },
  'finetune.specialize': { unit: 'training', note: 'Fine-tuned with intensity specialize' },
  'finetune.forge': { unit: 'training', note: 'Fine-tuned with intensity forge' },
  'tournament.contestant': { unit: 'contestant', note: 'A model that takes part in a tournament' },
  'storage.gb_month': { unit: 'gigabyte and month', note: 'Counted, and not charged yet' },
} as const satisfies Record<string, { readonly unit: string; readonly note: string }>;
export type RateItem = keyof typeof rateItems;
export const rateItemNames = Object.keys(rateItems) as readonly RateItem[];

/** What one unit of each costs, in credits as decimal text. */
export type Rates = {
  readonly version: string;
  /** Epoch ms. */
  readonly effectiveFrom: number;
  readonly credits: Readonly<Record<RateItem, string>>;
};

/** The rates where no file says otherwise: 100 credits are a million forecast steps. */
export const builtInRates: Rates = {
  version: '1',
  effectiveFrom: Date.UTC(2026, 10, 1),
  credits: {
    'inference.series_step': '0.0001',
    'deployment.replica_hour': '0.01',
    'training.custom': '1',
    'finetune.adapt': '5',
    'finetune.specialize': '20',
    'finetune.forge': '60',
    'tournament.contestant': '0.5',
    'storage.gb_month': '0',
  },
};

/**
 * What so much of something costs: quantity x rate, rounded once, and never to nothing, so that no number of
 * small calls is free.
 */
export function priceOf({ credits, version }: Rates, item: RateItem, quantity: number): Price {
  const rate = credits[item];
  const isFree = quantity === 0 || Number(rate) === 0;
  const amount = isFree ? 0 : Math.max(LEAST, amountOf(quantity, rate));
  return { item, quantity, rate, ratesVersion: version, amount };
}
const LEAST: Millicredits = 1;

/** What a share (0 to 1) of something costs that has a price, at the same rate; null: nothing. */
export function partOf(price: Price, share: number): Price | null {
  const quantity = price.quantity * share;
  const amount = Math.min(price.amount, amountOf(quantity, price.rate));
  return amount === 0 ? null : { ...price, quantity, amount };
}
