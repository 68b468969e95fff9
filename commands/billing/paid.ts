import { availableIn } from '../../domain/billing/account.js';
import type { For, Millicredits, Price, Reference } from '../../domain/billing/credits.js';
import { insufficientCredits } from '../../domain/billing/ledger.js';
import type { LedgerCommands } from '../billing.js';
import type { Context } from '../engine/handle.js';

/**
 * Does work, pays for it and keeps what came of it; work that fails costs nothing. `keep` must come to its
 * append in the turn of the event loop that it is called in. @throws Rejected 402, and what `work` and `keep`
 * throw
 */
export type Paid = <M, R>(
  workspace: string,
  work: For & { readonly context: Context },
  doIt: () => Promise<M>,
  keep: (made: M) => Promise<R>,
) => Promise<R>;

/** Work paid for step by step. */
export type Holding = {
  /** Whether there was enough a moment ago, as far as this process knows. */
  readonly seemsCovered: (workspace: string, amount: Millicredits) => Promise<boolean>;
  /** Keeps credits for work that begins. @throws Rejected 402 */
  readonly hold: (workspace: string, work: For, context: Context) => Promise<void>;
  /**
   * The work is done: what was held for it is charged, soon. What is cut short here is settled later, so that
   * nobody waits for it. `used`: what it came to; absent: all that was held.
   */
  readonly charge: (workspace: string, reference: Reference, context: Context, used?: Price) => void;
  /** The work came to nothing: what was held for it is given back, soon. */
  readonly release: (
    workspace: string,
    reference: Reference,
    reason: 'failed' | 'cancelled',
    context: Context,
  ) => void;
};

/**
 * By a hold that is written while the work is done: other processes spend of the same ledgers. Where there
 * seems to be enough neither waits for the other. What is kept is charged just after it, so that nothing is
 * charged that is not there.
 */
export const paidFromHold =
  ({ hold, charge, release, seemsCovered }: Holding): Paid =>
  async (workspace, { context, ...work }, doIt, keep) => {
    const isCovered = await seemsCovered(workspace, work.price.amount);
    const holding = hold(workspace, work, context);
    if (!isCovered) await holding;
    const [held, made] = await Promise.allSettled([holding, doIt()]);
    if (held.status === 'rejected') throw held.reason;
    if (made.status === 'rejected') {
      release(workspace, work.reference, 'failed', context);
      throw made.reason;
    }
    const kept = await keep(made.value);
    charge(workspace, work.reference, context);
    return kept;
  };

type Alone = {
  readonly commands: Pick<LedgerCommands, 'open' | 'pay' | 'stands'>;
  readonly organizationOf: (workspace: string) => Promise<string>;
  readonly clock: () => number;
};

/**
 * Where this is the only process: what work under way will cost is reserved in memory, and all is written in
 * one go when it is done, together with what is kept. The embedded log takes appends of one turn all or none,
 * so that a kill leaves neither a hold nor a charge without its work, nor work without its charge.
 */
export function paidAtOnce({ commands, organizationOf, clock }: Alone): Paid {
  const reserved = new Map<string, Millicredits>();
  const reserve = (organizationId: string, amount: Millicredits): void => {
    const sum = (reserved.get(organizationId) ?? 0) + amount;
    if (sum === 0) reserved.delete(organizationId);
    else reserved.set(organizationId, sum);
  };
  return async (workspace, { context, ...work }, doIt, keep) => {
    const organizationId = await organizationOf(workspace);
    const known = commands.stands(organizationId) ?? (await commands.open(organizationId, context)).after;
    const { amount } = work.price;
    const left = availableIn(known.account!) - (reserved.get(organizationId) ?? 0);
    if (amount > left) throw insufficientCredits(amount, left);
    reserve(organizationId, amount);
    try {
      const made = await doIt();
      let keeping: ReturnType<typeof keep> | null = null;
      await commands.pay(organizationId, work, { ...context, at: clock() }, () => {
        keeping = keep(made);
        // Told of below, when the payment is over
        keeping.catch(() => undefined);
      });
      return await keeping!;
    } finally {
      reserve(organizationId, -amount);
    }
  };
}
