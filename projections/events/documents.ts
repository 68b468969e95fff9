import type { Details, Shape } from '../../domain/events/facts.js';
import type { ScoreReason, Scores } from '../../domain/events/scoring.js';

/**
 * An event as it stands. Times are epoch ms. `raw_json` is the caller's payload as JSON text: any shape, any
 * depth.
 */
export type EventDoc = {
  readonly _id: string;
  readonly workspace: string;
  readonly event_id: string;
  readonly key: string;
  readonly text: string;
  readonly value: number | null;
  readonly raw_json: string | null;
  readonly occurred_at: number;
  readonly timestamp: number;
  readonly shape: Shape;
  /** Of the fact that recorded it, in the log: the order in which events came, whatever clocks said. */
  readonly position: number;
  readonly status: 'pending' | 'scored';
  readonly scores: Scores | null;
  readonly score_version: string | null;
  readonly score_reasons: readonly ScoreReason[];
  readonly revision: number;
  readonly revised_at: number | null;
  readonly fired_at: number | null;
  /** When the newest of the facts that made it so was decided: since then it has been just this. */
  readonly changed_at?: number;
  /** What the caller gave, without defaults (`described` adds them): what a revision changes. */
  readonly given: Omit<Details, 'raw'>;
};

export type Described = {
  readonly name: string;
  readonly source: string;
  readonly origin: string;
  readonly data_type: string;
};

/** A stream: how many events, how many wait for scores, how many there are of each rank (0 to 100). */
export type StreamDoc = {
  readonly _id: string;
  readonly workspace: string;
  readonly key: string;
  readonly count: number;
  readonly pending: number;
  readonly ranks: Readonly<Record<string, number>>;
  /** How the first event of its present life came. */
  readonly origin: string;
  /** No event occurs later (null: there is none); `last_exact`: one occurs just then. */
  readonly last_at: number | null;
  readonly last_exact: boolean;
  readonly name: string | null;
  /** The group it is in, and whether a person put it there. */
  readonly group: string;
  readonly assigned: boolean;
  /** Its last deletion: position of the fact, and how many events went. */
  readonly deleted: { readonly at: number; readonly count: number } | null;
};

/** An event whose time has not come yet. */
export type DueDoc = {
  readonly _id: string;
  readonly workspace: string;
  readonly event_id: string;
  readonly key: string;
  readonly due_at: number;
  /** When it was recorded. */
  readonly timestamp?: number;
};

/** An event that was withdrawn: when it had been recorded, and until when it was there. */
export type WithdrawnDoc = {
  readonly _id: string;
  readonly workspace: string;
  readonly event_id: string;
  readonly key: string;
  readonly timestamp: number;
  readonly until: number;
};

/** An event as it stood before a revision. */
export type RevisionDoc = {
  readonly _id: string;
  readonly workspace: string;
  readonly event_id: string;
  readonly key: string;
  readonly revision: number;
  readonly until: number;
  readonly before: Omit<EventDoc, '_id' | 'text'> & Described;
};

/** All events of the platform. */
export type TotalsDoc = { readonly _id: string; readonly count: number; readonly pending: number };

/** The events of one workspace that wait for a score. */
export type BacklogDoc = { readonly _id: string; readonly pending: number };

/** What the caller gave, and defaults for the rest: a third of a document if they were stored with it. */
export const described = (event: Pick<EventDoc, 'text' | 'key' | 'given'>): Described => ({
  name: nameOf(event),
  source: event.given.source ?? event.key,
  origin: event.given.origin ?? 'api',
  data_type: event.given.dataType ?? 'text',
});

export const nameOf = ({ text, given }: Pick<EventDoc, 'text' | 'given'>): string =>
  given.name ?? beginningOf(text);

/** The first 200 characters. */
const beginningOf = (text: string): string => {
  const units = text.slice(0, 200);
  // Almost always a character is one unit; a list of characters, for the other texts, is far dearer
  return text.length <= 200 || !/[\ud800-\udfff]/.test(units)
    ? units
    : [...text.slice(0, 400)].slice(0, 200).join('');
};
