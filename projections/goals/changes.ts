import type { Fact } from '../../domain/fact.js';
import type { GoalFact } from '../../domain/goals/facts.js';
import { evolve } from '../../domain/goals/state.js';
import { goalDocId, type GoalDoc } from './documents.js';

/** The goal after a fact; null: it is not there, or has gone. */
export function goalAfter(doc: GoalDoc | null, fact: Fact<GoalFact>): GoalDoc | null {
  const state = evolve(doc?.state ?? { status: 'none' }, fact);
  if (state.status === 'none') return null;
  const { goalId } = fact.data;
  const workspace = fact.meta.workspace!;
  const { settings, status, fleetId } = state;
  return {
    _id: goalDocId(workspace, goalId),
    ...{ workspace, goal_id: goalId, name: settings.name, target: settings.target },
    ...{ status, cadence_s: settings.cadenceS, fleet_id: fleetId, segment_id: settings.segmentId },
    ...{ pipeline_id: settings.pipelineId, counts: status !== 'archived', state },
    competed_at: doc?.competed_at ?? null,
    // What people change of it may help
    ...(fact.type === 'GoalHealthChanged' && doc?.in_vain !== undefined && { in_vain: doc.in_vain }),
    ...(doc?.discovered_at !== undefined && { discovered_at: doc.discovered_at }),
    ...(doc?.rechecked_at !== undefined && { rechecked_at: doc.rechecked_at }),
    created_at: doc?.created_at ?? fact.at,
    updated_at: fact.at,
  };
}
