import type { EventFact, EventRecorded, EventRevised } from '../../domain/events/facts.js';
import type { Scores } from '../../domain/events/scoring.js';
import type { Fact } from '../../domain/fact.js';
import { projection, type After, type Before } from '../engine/projection.js';
import { beginningOf } from './documents.js';

/**
 * An event as it was listed from one moment on, without its text and what came with it. Times are epoch ms.
 * `life`: position of the fact that recorded it, so that the deletions of its stream tell whether it was
 * there. Its first score makes no version of its own: until `scored_at` it was pending.
 */
export type VersionDoc = {
  readonly _id: string;
  readonly workspace: string;
  readonly key: string;
  readonly event_id: string;
  /** What the caller called it, otherwise how its text begins. */
  readonly given_name: string | null;
  readonly beginning: string;
  readonly value: number | null;
  readonly occurred_at: number;
  readonly timestamp: number;
  readonly life: number;
  readonly since: number;
  readonly scores: Scores | null;
  readonly scored_at: number | null;
  /** `occurred_at`, where that was to come when it was said. */
  readonly due_at?: number;
};
/** A version that another one took the place of, or that ended with its event. */
export type PastDoc = VersionDoc & { readonly until: number };

type Docs = { event_pasts: PastDoc; event_versions: VersionDoc };
type Of<T extends EventFact['type']> = Fact<Extract<EventFact, { type: T }>>;

const idOf = ({ data, meta }: Fact<EventFact>): string | null =>
  'eventId' in data ? `${meta.workspace}/${data.eventId}` : null;

const pastId = (id: string, { revision }: Fact<EventFact>): string =>
  `${id}/${String(revision).padStart(9, '0')}`;

function pastOf(fact: Fact<EventFact>): string | null {
  const id = idOf(fact);
  return id === null ? null : pastId(id, fact);
}

/**
 * How events were listed at every moment: what lists of a past moment are read from. Deletions of streams are
 * not in here: what they ended is told by the positions at which events were recorded.
 */
export const eventVersionsProjection = projection<Docs, EventFact>({
  name: 'event_versions',
  version: 1,
  aside: true,
  collections: {
    event_pasts: {
      indexes: [
        ['workspace', 'key', 'occurred_at', 'event_id'],
        ['workspace', 'due_at', 'event_id'],
      ],
      idOf: pastOf,
    },
    event_versions: {
      indexes: [
        ['workspace', 'key', 'occurred_at', 'event_id'],
        ['workspace', 'due_at', 'event_id'],
      ],
      idOf,
    },
  },
  on: {
    EventRecorded: (before, fact) => became(before, fact, begun(fact)),
    EventResubmitted: (before, fact) =>
      before.event_versions ? became(before, fact, { ...before.event_versions, ...unscored }) : {},
    EventScored: (before, fact) => scored(before, fact),
    EventRevised: (before, fact) =>
      before.event_versions ? became(before, fact, revised(before.event_versions, fact)) : {},
    EventWithdrawn: (before, fact) => became(before, fact, null),
  },
});

const unscored = { scores: null, scored_at: null } as const;

function begun({ data, at, meta, position }: Fact<EventRecorded>): VersionDoc {
  const { eventId, key, text, occurredAt, name = null, value = null } = data;
  return {
    ...{ _id: `${meta.workspace}/${eventId}`, workspace: meta.workspace!, key, event_id: eventId },
    ...{ given_name: name, beginning: beginningOf(text), value },
    ...{ timestamp: at, life: position, since: at, ...unscored },
    ...timeOf(occurredAt, at),
  };
}

function revised(doc: VersionDoc, { data: { changes, rescored }, at }: Fact<EventRevised>): VersionDoc {
  const { name, value, occurredAt = doc.occurred_at } = changes;
  const { due_at: _, ...same } = doc;
  return {
    ...same,
    ...(name !== undefined && { given_name: name }),
    ...(value !== undefined && { value }),
    ...(rescored && unscored),
    ...timeOf(occurredAt, at),
  };
}

function scored(before: Before<Docs>, fact: Of<'EventScored'>): After<Docs> {
  const doc = before.event_versions;
  if (!doc) return {};
  const is = { ...doc, scores: fact.data.scores, scored_at: fact.at };
  return doc.scored_at === null ? { event_versions: is } : became(before, fact, is);
}

/** The version before ends; `is` null: with its event. */
const became = (
  { event_versions: was }: Before<Docs>,
  fact: Fact<EventFact>,
  is: VersionDoc | null,
): After<Docs> => ({
  ...(was && { event_pasts: { ...was, _id: pastId(was._id, fact), until: fact.at } }),
  event_versions: is && { ...is, since: fact.at },
});

const timeOf = (occurredAt: number, at: number) => ({
  occurred_at: occurredAt,
  ...(occurredAt > at && { due_at: occurredAt }),
});
