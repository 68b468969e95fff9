import type { Context, Handle } from '../commands/engine/handle.js';
import type { Log } from '../commands/ports/log.js';
import { monthOf } from '../domain/billing/account.js';
import { quotaNames, quotas, type PlanLimits, type QuotaName } from '../domain/billing/plans.js';
import { isNear, quotaWatch } from '../domain/billing/quota-watch.js';
import type { UsageQueries } from '../projections/usage/queries.js';
import type { Running } from './engine/follow.js';
import { rounds } from './engine/rounds.js';

type Deps = {
  readonly usage: Pick<UsageQueries, 'busy'>;
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
export function watchingQuotas(deps: Deps): Running {
  const { usage, limits, count, handle, clock, log } = deps;
  /** Up to which fact a workspace was looked at. */
  let seen = new Map<string, number>();
  /** What was told, or found to be far from it. */
  let known = new Map<string, boolean>();

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
    const most = await limits(workspace);
    for (const quota of quotaNames) {
      const limit = most[quota];
      if (limit !== null && limit > 0) await watch(workspace, quota, limit, at);
    }
  };

  let month = '';
  return rounds(EVERY_MS, log, 'quotas were not looked at; tried again', async goesOn => {
    const at = clock();
    if (month !== monthOf(at)) {
      month = monthOf(at);
      [seen, known] = [new Map(), new Map()];
    }
    for await (const page of usage.busy(at))
      for (const { workspace, _at } of page) {
        if (!goesOn()) return;
        if (seen.get(workspace) === _at) continue;
        await look(workspace, at).then(
          () => seen.set(workspace, _at),
          (err: unknown) => log.error({ err, workspace }, 'quotas were not looked at; tried again'),
        );
      }
  });
}

const contextOf = (workspace: string, at: number, { newId }: Deps): Context => ({
  ...{ workspace, actor: 'scheduler:quotas', request: null },
  ...{ correlation: newId(), causation: null, at },
});
