import { applied } from '../../domain/events/changes.js';
import type { EventFact, EventRecorded, EventRevised, EventScored } from '../../domain/events/facts.js';
import type { Fact } from '../../domain/fact.js';
import { autoGroupOf } from '../../domain/maths/series/units.js';
import {
  type EventDoc,
  type StreamDoc,
  type DueDoc,
  type RevisionDoc,
  type WithdrawnDoc,
  described,
} from './documents.js';

export function recorded({ data, at, meta, position }: Fact<EventRecorded>): EventDoc {
  const { eventId, key, text, occurredAt, shape, raw, ...given } = data;
  return {
    _id: `${meta.workspace}/${eventId}`,
    workspace: meta.workspace!,
    event_id: eventId,
    key,
    text,
    value: given.value ?? null,
    raw_json: raw === undefined ? null : JSON.stringify(raw),
    occurred_at: occurredAt,
    timestamp: at,
    shape,
    position,
    ...unscored,
    revision: 1,
    revised_at: null,
    fired_at: null,
    changed_at: at,
    given,
  };
}

const unscored = { status: 'pending', scores: null, score_version: null, score_reasons: [] } as const;

export const resubmitted = (doc: EventDoc, { at }: Fact): EventDoc => ({
  ...doc,
  ...unscored,
  changed_at: at,
});

export const scored = (doc: EventDoc, { data, at }: Fact<EventScored>): EventDoc => ({
  ...doc,
  status: 'scored',
  scores: data.scores,
  score_version: data.version,
  score_reasons: data.reasons,
  changed_at: at,
});

export const cameDue = (doc: EventDoc, { at }: Fact): EventDoc => ({ ...doc, fired_at: at, changed_at: at });

export function revised(doc: EventDoc, { data, at }: Fact<EventRevised>): EventDoc {
  const { raw, occurredAt = doc.occurred_at, ...changes } = data.changes;
  const given = applied(doc.given, changes);
  return {
    ...doc,
    given,
    value: given.value ?? null,
    occurred_at: occurredAt,
    revision: data.revision,
    revised_at: at,
    changed_at: at,
    ...(raw !== undefined && { raw_json: raw === null ? null : JSON.stringify(raw) }),
    ...(data.rescored && unscored),
    ...(occurredAt > at && { fired_at: null }),
  };
}

/**
 * An event after a fact of its own; null: it is not there. A deletion of its stream is none of
 * these.
 */
export function eventAfter(event: EventDoc | null, fact: Fact<EventFact>): EventDoc | null {
  if (fact.type === 'EventRecorded') return recorded(fact);
  if (!event) return null;
  switch (fact.type) {
    case 'EventResubmitted':
      return resubmitted(event, fact);
    case 'EventScored':
      return scored(event, fact);
    case 'EventRevised':
      return revised(event, fact);
    case 'EventCameDue':
      return cameDue(event, fact);
    case 'EventWithdrawn':
      return null;
    default:
      return event;
  }
}

export function revisionBefore(event: EventDoc, { data, at }: Fact<EventRevised>): RevisionDoc {
  const { _id, text: _, ...before } = event;
  const { workspace, event_id, key, revision } = before;
  const id = revisionId(_id, data.revision - 1);
  return {
    _id: id,
    workspace,
    event_id,
    key,
    revision,
    until: at,
    before: { ...described(event), ...before },
  };
}

export const withdrawnId = (eventDocId: string, { revision }: Fact): string =>
  `${eventDocId}/${String(revision).padStart(9, '0')}`;

export const withdrawn = (event: EventDoc, fact: Fact): WithdrawnDoc => {
  const { _id, workspace, event_id, key, timestamp } = event;
  return { _id: withdrawnId(_id, fact), workspace, event_id, key, timestamp, until: fact.at };
};

export const revisionId = (eventDocId: string, revision: number): string =>
  `${eventDocId}/${String(revision).padStart(9, '0')}`;

export const emptyStream = (_id: string, workspace: string, key: string): StreamDoc => ({
  _id,
  workspace,
  key,
  count: 0,
  pending: 0,
  ranks: {},
  origin: '',
  last_at: null,
  last_exact: true,
  name: null,
  group: autoGroupOf(key),
  assigned: false,
  deleted: null,
});

/** The event's waiting place, when the fact puts its time into the future. */
export const dueOf = (event: EventDoc, { at }: Fact<EventFact>): DueDoc | null =>
  event.occurred_at > at ? dueAt(event) : null;

export const dueAt = ({ _id, workspace, event_id, key, occurred_at, timestamp }: EventDoc): DueDoc => ({
  ...{ _id, workspace, event_id, key, due_at: occurred_at, timestamp },
});
