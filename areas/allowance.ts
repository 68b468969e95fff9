import type { PlanLimits } from '../domain/billing/plans.js';
import { endOf, monthOf } from '../domain/billing/account.js';
import { Rejected } from '../domain/rejected.js';
import { SECOND } from '../domain/time.js';

type Deps = {
  readonly limits: (workspace: string) => Promise<PlanLimits>;
  /** Rows that a workspace wrote in the month of a moment. */
  readonly rows: (workspace: string, at: number) => Promise<number>;
  readonly clock: () => number;
};
type Known = { readonly at: number; readonly limit: number | null; used: number };

/** So long what is known of a workspace need not be asked for again. */
const KNOWN_FOR = SECOND;
const MOST_KNOWN = 10_000;

/**
 * Whether workspaces may write further events and points of what their plans allow in a month. Counted anew
 * each second, and with what this process wrote meanwhile.
 */
export function streamingAllowance({ limits, rows, clock }: Deps) {
  const known = new Map<string, Promise<Known>>();
  const asked = new Map<string, number>();
  const counted = async (workspace: string, at: number): Promise<Known> => {
    const { streaming_rows: limit } = await limits(workspace);
    return { at, limit, used: limit === null ? 0 : await rows(workspace, at) };
  };
  const knownOf = (workspace: string, at: number): Promise<Known> => {
    const before = known.get(workspace);
    const since = asked.get(workspace) ?? -Infinity;
    if (before && at >= since && at - since < KNOWN_FOR) return before;
    if (known.size >= MOST_KNOWN) known.clear();
    const now = counted(workspace, at);
    known.set(workspace, now);
    asked.set(workspace, at);
    now.catch(() => known.delete(workspace));
    return now;
  };
  return {
    async refusal(workspace: string): Promise<Rejected | null> {
      const at = clock();
      const { limit, used } = await knownOf(workspace, at);
      if (limit === null || used < limit) return null;
      const left = endOf(monthOf(at)) - at;
      return new Rejected('limited', 'quota_exceeded', `The plan allows ${limit} rows a month`, {
        ...{ quota: 'streaming_rows', limit, used },
        retry_after_s: Math.ceil(left / SECOND),
      });
    },
    /** Rows that it may still write this month; null: as many as it likes. */
    async left(workspace: string): Promise<number | null> {
      const { limit, used } = await knownOf(workspace, clock());
      return limit === null ? null : Math.max(0, limit - used);
    },
    wrote(workspace: string, more: number): void {
      void known.get(workspace)?.then(
        of => {
          of.used += more;
        },
        () => undefined,
      );
    },
  };
}
