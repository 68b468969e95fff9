import { journalOf, type Decider } from '../decider.js';
import { Rejected } from '../rejected.js';
import { DAY } from '../time.js';
import { mindVersion } from '../versions.js';
import { applied, changesTo, differences } from './changes.js';
import type { EventCommand, RecordEvent, ReviseEvent } from './commands.js';
import type { Changes, Details, EventFact, EventRecorded, EventScored, Shape } from './facts.js';
import { isNumericContent, neutralScores, plainNumberIn } from './numeric.js';
import { evolve, initialState, type EventState, type LiveEvent } from './state.js';
import { streams } from './streams.js';

/** Scheduled events can be at most this far in the future. */
export const FUTURE_LIMIT = 400 * DAY;
/** Version of the score of numeric content, which no model sees. */
export const NUMERIC_VERSION = 'numeric-1';

function decide(command: EventCommand, state: EventState): readonly EventFact[] {
  switch (command.type) {
    case 'RecordEvent':
      notTooFar(command.data.occurredAt, command.data.now);
      if (state.status !== 'none') return submitAgain(command, state);
      return state.to === undefined || command.data.here ? record(command) : [];
    case 'ReviseEvent':
      return revise(command, live(state, command.data.seen));
    case 'ReferEvent': {
      const { eventId, key, to } = command.data;
      return state.to?.includes(to) ? [] : [{ type: 'EventReferred', data: { eventId, key, to } }];
    }
    case 'WithdrawEvent':
      return [
        {
          type: 'EventWithdrawn',
          data: { eventId: command.data.eventId, key: live(state, command.data.seen).key },
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
  const { eventId, key, text, occurredAt, now, cadence } = data;
  const details = withOwnValue(text, data.details);
  const recorded: EventRecorded = {
    type: 'EventRecorded',
    data: { eventId, key, text, occurredAt, ...details, shape: shapeOf(occurredAt, now, cadence) },
  };
  return [recorded, ...scoredAtOnce(eventId, key, text, details.dataType)];
}

/**
 * A member given anew replaces the old one, one no longer given is cleared. What is as it was last submitted
 * says nothing new: corrections that were made since stay, as that of the time does, for a submission of
 * another time is another event. What is otherwise is remembered, also where a correction has said it before.
 */
function submitAgain({ data }: RecordEvent, state: LiveEvent): readonly EventFact[] {
  const { eventId, key, text, details: given, keepKnown = false } = data;
  if (keepKnown) return [];
  const details = withOwnValue(text, given);
  const submitted = differences(state.submitted, details);
  const changes = changesTo(state, submitted);
  const numeric = scoredAtOnce(eventId, key, text, applied(state.details, changes).dataType);
  if (some(changes)) {
    const data = { eventId, key, revision: state.revision + 1, changes, rescored: true };
    const more = some(differences(applied(state.submitted, changes), details));
    return [{ type: 'EventRevised', data: more ? { ...data, submitted } : data }, ...numeric];
  }
  if (some(submitted)) return [{ type: 'EventResubmitted', data: { eventId, key, submitted } }, ...numeric];
  if (state.status === 'pending' || numeric.length > 0) return [];
  return [{ type: 'EventResubmitted', data: { eventId, key } }];
}

function revise({ data: command }: ReviseEvent, state: LiveEvent): readonly EventFact[] {
  const { eventId, now } = command;
  if (command.changes.occurredAt !== undefined) notTooFar(command.changes.occurredAt, now);
  const changes = changesTo(state, command.changes);
  if (!some(changes)) return [];
  const rescored = changes.value !== undefined || changes.dataType !== undefined;
  const numeric = rescored
    ? scoredAtOnce(eventId, state.key, state.text, applied(state.details, changes).dataType)
    : [];
  const revision = state.revision + 1;
  const data = { eventId, key: state.key, revision, changes, rescored, corrected: true } as const;
  return [{ type: 'EventRevised', data }, ...numeric];
}

const some = (changes: Changes): boolean => Object.keys(changes).length > 0;

/** A text that is a number is the value of its event, unless that has another. */
function withOwnValue(text: string, details: Details): Details {
  const own = details.value === undefined ? plainNumberIn(text) : null;
  return own === null ? details : { ...details, value: own };
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

/** An event is fresh when it was recorded within this many cadences of occurring. */
const FRESH_CADENCES = 2;

/** When it was recorded, against when it happens: spec section 3, "Event arrival shapes". */
export function shapeOf(occurredAt: number, now: number, cadence: number): Shape {
  if (occurredAt > now) return 'scheduled';
  return now - occurredAt <= FRESH_CADENCES * cadence ? 'fresh' : 'stale';
}

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
  mindVersion('The event', seen, state.revision);
  return state;
}

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
