import type { DiscoveryStarted } from '../../domain/discovery/facts.js';
import type { Fact } from '../../domain/fact.js';
import type { GoalFact } from '../../domain/goals/facts.js';
import { projection, type After, type Before, type Projection } from '../engine/projection.js';
import { goalAfter } from './changes.js';
import { goalDocId, type GoalDoc, type HappeningDoc } from './documents.js';
import { goalFacts, happening, otherFacts, type OfGoal } from './timeline.js';

type Docs = { goal_timeline: HappeningDoc; goals: GoalDoc };

const idOf = ({ data, meta }: Fact<OfGoal>): string => goalDocId(meta.workspace!, data.goalId);
const timelineId = (fact: Fact<OfGoal>): string => `${idOf(fact)}/${fact.id}`;
const happened = (fact: Fact<OfGoal>, before: GoalDoc | null): HappeningDoc =>
  happening(fact, { _id: timelineId(fact), goal: idOf(fact) }, before);

const became = (before: Before<Docs>, fact: Fact<GoalFact>): After<Docs> => ({
  goal_timeline: happened(fact, before.goals),
  goals: goalAfter(before.goals, fact),
});
/** Of a goal that has gone nothing is kept. */
const told = (before: Before<Docs>, fact: Fact<OfGoal>): After<Docs> =>
  before.goals ? { goal_timeline: happened(fact, before.goals) } : {};
const competed = (before: Before<Docs>, fact: Fact<OfGoal>): After<Docs> => {
  const { goals: doc } = before;
  const inVain = doc?.state.champion === null && { in_vain: (doc.in_vain ?? 0) + 1 };
  return { ...told(before, fact), ...(doc && { goals: { ...doc, competed_at: fact.at, ...inVain } }) };
};

const discovered = (before: Before<Docs>, fact: Fact<OfGoal>): After<Docs> => {
  const { goals: doc } = before;
  const { kind, trigger } = fact.data as DiscoveryStarted['data'];
  const isOfAll = kind === 'search' || trigger === 'schedule' || trigger === 'drift';
  const at = { ...(kind === 'search' && { discovered_at: fact.at }), rechecked_at: fact.at };
  return { ...told(before, fact), ...(doc && isOfAll && { goals: { ...doc, ...at } }) };
};

/** Goals, and what happened to each. */
export const goalsProjection: Projection = projection<Docs, OfGoal>({
  name: 'goals',
  version: 5,
  // Its goals tell neither cadence nor pipeline to ask for, nor in which metric champions were judged; those
  // of 4 do, but not how often models competed in vain
  carries: [3, 4],
  collections: {
    goal_timeline: { indexes: [['goal', 'position', '_id']], idOf: timelineId },
    goals: {
      indexes: [
        ['workspace', 'created_at', '_id'],
        ['workspace', 'updated_at', '_id'],
        ['workspace', 'name', '_id'],
        ['workspace', 'target', '_id'],
        ['workspace', 'segment_id', '_id'],
        ['workspace', 'pipeline_id', 'created_at', '_id'],
        ['workspace', 'fleet_id', '_id'],
        ['workspace', 'counts', '_id'],
        ['status', '_id'],
        ['workspace', 'status', 'cadence_s'],
        ['goal_id'],
      ],
      idOf,
    },
  },
  on: {
    ...Object.fromEntries(otherFacts.map(type => [type, told])),
    TournamentStarted: competed,
    DiscoveryStarted: discovered,
    ...Object.fromEntries(goalFacts.map(type => [type, became])),
    GoalDeleted: () => ({ goals: null }),
  },
  sweeps: { GoalDeleted: fact => ({ goal_timeline: { goal: idOf(fact) } }) },
});
