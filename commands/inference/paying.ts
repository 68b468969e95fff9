import type { For, Price, Reference } from '../../domain/billing/credits.js';
import type { Credits } from '../billing/credits.js';
import { mindMaxCredits } from '../billing/max-credits.js';
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
  mindMaxCredits(price, most);
  return price;
}

/** The line of a ledger for an inference. */
export const lineOf = (inferenceId: string, price: Price, goalId: string | undefined): For => ({
  price,
  reference: paidFor(inferenceId),
  pipelineId: null,
  ...(goalId !== undefined && { goalId }),
});
