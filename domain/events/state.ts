import type { Fact } from '../fact.js';
import { applied } from './changes.js';
import type { Details, EventFact } from './facts.js';

export type LiveEvent = {
  readonly status: 'pending' | 'scored';
  readonly key: string;
  readonly text: string;
  readonly occurredAt: number;
  readonly details: Details;
  /** What the client sees as the event's revision, from 1. */
  readonly revision: number;
  /** Journal revision of the fact that last asked for a score. */
  readonly asked: number;
  /** What made its last scores; null: it has had none. */
  readonly version: string | null;
  /** It was in the future when recorded or last moved, and has not come due yet. */
  readonly due: boolean;
};
export type EventState = { readonly status: 'none' } | LiveEvent;

export const initialState: EventState = { status: 'none' };

export function evolve(state: EventState, fact: Fact<EventFact>): EventState {
  if (fact.type === 'EventRecorded') {
    const { eventId: _, key, text, occurredAt, shape, ...details } = fact.data;
    return {
      status: 'pending',
      key,
      text,
      occurredAt,
      details,
      revision: 1,
      asked: fact.revision,
      version: null,
      due: shape === 'scheduled',
    };
  }
  if (state.status === 'none') return state;
  switch (fact.type) {
    case 'EventResubmitted':
      return { ...state, status: 'pending', asked: fact.revision };
    case 'EventScored':
      return { ...state, status: 'scored', version: fact.data.version };
    case 'EventCameDue':
      return { ...state, due: false };
    case 'EventWithdrawn':
    case 'StreamDeleted':
      return initialState;
    case 'StreamNamed':
    case 'StreamGroupAssigned':
      return state;
    case 'EventRevised': {
      const { revision, changes, rescored } = fact.data;
      const moved = changes.occurredAt;
      return {
        ...state,
        details: applied(state.details, changes),
        revision,
        ...(rescored && { status: 'pending', asked: fact.revision }),
        ...(moved !== undefined && { occurredAt: moved, due: moved > fact.at }),
      };
    }
  }
}
