import type { FleetDoc } from '../../projections/fleets/documents.js';
import { entityOf } from '../../domain/maths/series/units.js';
import { quantile } from '../../domain/maths/series/quantile.js';
import type { FleetDeps, Member } from './deps.js';

type Deps = Pick<FleetDeps, 'goals' | 'queries' | 'beside'>;
type Of = Pick<FleetDoc, 'workspace' | 'fleet_id'>;

/** The goals of a fleet, in order of their ids, and how each did. */
export async function membersOf({ goals, queries }: Deps, of: Of): Promise<readonly Member[]> {
  const did = await queries.did(of.workspace, of.fleet_id);
  const found: Member[] = [];
  for await (const page of goals.ofFleet(of.workspace, of.fleet_id))
    for (const { goal_id: goalId, name, target, status, state } of page) {
      const { value = null, skill = null, coverage = null, n = 0 } = did.get(goalId) ?? {};
      const entity = entityOf(target)?.entity ?? target;
      found.push({ goalId, entity, name, status, champion: state.champion, value, skill, coverage, n });
    }
  return found;
}

/** How many of some goals are not as they normally are. */
export async function shocksAmong(
  { beside }: Pick<Deps, 'beside'>,
  workspace: string,
  members: readonly Member[],
): Promise<number> {
  const live = members.filter(({ status }) => status !== 'archived').map(({ goalId }) => goalId);
  return live.length === 0 ? 0 : (await beside.shocks(workspace, live)).size;
}

/**
 * The best first, by how much better than seasonal naive they are: targets of several scales have nothing
 * else in common. Those of which nothing is known stand last, and archived ones nowhere.
 */
export const ranked = (members: readonly Member[]): readonly Member[] =>
  members
    .filter(({ status }) => status !== 'archived')
    .sort((a, b) => order(b) - order(a) || (a.entity < b.entity ? -1 : 1));
const order = ({ skill }: Member): number => skill ?? -Number.MAX_VALUE;

/** Where the middle of what is known lies, and where the tenths at its ends begin. */
export function spreadOf(values: readonly (number | null)[]) {
  const known = values.filter((value): value is number => value !== null).sort((a, b) => a - b);
  if (known.length === 0) return { median: null, p10: null, p90: null };
  return { median: quantile(known, 0.5), p10: quantile(known, 0.1), p90: quantile(known, 0.9) };
}
