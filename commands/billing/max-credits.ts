import { creditsNumber, creditsText, isAbove } from '../../domain/billing/amounts.js';
import type { Price } from '../../domain/billing/credits.js';
import { Rejected } from '../../domain/rejected.js';

/** A price by the rates of a version, of whatever it is. */
export type Priced = Pick<Price, 'amount' | 'ratesVersion'>;

/** @throws Rejected 402 where a price is above what the caller is ready to pay; undefined: any */
export function mindMaxCredits(price: Priced, most: number | undefined): void {
  if (most === undefined || !isAbove(price.amount, most)) return;
  throw new Rejected(
    'unpaid',
    'price_above_max',
    `It costs ${creditsText(price.amount)} credits, and max_credits is ${most}`,
    { price: creditsNumber(price.amount), max_credits: most, rates_version: price.ratesVersion },
  );
}
