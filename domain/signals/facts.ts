import type { Message } from '../fact.js';
import type { Points, Runs } from './points.js';

/** How points came: by a person, by a push, by ingestion. */
export type SignalOrigin = 'manual' | 'api' | 'ingestion' | 'derived';

type OfSignal = { readonly key: string };

/** Points at times that had no value before. At most `MAX_POINTS` in one fact. */
export type PointsRecorded = Message<
  'PointsRecorded',
  OfSignal & { readonly points: Points; readonly origin: SignalOrigin }
>;
/**
 * New values at times that had one. `was`: the values until then, in the same order; `since`: when each of
 * them was recorded.
 */
export type PointsRevised = Message<
  'PointsRevised',
  OfSignal & {
    readonly points: Points;
    readonly was: readonly number[];
    readonly since: Runs;
    readonly origin: SignalOrigin;
  }
>;
/** The unit that the points' source names. */
export type SignalUnitReported = Message<'SignalUnitReported', OfSignal & { readonly unit: string }>;
/** What a person says of a signal; null: no longer anything, what is automatic holds again. */
export type SignalUnitAssigned = Message<'SignalUnitAssigned', OfSignal & { readonly unit: string | null }>;
export type SignalGroupAssigned = Message<
  'SignalGroupAssigned',
  OfSignal & { readonly group: string | null }
>;
export type SignalNamed = Message<'SignalNamed', OfSignal & { readonly name: string | null }>;
/** Every point recorded before this is gone from it, and what was said of it. */
export type SignalDeleted = Message<'SignalDeleted', OfSignal>;

export type SignalLabelled = SignalUnitAssigned | SignalGroupAssigned | SignalNamed;
export type SignalFact = PointsRecorded | PointsRevised | SignalUnitReported | SignalLabelled | SignalDeleted;
