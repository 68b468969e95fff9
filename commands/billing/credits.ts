import { availableIn } from '../../domain/billing/account.js';
import type { Price, Reference } from '../../domain/billing/credits.js';
import { priceOf, type RateItem, type Rates } from '../../domain/billing/rates.js';
import type { LedgerCommands } from '../billing.js';
import type { Context } from '../engine/handle.js';
import type { Log } from '../ports/log.js';
import { paidAtOnce, paidFromHold, type Holding, type Paid } from './paid.js';

/** What work that costs something asks of billing; `Context.workspace` says whose it is. */
export type Credits = Holding & {
  /** What so much of something costs by the rates in force. */
  readonly priceOf: (item: RateItem, quantity: number) => Price;
  /** Does work at once, pays for it and keeps it; what costs nothing is not written to the ledger. */
  readonly paid: Paid;
};

type Deps = {
  readonly commands: Pick<LedgerCommands, 'open' | 'pay' | 'hold' | 'charge' | 'release' | 'stands'>;
  /** No other process writes to ledgers. */
  readonly alone: boolean;
  readonly rates: Rates;
  readonly organizationOf: (workspace: string) => Promise<string>;
  readonly clock: () => number;
  readonly log: Log;
};

export function creditsOf({ commands, alone, rates, organizationOf, clock, log }: Deps): Credits {
  const end = async (
    workspace: string,
    reference: Reference,
    act: (organizationId: string) => Promise<unknown>,
  ): Promise<void> => {
    try {
      await act(await organizationOf(workspace));
    } catch (err) {
      log.warn({ err, reference }, 'credits that are held could not be charged or given back; done later');
    }
  };
  const now = (context: Context): Context => ({ ...context, at: clock() });

  const holding: Holding = {
    async seemsCovered(workspace, amount) {
      const account = commands.stands(await organizationOf(workspace))?.account;
      return account ? amount <= availableIn(account) : false;
    },
    async hold(workspace, work, context) {
      if (work.price.amount === 0) return;
      await commands.hold(await organizationOf(workspace), work, context);
    },
    charge(workspace, reference, context, used) {
      void end(workspace, reference, id => commands.charge(id, reference, used ?? null, now(context)));
    },
    release(workspace, reference, reason, context) {
      void end(workspace, reference, id => commands.release(id, reference, reason, now(context)));
    },
  };
  const paid = alone ? paidAtOnce({ commands, organizationOf, clock }) : paidFromHold(holding);
  return {
    ...holding,
    priceOf: (item, quantity) => priceOf(rates, item, quantity),
    paid: async (workspace, work, doIt, keep) =>
      work.price.amount === 0 ? keep(await doIt()) : paid(workspace, work, doIt, keep),
  };
}
