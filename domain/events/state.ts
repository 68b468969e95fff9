import type { Fact } from '../fact.js';
import { applied } from './changes.js';
import type { Details, EventFact } from './facts.js';

export type LiveEvent = {
  readonly status: 'pending' | 'scored';
  readonly key: string;
  readonly text: string;
  readonly occurredAt: number;
  readonly details: Details;
  /** The details as they were last submitted: corrections are not among them. */
  readonly submitted: Details;
  /** What the client sees as the event's revision, from 1. */
  readonly revision: number;
  /** Journal revision of the fact that last asked for a score. */
  readonly asked: number;
  /** What made its last scores; null: it has had none. */
  readonly version: string | null;
  /** It was in the future when recorded or last moved, and has not come due yet. */
  readonly due: boolean;
};
/**
 * `to`: events that moved to where this id says, in that order; where none is recorded under the id, the
 * first that stands there still is meant.
 */
export type EventState = ({ readonly status: 'none' } | LiveEvent) & { readonly to?: readonly string[] };

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
      submitted: details,
      revision: 1,
      asked: fact.revision,
      version: null,
      due: shape === 'scheduled',
      ...(state.to !== undefined && { to: state.to }),
    };
  }
  if (fact.type === 'EventReferred') return { ...state, to: [...(state.to ?? []), fact.data.to] };
  if (state.status === 'none') return state;
  switch (fact.type) {
    case 'EventResubmitted':
      return {
        ...state,
        submitted: applied(state.submitted, fact.data.submitted ?? {}),
        status: 'pending',
        asked: fact.revision,
      };
    case 'EventScored':
      return { ...state, status: 'scored', version: fact.data.version };
    case 'EventCameDue':
      return { ...state, due: false };
    case 'EventWithdrawn':
    case 'StreamDeleted':
      return state.to === undefined ? initialState : { status: 'none', to: state.to };
    case 'StreamNamed':
    case 'StreamGroupAssigned':
      return state;
    case 'EventRevised': {
      const { revision, changes, rescored, corrected = !rescored, submitted = changes } = fact.data;
      const moved = changes.occurredAt;
      return {
        ...state,
        details: applied(state.details, changes),
        ...(!corrected && { submitted: applied(state.submitted, submitted) }),
        revision,
        ...(rescored && { status: 'pending', asked: fact.revision }),
        ...(moved !== undefined && { occurredAt: moved, due: moved > fact.at }),
      };
    }
  }
}
