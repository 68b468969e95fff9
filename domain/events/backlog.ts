import type { Rejected } from '../rejected.js';
import type { EventFact } from './facts.js';
import type { EventState } from './state.js';

/** Who may add a text to those that wait for a score just now. */
export type ScoringRoom = {
  /** Why a workspace may not; null: it may. Must be quick. */
  readonly refusal: (workspace: string) => Rejected | null;
};

export const endlessRoom: ScoringRoom = { refusal: () => null };

/** Whether one more event waits for a score when this has been decided. */
export function addsToBacklog(before: EventState, decided: readonly EventFact[]): boolean {
  if (before.status === 'pending') return false;
  return decided.some(asksForScore) && decided.every(({ type }) => type !== 'EventScored');
}

function asksForScore(fact: EventFact): boolean {
  if (fact.type === 'EventRevised') return fact.data.rescored;
  return fact.type === 'EventRecorded' || fact.type === 'EventResubmitted';
}
