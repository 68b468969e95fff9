import type { Decider } from '../decider.js';
import type { EventCommand, RecordEvent } from './commands.js';
import { events } from './decider.js';
import type { EventFact } from './facts.js';
import type { EventState, LiveEvent } from './state.js';

/** Whether it is the event that somebody means who says its stream and text, and this time. */
export const standsAt = (state: EventState, occurredAt: number): state is LiveEvent =>
  state.status !== 'none' && state.occurredAt === occurredAt;

/** Submissions to the event that their own id refers to: those that it does not stand for lead to nothing. */
export const eventsReferred: Decider<RecordEvent, EventFact, EventState> = {
  ...events,
  decide: (command, state) => (standsAt(state, command.data.occurredAt) ? events.decide(command, state) : []),
};

/** Refuses what a decider would refuse, and does nothing. */
export const tried = <C extends EventCommand>(
  decider: Decider<C, EventFact, EventState>,
): Decider<C, EventFact, EventState> => ({
  ...decider,
  decide(command, state) {
    decider.decide(command, state);
    return [];
  },
});
