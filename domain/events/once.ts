import type { Decider } from '../decider.js';
import type { RecordEvent } from './commands.js';
import { events } from './decider.js';
import type { EventFact } from './facts.js';

/** Whether an event was ever recorded, also where it or its stream is gone since. */
type Known = { readonly known: boolean };

/** Events that come under an id of somebody else: each is recorded once, for ever. */
export const eventsOnce: Decider<RecordEvent, EventFact, Known> = {
  category: events.category,
  idOf: events.idOf,
  initialState: { known: false },
  decide: (command, { known }) => (known ? [] : events.decide(command, events.initialState)),
  evolve: (state, { type }) => (type === 'EventRecorded' ? { known: true } : state),
};
