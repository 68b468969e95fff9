import type { LedgerCommands } from '../commands/billing.js';
import type { Context } from '../commands/engine/handle.js';
import type { Log } from '../commands/ports/log.js';
import type { Price } from '../domain/billing/credits.js';
import { MINUTE, SECOND } from '../domain/time.js';
import type { HoldDoc } from '../projections/billing/documents.js';
import type { LedgerQueries } from '../projections/billing/queries.js';
import type { Running } from './engine/follow.js';
import { rounds } from './engine/rounds.js';

/**
 * What became of work that credits are held for; `used`: a part of it was done, and costs so much; `unknown`:
 * there is no trace of it.
 */
export type Became =
  | 'completed'
  | 'failed'
  | 'cancelled'
  | 'under way'
  | 'unknown'
  | { readonly used: Price };

export type Settling = {
  readonly queries: Pick<LedgerQueries, 'holdsBefore'>;
  readonly commands: Pick<LedgerCommands, 'charge' | 'release'>;
  /** By the type of what is paid for. */
  readonly became: Readonly<Record<string, (workspace: string, id: string) => Promise<Became>>>;
  /** No other process makes holds: those from before this one was started have nobody to end them. */
  readonly alone: boolean;
  readonly clock: () => number;
  readonly newId: () => string;
  readonly log: Log;
};

const EVERY_MS = 15 * SECOND;
/** Whoever made a hold mostly ends it within this time. */
const OLD_MS = MINUTE;
/** Work that is done at once leaves its trace when it is done: within this time. */
const LOST_MS = 10 * MINUTE;

/**
 * Ends holds that nobody ended, as after a kill: charges what was completed, gives back what failed, was
 * cancelled or left no trace. At the start all are looked at, then those that are a minute old. A hold is
 * ended once, whoever else is at it: the ledger has the last word.
 */
export function settling(deps: Settling): Running {
  const { queries, clock, log } = deps;
  const startedAt = clock();
  let isFirst = true;
  return rounds(EVERY_MS, log, 'holds could not be settled; tried again', async goesOn => {
    const before = isFirst ? clock() + 1 : clock() - OLD_MS;
    for await (const page of queries.holdsBefore(before))
      for (const doc of page) {
        if (!goesOn()) return;
        await settle(deps, doc, startedAt).catch((err: unknown) =>
          log.error({ err, hold: doc._id }, 'a hold could not be settled; tried again'),
        );
      }
    isFirst = false;
  });
}

async function settle(deps: Settling, { organization, hold, at }: HoldDoc, startedAt: number): Promise<void> {
  const { commands, became, alone, clock } = deps;
  const { reference, workspace } = hold;
  const outcome = await became[reference.type]?.(workspace ?? '', reference.id);
  if (outcome === undefined || outcome === 'under way') return;
  const context = contextOf(workspace, deps);
  const charge = async (used: Price | null): Promise<void> =>
    void (await commands.charge(organization, reference, used, context));
  if (outcome === 'completed') return charge(null);
  if (typeof outcome === 'object') return charge(outcome.used);
  const isLost = clock() - at >= LOST_MS || (alone && at < startedAt);
  if (outcome === 'unknown' && !isLost) return;
  const reason = outcome === 'unknown' ? 'abandoned' : outcome;
  await commands.release(organization, reference, reason, context);
}

const contextOf = (workspace: string | null, { newId, clock }: Settling): Context => ({
  ...{ workspace, actor: 'scheduler:settling', request: null, correlation: newId(), causation: null },
  at: clock(),
});
