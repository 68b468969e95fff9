import type { Decider } from '../decider.js';
import type { Rejected } from '../rejected.js';
import type { EventCommand } from './commands.js';
import type { EventFact } from './facts.js';

/** Who may add a text to those that wait for a score just now. */
export type ScoringRoom = {
  /** Why a workspace may not; null: it may. Must be quick. */
  readonly refusal: (workspace: string) => Rejected | null;
};

export const endlessRoom: ScoringRoom = { refusal: () => null };

/** Whether one more event waits for a score when this has been decided. */
export function addsToBacklog(before: object, decided: readonly EventFact[]): boolean {
  if ('status' in before && before.status === 'pending') return false;
  return decided.some(asksForScore) && decided.every(({ type }) => type !== 'EventScored');
}

/** Decides as ever, but adds no text to be scored where there is no room. */
export const withRoom = <C extends EventCommand, S extends object>(
  decider: Decider<C, EventFact, S>,
  room: ScoringRoom,
): Decider<C, EventFact, S> => ({
  ...decider,
  decide(command, state) {
    const decided = decider.decide(command, state);
    const refusal = addsToBacklog(state, decided) ? room.refusal(command.data.workspace) : null;
    if (refusal) throw refusal;
    return decided;
  },
});

function asksForScore(fact: EventFact): boolean {
  if (fact.type === 'EventRevised') return fact.data.rescored;
  return fact.type === 'EventRecorded' || fact.type === 'EventResubmitted';
}
