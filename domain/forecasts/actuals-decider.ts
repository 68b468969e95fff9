import type { Decider } from '../decider.js';
import type { Message } from '../fact.js';
import type { GoalActualsCame, GoalActualsFact } from './facts.js';

/** Keeps what came, and how forecasts did that waited for it. `day`: of the steps (UTC), `2026-01-31`. */
export type NoteActuals = Message<
  'NoteActuals',
  { readonly workspace: string; readonly day: string; readonly came: GoalActualsCame['data'] }
>;
/** The actuals of steps that came, by their beginnings. */
export type ActualsState = ReadonlyMap<number, number>;

/** Each step comes once, and again with each correction of its actual. */
function decide({ data: { came } }: NoteActuals, known: ActualsState): readonly GoalActualsFact[] {
  const steps = came.steps.filter(({ time, actual }) => known.get(time) !== actual);
  return steps.length > 0 ? [{ type: 'GoalActualsCame', data: { ...came, steps } }] : [];
}

export const actualsJournalId = (workspace: string, goalId: string, day: string): string =>
  `${workspace}.${goalId}.${day}`;

/** The actuals of a goal's steps, one journal for each day. */
export const goalActuals: Decider<NoteActuals, GoalActualsFact, ActualsState> = {
  category: 'goal_actuals',
  idOf: ({ data }) => actualsJournalId(data.workspace, data.came.goalId, data.day),
  initialState: new Map(),
  decide,
  evolve: (known, { data }) =>
    new Map([...known, ...data.steps.map(({ time, actual }) => [time, actual] as const)]),
};
