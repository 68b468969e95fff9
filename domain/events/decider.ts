import { journalOf, type Decider } from '../decider.js';
import type { Fact } from '../fact.js';
import { Rejected } from '../rejected.js';
import { isNumericContent, neutralScores } from './scoring.js';
import { DAY } from '../time.js';
import type { EventCommand, RecordEvent, ReviseEvent } from './commands.js';
import type { Changes, Details, EventFact, EventRecorded, EventScored, Shape } from './facts.js';
import { streams } from './streams.js';

/** Scheduled events can be at most this far in the future. */
export const FUTURE_LIMIT = 400 * DAY;
/** An event is fresh when it was recorded within this many cadences of occurring. */
const FRESH_CADENCES = 2;
/** Version of the score of numeric content, which no model sees. */
export const NUMERIC_VERSION = 'numeric-1';

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

export function decide(command: EventCommand, state: EventState): readonly EventFact[] {
  switch (command.type) {
    case 'RecordEvent':
      notTooFar(command.data.occurredAt, command.data.now);
      return state.status === 'none' ? record(command) : submitAgain(command, state);
    case 'ReviseEvent':
      return revise(command, live(state, command.data.revision));
    case 'WithdrawEvent':
      return [
        {
          type: 'EventWithdrawn',
          data: { eventId: command.data.eventId, key: live(state, command.data.revision).key },
        },
      ];
    case 'ScoreEvent': {
      const { workspace: _, asked, ...scored } = command.data;
      if (state.status !== 'pending' || state.asked !== asked) return [];
      return [{ type: 'EventScored', data: { ...scored, key: state.key } }];
    }
    case 'RescoreEvent': {
      const { workspace: _, asked, ...scored } = command.data;
      if (state.status !== 'scored' || state.asked !== asked || !rescorable(state, scored.version)) return [];
      return [{ type: 'EventScored', data: { ...scored, key: state.key } }];
    }
    case 'MarkEventDue': {
      const { eventId, now } = command.data;
      if (state.status === 'none' || !state.due || state.occurredAt > now) return [];
      return [{ type: 'EventCameDue', data: { eventId, key: state.key, occurredAt: state.occurredAt } }];
    }
  }
}

/** Scores of another version are replaced by those of this one; what no model saw, none sees now. */
export const rescorable = ({ version: present }: Pick<LiveEvent, 'version'>, version: string): boolean =>
  present !== version && present !== NUMERIC_VERSION;

function record({ data }: RecordEvent): readonly EventFact[] {
  const { eventId, key, text, occurredAt, details, now, cadence } = data;
  const recorded: EventRecorded = {
    type: 'EventRecorded',
    data: { eventId, key, text, occurredAt, ...details, shape: shapeOf(occurredAt, now, cadence) },
  };
  return [recorded, ...scoredAtOnce(eventId, key, text, details.dataType)];
}

/**
 * A member given anew replaces the old one, one no longer given is cleared: the row becomes what was last
 * submitted.
 */
function submitAgain({ data }: RecordEvent, state: LiveEvent): readonly EventFact[] {
  const { eventId, key, text, details, occurredAt } = data;
  const changes = {
    ...differences(state.details, details),
    ...(occurredAt !== state.occurredAt && { occurredAt }),
  };
  const numeric = scoredAtOnce(eventId, key, text, details.dataType);
  if (Object.keys(changes).length > 0)
    return [
      { type: 'EventRevised', data: { eventId, key, revision: state.revision + 1, changes, rescored: true } },
      ...numeric,
    ];
  if (state.status === 'pending' || numeric.length > 0) return [];
  return [{ type: 'EventResubmitted', data: { eventId, key } }];
}

function revise({ data: command }: ReviseEvent, state: LiveEvent): readonly EventFact[] {
  const { eventId, now } = command;
  if (command.changes.occurredAt !== undefined) notTooFar(command.changes.occurredAt, now);
  const changes = Object.fromEntries(
    Object.entries(command.changes).filter(
      ([member, to]) =>
        !same(
          to ?? null,
          (member === 'occurredAt' ? state.occurredAt : state.details[member as keyof Details]) ?? null,
        ),
    ),
  ) as Changes;
  if (Object.keys(changes).length === 0) return [];
  const rescored = changes.value !== undefined || changes.dataType !== undefined;
  const numeric = rescored
    ? scoredAtOnce(eventId, state.key, state.text, applied(state.details, changes).dataType)
    : [];
  const data = { eventId, key: state.key, revision: state.revision + 1, changes, rescored };
  return [{ type: 'EventRevised', data }, ...numeric];
}

/** Numeric content carries its value and is neutral; no model is asked. */
function scoredAtOnce(eventId: string, key: string, text: string, dataType = 'text'): readonly EventScored[] {
  if (!isNumericContent(text, dataType)) return [];
  return [
    {
      type: 'EventScored',
      data: { eventId, key, scores: neutralScores(), reasons: [], version: NUMERIC_VERSION },
    },
  ];
}

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

/** When it was recorded, against when it happens: spec section 3, "Event arrival shapes". */
export const shapeOf = (occurredAt: number, now: number, cadence: number): Shape =>
  occurredAt > now ? 'scheduled' : now - occurredAt <= FRESH_CADENCES * cadence ? 'fresh' : 'stale';

function notTooFar(occurredAt: number, now: number): void {
  if (occurredAt > now + FUTURE_LIMIT)
    throw new Rejected(
      'invalid',
      'occurred_at_too_far',
      'Scheduled events can be at most 400 days in the future',
    );
}

function live(state: EventState, seen: number | null): LiveEvent {
  if (state.status === 'none') throw new Rejected('missing', 'event_not_found', 'Event not found');
  if (seen !== null && seen !== state.revision)
    throw new Rejected('conflict', 'version_conflict', `The event is at revision ${state.revision}`, {
      revision: state.revision,
    });
  return state;
}

function differences(before: Details, after: Details): Changes {
  const members = [...new Set([...Object.keys(before), ...Object.keys(after)])] as (keyof Details)[];
  return Object.fromEntries(members.filter(m => !same(before[m], after[m])).map(m => [m, after[m] ?? null]));
}

const same = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b);

/** The details after a change; what became null is no longer given. */
export const applied = (details: Details, { occurredAt: _, ...changes }: Changes): Details =>
  Object.fromEntries(Object.entries({ ...details, ...changes }).filter(([, value]) => value !== null));

/** Of an event, within the category. */
export const eventJournalId = (workspace: string, eventId: string): string => `${workspace}.${eventId}`;
const workspaceOf = (id: string): string => id.slice(0, id.indexOf('.'));

export const events: Decider<EventCommand, EventFact, EventState> = {
  category: 'event',
  idOf: ({ data }) => eventJournalId(data.workspace, data.eventId),
  initialState,
  decide,
  evolve,
  within: (state, id) =>
    state.status === 'none' ? [] : [journalOf(streams, `${workspaceOf(id)}.${state.key}`)],
};
