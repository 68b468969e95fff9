import type { GoalThen } from '../api/goals/deps.js';
import { factsThen } from '../commands/engine/then.js';
import { journalOf } from '../domain/decider.js';
import type { Fact } from '../domain/fact.js';
import { goalJournalId, goals } from '../domain/goals/decider.js';
import type { GoalFact } from '../domain/goals/facts.js';
import { goalAfter } from '../projections/goals/changes.js';
import { goalsProjection } from '../projections/goals/projection.js';
import { goalQueries } from '../projections/goals/queries.js';
import type { Kernel } from './kernel.js';

/** Goals that are there still, as they stood at a moment, epoch ms. */
export function goalsThen({ read, stores }: Pick<Kernel, 'read' | 'stores'>): GoalThen {
  const queries = goalQueries(read(goalsProjection));
  const facts = factsThen(stores.events);
  return async (workspace, goalId, asOf) => {
    if (!(await queries.goal(workspace, goalId))) return null;
    const then = await facts(journalOf(goals, goalJournalId(workspace, goalId)), asOf);
    return (then as readonly Fact<GoalFact>[]).reduce(goalAfter, null);
  };
}
