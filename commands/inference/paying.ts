import { creditsNumber, creditsText, isAbove } from '../../domain/billing/amounts.js';
import type { Price, Reference } from '../../domain/billing/credits.js';
import { Rejected } from '../../domain/rejected.js';
import type { Credits } from '../billing/credits.js';
import type { Context } from '../engine/handle.js';
import type { Prepared, Task } from './work.js';

/** How an inference is named in ledgers. */
export const paidFor = (inferenceId: string): Reference => ({ type: 'inference', id: inferenceId });

/**
 * What an inference costs: so many values as it answers.
 * @throws Rejected 402 where that is above what the caller is ready to pay
 */
export function priced<S extends object>(
  { priceOf }: Pick<Credits, 'priceOf'>,
  task: Task<S>,
  prepared: Prepared<S>,
  most: number | undefined,
): Price {
  const price = priceOf('inference.series_step', task.outputs(prepared));
  if (most !== undefined && isAbove(price.amount, most)) throw priceAboveMax(price, most);
  return price;
}

const priceAboveMax = ({ amount, ratesVersion }: Price, most: number): Rejected =>
  new Rejected(
    'unpaid',
    'price_above_max',
    `It costs ${creditsText(amount)} credits, and max_credits is ${most}`,
    { price: creditsNumber(amount), max_credits: most, rates_version: ratesVersion },
  );

export type Paying = { readonly inferenceId: string; readonly price: Price; readonly context: Context };

/** Keeps the credits for an inference. @throws Rejected 402 */
export async function held(
  { hold }: Pick<Credits, 'hold'>,
  workspace: string,
  { inferenceId, price, context }: Paying,
): Promise<void> {
  if (price.amount === 0) return;
  await hold(workspace, { price, reference: paidFor(inferenceId), pipelineId: null }, context);
}

/**
 * Does work while the credits for it are being held: where there seem to be enough neither waits for the
 * other. Work that fails costs nothing. @throws Rejected 402, and what the work throws
 */
export async function whileHeld<T>(
  credits: Credits,
  workspace: string,
  paying: Paying,
  work: () => Promise<T>,
): Promise<T> {
  const seemsCovered = await credits.seemsCovered(workspace, paying.price.amount);
  const holding = held(credits, workspace, paying);
  if (!seemsCovered) await holding;
  const [hold, made] = await Promise.allSettled([holding, work()]);
  if (hold.status === 'rejected') throw hold.reason;
  if (made.status === 'fulfilled') return made.value;
  releaseHold(credits, workspace, paying);
  throw made.reason;
}

/** The inference came to nothing. */
export function releaseHold({ release }: Pick<Credits, 'release'>, workspace: string, paying: Paying): void {
  const { price, inferenceId, context } = paying;
  if (price.amount > 0) release(workspace, paidFor(inferenceId), 'failed', context);
}

/** The inference is answered and kept. */
export function chargeHold({ charge }: Pick<Credits, 'charge'>, workspace: string, paying: Paying): void {
  const { price, inferenceId, context } = paying;
  if (price.amount > 0) charge(workspace, paidFor(inferenceId), context);
}
