import type { Message } from '../fact.js';
import type { ScoreReason, Scores } from './scoring.js';
import type { Changes, Details } from './facts.js';

type OfEvent = { readonly workspace: string; readonly eventId: string };

/** `now` and `cadence` (the shortest cadence of the workspace's goals) in ms decide the event's shape. */
export type RecordEvent = Message<
  'RecordEvent',
  OfEvent & {
    readonly key: string;
    readonly text: string;
    readonly occurredAt: number;
    readonly details: Details;
    /** An event that is there stays as it is. */
    readonly keepKnown?: boolean;
    /** Recorded here also where this id refers to an event. */
    readonly here?: boolean;
    readonly now: number;
    readonly cadence: number;
  }
>;
/** `seen`: the revision the caller last saw; null: whichever it is. */
export type ReviseEvent = Message<
  'ReviseEvent',
  OfEvent & {
    readonly changes: Changes;
    readonly seen: number | null;
    readonly now: number;
  }
>;
/** The event `to` moves to where `eventId` says: who records something under this may mean that one. */
export type ReferEvent = Message<'ReferEvent', OfEvent & { readonly key: string; readonly to: string }>;
export type WithdrawEvent = Message<'WithdrawEvent', OfEvent & { readonly seen: number | null }>;
/** `asked`: revision, in the event's journal, of the fact that asked for this score. */
export type ScoreEvent = Message<
  'ScoreEvent',
  OfEvent & {
    readonly asked: number;
    readonly scores: Scores;
    readonly reasons: readonly ScoreReason[];
    readonly version: string;
  }
>;
/** A score by another version than the present one; `asked` as it was when the text was read. */
export type RescoreEvent = Message<'RescoreEvent', ScoreEvent['data']>;
export type MarkEventDue = Message<'MarkEventDue', OfEvent & { readonly now: number }>;
export type EventCommand =
  | RecordEvent
  | ReviseEvent
  | ReferEvent
  | WithdrawEvent
  | ScoreEvent
  | RescoreEvent
  | MarkEventDue;

type OfStream = { readonly workspace: string; readonly key: string };

export type DeleteStream = Message<'DeleteStream', OfStream>;
/** Null clears. */
export type AssignStreamGroup = Message<'AssignStreamGroup', OfStream & { readonly group: string | null }>;
export type NameStream = Message<'NameStream', OfStream & { readonly name: string | null }>;
export type StreamCommand = DeleteStream | AssignStreamGroup | NameStream;
