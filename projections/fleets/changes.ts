import type { Fact } from '../../domain/fact.js';
import type { FleetFact } from '../../domain/fleets/facts.js';
import { evolve, isLive, statusOf } from '../../domain/fleets/state.js';
import { fleetDocId, type FleetDoc } from './documents.js';

/** The fleet after a fact; null: it is not there, or has gone. */
export function fleetAfter(doc: FleetDoc | null, fact: Fact<FleetFact>): FleetDoc | null {
  const state = evolve(doc?.state ?? { work: 'none' }, fact);
  if (!isLive(state)) return null;
  const status = statusOf(state);
  const { fleetId } = fact.data;
  const workspace = fact.meta.workspace!;
  return {
    _id: fleetDocId(workspace, fleetId),
    ...{ workspace, fleet_id: fleetId, status, work: state.work },
    looks: state.settings.autoSync && (status === 'active' || status === 'partial'),
    ...{ state, created_at: doc?.created_at ?? fact.at, updated_at: fact.at },
  };
}
