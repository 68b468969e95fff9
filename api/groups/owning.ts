import { turns } from '../../commands/engine/turns.js';
import { Rejected } from '../../domain/rejected.js';
import type { GroupQueries } from '../../projections/identity/group-queries.js';

type Deps = {
  readonly queries: Pick<GroupQueries, 'ownedCount'>;
  /** Organizations that one user may own, archived ones among them. */
  readonly organizationsPerUser: number;
};

/**
 * Makes organizations of one user one after the other, each counted before the next. Of several processes
 * each may make one at the same moment. `create` answers once the read models hold it.
 * @throws Rejected 403 `plan_limit_reached`
 */
export function owning({ queries, organizationsPerUser: limit }: Deps) {
  const inTurn = turns<unknown>();
  return <T>(uid: string, create: () => Promise<T>): Promise<T> =>
    inTurn(uid, async () => {
      const used = await queries.ownedCount('organization', uid);
      if (used < limit) return create();
      throw new Rejected('forbidden', 'plan_limit_reached', `A user may own ${limit} organizations`, {
        limit,
        used,
      });
    });
}
