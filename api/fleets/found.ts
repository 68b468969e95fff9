import type { Outcome } from '../../commands/engine/handle.js';
import type { Fact } from '../../domain/fact.js';
import type { FleetFact } from '../../domain/fleets/facts.js';
import { planOf } from '../../domain/fleets/planning.js';
import { fleetNotFound } from '../../domain/fleets/refusals.js';
import type { FleetState, LiveFleet } from '../../domain/fleets/state.js';
import { fleetAfter } from '../../projections/fleets/changes.js';
import type { FleetDoc } from '../../projections/fleets/documents.js';
import type { FleetDeps } from './deps.js';
import { membersOf, shocksAmong } from './members.js';
import { fleetView } from './views.js';

type Finding = Pick<FleetDeps, 'queries' | 'visible'>;

/** @throws Rejected 404 */
export async function found({ queries }: Pick<Finding, 'queries'>, workspace: string, fleetId: string) {
  const doc = await queries.fleet(workspace, fleetId);
  if (!doc) throw fleetNotFound();
  return doc;
}

/** A fleet with what was decided of it just now, also where read models are late, or it was only tried. */
export async function foundAfter(
  { queries, visible }: Finding,
  workspace: string,
  fleetId: string,
  before: FleetDoc | null,
  { facts, position }: Outcome<FleetFact, FleetState>,
): Promise<FleetDoc> {
  await visible(position);
  const doc = position === null ? null : await queries.fleet(workspace, fleetId);
  if (doc && doc._at >= position!) return doc;
  const after = (facts as readonly Fact<FleetFact>[]).reduce(fleetAfter, before);
  if (!after) throw fleetNotFound();
  return after;
}

type Showing = Pick<FleetDeps, 'goals' | 'queries' | 'beside'>;

export async function viewOf(deps: Showing, doc: FleetDoc) {
  const members = await membersOf(deps, doc);
  return fleetView(doc, members, await shocksAmong(deps, doc.workspace, members));
}

/** One fleet as an answer. */
export async function shown(deps: Showing, doc: FleetDoc) {
  const { view, etag } = await viewOf(deps, doc);
  return { body: { data: view }, etag };
}

/** What would be made of a fleet now, and how many goals the plan still allows. */
export async function plannedFor(
  { entities, quota }: Pick<FleetDeps, 'entities' | 'quota'>,
  workspace: string,
  state: Pick<LiveFleet, 'settings' | 'made'>,
) {
  const plan = planOf(state, await entities(workspace, state.settings.baseKey));
  const { limit, used } = await quota(workspace);
  return { ...plan, room: limit === null ? null : Math.max(0, limit - used) };
}
