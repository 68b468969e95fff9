import { availableIn } from '../../domain/billing/account.js';
import type { For } from '../../domain/billing/commands.js';
import type { Millicredits, Price, Reference } from '../../domain/billing/credits.js';
import { priceOf, type RateItem, type Rates } from '../../domain/billing/rates.js';
import type { LedgerCommands } from '../billing.js';
import type { Context } from '../engine/handle.js';
import type { Log } from '../ports/log.js';

/** What work that costs something asks of billing; `Context.workspace` says whose it is. */
export type Credits = {
  /** What so much of something costs by the rates in force. */
  readonly priceOf: (item: RateItem, quantity: number) => Price;
  /** Whether there was enough a moment ago, as far as this process knows. */
  readonly seemsCovered: (workspace: string, amount: Millicredits) => Promise<boolean>;
  /** Keeps credits for work that begins. @throws Rejected 402 */
  readonly hold: (workspace: string, work: For, context: Context) => Promise<void>;
  /**
   * The work is done: what was held for it is charged, soon. What is cut short here is settled later, so that
   * nobody waits for it.
   */
  readonly charge: (workspace: string, reference: Reference, context: Context) => void;
  /** The work came to nothing: what was held for it is given back, soon. */
  readonly release: (
    workspace: string,
    reference: Reference,
    reason: 'failed' | 'cancelled',
    context: Context,
  ) => void;
};

type Deps = {
  readonly commands: Pick<LedgerCommands, 'hold' | 'charge' | 'release' | 'stands'>;
  readonly rates: Rates;
  readonly organizationOf: (workspace: string) => Promise<string>;
  readonly clock: () => number;
  readonly log: Log;
};

export function creditsOf({ commands, rates, organizationOf, clock, log }: Deps): Credits {
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

  return {
    priceOf: (item, quantity) => priceOf(rates, item, quantity),
    async seemsCovered(workspace, amount) {
      const account = commands.stands(await organizationOf(workspace))?.account;
      return account ? amount <= availableIn(account) : false;
    },
    async hold(workspace, work, context) {
      await commands.hold(await organizationOf(workspace), work, context);
    },
    charge(workspace, reference, context) {
      void end(workspace, reference, id => commands.charge(id, reference, null, now(context)));
    },
    release(workspace, reference, reason, context) {
      void end(workspace, reference, id => commands.release(id, reference, reason, now(context)));
    },
  };
}
