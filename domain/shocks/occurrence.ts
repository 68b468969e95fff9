import { journalOf, type Decider } from '../decider.js';
import type { EventFact } from '../events/facts.js';
import type { Scores } from '../events/scoring.js';
import { streams } from '../events/streams.js';
import type { Fact, Message } from '../fact.js';
import { SECOND } from '../time.js';

/** An event as its facts tell it, for those who ask whether it may begin a shock. Times are epoch ms. */
export type Occurrence = {
  readonly key: string;
  readonly occurredAt: number;
  readonly recordedAt: number;
  readonly value: number | null;
  /** Revision of its journal that its first scores came with; null: it has none. */
  readonly firstScored: number | null;
  readonly scores: Scores | null;
  /** Of the scorer; absent: it has no scores. */
  readonly scorerVersion?: string;
  /** It was in the future, when recorded or moved, and its time has not come. */
  readonly waits: boolean;
  /** Revision at which its time came, where it had been in the future; null: it had not, or waits. */
  readonly cameDue: number | null;
};

function evolve(known: Occurrence | null, fact: Fact<EventFact>): Occurrence | null {
  if (fact.type === 'EventRecorded') {
    const { key, occurredAt, value = null, shape } = fact.data;
    return {
      ...{ key, occurredAt, value, recordedAt: fact.at, firstScored: null, scores: null },
      ...{ waits: shape === 'scheduled', cameDue: null },
    };
  }
  if (!known) return null;
  switch (fact.type) {
    case 'EventScored':
      return {
        ...{ ...known, scores: fact.data.scores, scorerVersion: fact.data.version },
        firstScored: known.firstScored ?? fact.revision,
      };
    case 'EventCameDue':
      return { ...known, waits: false, cameDue: fact.revision };
    case 'EventRevised': {
      const { occurredAt = known.occurredAt, value = known.value } = fact.data.changes;
      const isMoved = occurredAt !== known.occurredAt;
      return { ...known, occurredAt, value, ...(isMoved && { waits: occurredAt > fact.at, cameDue: null }) };
    }
    case 'EventWithdrawn':
    case 'StreamDeleted':
      return null;
    default:
      return known;
  }
}

const workspaceOf = (id: string): string => id.slice(0, id.indexOf('.'));

/** Journals of events, looked at as occurrences; nothing is decided here. */
export const occurrences: Decider<Message<never, never>, EventFact, Occurrence | null> = {
  category: 'event',
  idOf: () => '',
  initialState: null,
  decide: () => [],
  evolve,
  within: (known, id) => (known ? [journalOf(streams, `${workspaceOf(id)}.${known.key}`)] : []),
};

/** Forecasts of a goal that may lie between an event and its recording, for it to be fresh. */
const FRESH_CADENCES = 2;
/** Whether an event that has happened was recorded soon enough to be fresh for a goal. */
export const isFreshFor = (
  { cadenceS }: { readonly cadenceS: number },
  { occurredAt, recordedAt }: Pick<Occurrence, 'occurredAt' | 'recordedAt'>,
): boolean => occurredAt <= recordedAt && recordedAt - occurredAt <= FRESH_CADENCES * cadenceS * SECOND;

/** What a fact means for shocks: an event that happened got its first scores; one known before came due. */
export type Happened = {
  readonly occurrence: Occurrence & { readonly scores: Scores };
  readonly scheduled: boolean;
};

/**
 * What happened by a fact of an event; null: nothing that begins a shock. Scores that come again (submitted
 * again, edited, by another model), and what lies in the future, begin none.
 */
export function happenedBy(
  { type, revision, at }: Pick<Fact<EventFact>, 'type' | 'revision' | 'at'>,
  known: Occurrence | null,
): Happened | null {
  if (!known?.scores || known.waits || known.occurredAt > at) return null;
  const { firstScored, cameDue, scores } = known;
  const occurrence = { ...known, scores };
  const scheduled = cameDue !== null;
  if (type === 'EventCameDue')
    return cameDue === revision && firstScored !== null ? { occurrence, scheduled } : null;
  const isFirst = type === 'EventScored' && firstScored === revision;
  // Of what came due before it was scored, too
  return isFirst && (cameDue === null || cameDue < revision) ? { occurrence, scheduled } : null;
}
