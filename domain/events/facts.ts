import type { Message } from '../fact.js';
import type { ScoreReason, Scores } from './scoring.js';

/**
 * How long after its occurrence an event was recorded, decided once, when it is recorded (spec section 3).
 */
export type Shape = 'fresh' | 'stale' | 'scheduled';
export type Origin = 'manual' | 'api' | 'ingestion';

/** What a caller says of an event besides stream, text and time; a member that was not given is absent. */
export type Details = {
  readonly name?: string;
  readonly source?: string;
  readonly origin?: Origin;
  readonly dataType?: string;
  readonly value?: number;
  readonly raw?: unknown;
  /** What the system calls it that it comes from, where it was recorded under that. */
  readonly externalId?: string;
};
/** What may change in an event; null: no longer given. */
export type Changes = { readonly [K in keyof Details]?: Details[K] | null } & {
  readonly occurredAt?: number;
};

type OfEvent = { readonly eventId: string; readonly key: string };

export type EventRecorded = Message<
  'EventRecorded',
  OfEvent &
    Details & {
      readonly text: string;
      readonly occurredAt: number;
      readonly shape: Shape;
    }
>;
/**
 * The same event was submitted again, and nothing of it is to change: it is scored again. `submitted`: what
 * is otherwise in the submission than in the last one, but is so already; absent: nothing.
 */
export type EventResubmitted = Message<'EventResubmitted', OfEvent & { readonly submitted?: Changes }>;
/**
 * `revision`: the one it made, the first recording being 1. `rescored`: a new score is to come; otherwise the
 * present one stays. `corrected`: somebody corrected this row; absent: it was submitted again with something
 * new, or is older than this member. `submitted`: what is otherwise in the submission than in the last one,
 * where that is more than changes; absent: the changes.
 */
export type EventRevised = Message<
  'EventRevised',
  OfEvent & {
    readonly revision: number;
    readonly changes: Changes;
    readonly rescored: boolean;
    readonly corrected?: true;
    readonly submitted?: Changes;
  }
>;
/**
 * In the journal of another id: an event, `to`, moves to where this id says, so that who records something
 * under this id may mean that one.
 */
export type EventReferred = Message<'EventReferred', OfEvent & { readonly to: string }>;
/**
 * `version`: model and formulas that made the scores; the same version makes the same scores of the same
 * event, save novelty, which depends on what stood in its stream.
 */
export type EventScored = Message<
  'EventScored',
  OfEvent & {
    readonly scores: Scores;
    readonly reasons: readonly ScoreReason[];
    readonly version: string;
  }
>;
/** A scheduled event's time has come. */
export type EventCameDue = Message<'EventCameDue', OfEvent & { readonly occurredAt: number }>;
export type EventWithdrawn = Message<'EventWithdrawn', OfEvent>;
/** Every event of the stream recorded before this is gone from it. */
export type StreamDeleted = Message<'StreamDeleted', { readonly key: string }>;
/** What a person says of a stream; null: no longer anything, what is automatic holds again. */
export type StreamGroupAssigned = Message<
  'StreamGroupAssigned',
  { readonly key: string; readonly group: string | null }
>;
export type StreamNamed = Message<'StreamNamed', { readonly key: string; readonly name: string | null }>;

export type StreamLabelled = StreamGroupAssigned | StreamNamed;
export type StreamFact = StreamDeleted | StreamLabelled;
export type EventFact =
  | EventRecorded
  | EventResubmitted
  | EventRevised
  | EventReferred
  | EventScored
  | EventCameDue
  | EventWithdrawn
  | StreamFact;
