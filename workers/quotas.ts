import type { Context, Handle } from '../commands/engine/handle.js';
import type { Log } from '../commands/ports/log.js';
import { monthOf } from '../domain/billing/account.js';
import { quotaNames, quotas, type PlanLimits, type QuotaName } from '../domain/billing/plans.js';
import { isNear, quotaWatch } from '../domain/billing/quota-watch.js';
import { START } from '../domain/fact.js';
import type { UsageQueries } from '../projections/usage/queries.js';
import type { Running } from './engine/follow.js';
import { rounds } from './engine/rounds.js';

type Deps = {
  readonly usage: Pick<UsageQueries, 'busy' | 'upTo'>;
  readonly limits: (workspace: string) => Promise<PlanLimits>;
  /** How much of one quota a workspace uses. */
  readonly count: (workspace: string, quota: QuotaName, at: number) => Promise<number>;
  readonly handle: Handle;
  readonly clock: () => number;
  readonly newId: () => string;
  readonly log: Log;
};

const EVERY_MS = 5_000;

/**
 * Looks, where something was written, whether a quota of the workspace is nearly used up. It remembers only
 * what spares it to look again: the quota's journal has the last word on what was told.
 */
export const watchingQuotas = (deps: Deps): Running => rounds(EVERY_MS, deps.log, FAILED, quotaRounds(deps));

/** One round after the other: each looks at those workspaces that did something since the one before. */
export function quotaRounds(deps: Deps): (goesOn: () => boolean) => Promise<void> {
  const { usage, limits, count, handle, clock, log } = deps;
  /** Where the last round began. */
  let seen = START;
  /** Those that could not be looked at. */
  const missed = new Set<string>();
  /** What was told, or found to be far from it. */
  const known = new Map<string, boolean>();

  const watch = async (workspace: string, quota: QuotaName, limit: number, at: number): Promise<void> => {
    const used = await count(workspace, quota, at);
    const period = quotas[quota].period === 'month' ? monthOf(at) : null;
    const name = `${workspace}/${quota}`;
    const near = isNear({ used, limit });
    // A month begins with nothing told
    if ((known.get(name) ?? (period === null ? null : false)) === near) return;
    const data = { workspace, quota, period, used, limit };
    await handle(quotaWatch, { type: 'WatchQuota', data }, contextOf(workspace, at, deps));
    known.set(name, near);
  };
  const look = async (workspace: string, at: number): Promise<void> => {
    try {
      const most = await limits(workspace);
      for (const quota of quotaNames) {
        const limit = most[quota];
        if (limit !== null && limit > 0) await watch(workspace, quota, limit, at);
      }
      missed.delete(workspace);
    } catch (err) {
      missed.add(workspace);
      log.error({ err, workspace }, FAILED);
    }
  };
  async function* due(at: number): AsyncGenerator<string> {
    yield* [...missed];
    for await (const page of usage.busy(at, seen)) yield* page;
  }

  let month = '';
  return async goesOn => {
    const at = clock();
    if (month !== monthOf(at)) {
      month = monthOf(at);
      seen = START;
      missed.clear();
      known.clear();
    }
    // What is counted while the round is under way is looked at in the next
    const upTo = await usage.upTo();
    for await (const workspace of due(at)) {
      if (!goesOn()) return;
      await look(workspace, at);
    }
    seen = upTo;
  };
}
const FAILED = 'quotas were not looked at; tried again';

const contextOf = (workspace: string, at: number, { newId }: Deps): Context => ({
  ...{ workspace, actor: 'scheduler:quotas', request: null },
  ...{ correlation: newId(), causation: null, at },
});
