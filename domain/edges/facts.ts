import type { Message } from '../fact.js';
import type { RelationshipType } from '../maths/causality/answer.js';
import type { Direction, Interval, Reason, Response, ResponseCurve } from '../maths/effects/answer.js';

/** Whose an edge is, and where it comes from. */
export type EdgeOf = {
  readonly edgeId: string;
  readonly goalId: string;
  readonly kind: 'signal' | 'event_stream';
  readonly sourceKey: string;
};

/** What was measured of a source; null where it could not be. Intervals hold 90%. */
export type Measured = {
  readonly direction: Direction | null;
  /** Share of the out-of-sample loss that knowing the source removes. */
  readonly lift: number | null;
  readonly liftInterval: Interval | null;
  readonly pValue: number | null;
  /** Within the check that measured it. */
  readonly qValue: number | null;
  readonly placeboP: number | null;
  /** Null of a signal. */
  readonly nOccurrences: number | null;
  readonly optimalLagS: number | null;
  readonly halfLifeS: number | null;
  readonly halfLifeInterval: Interval | null;
  readonly responseCurve: ResponseCurve | null;
  readonly response: Response | null;
  readonly stability: number | null;
  readonly strength: number | null;
  readonly relationshipType: RelationshipType | null;
  readonly knownInAdvance: boolean;
  readonly confounders: readonly string[];
  readonly confoundedBy: readonly string[];
};

/** A discovery found a source, for the first time or again. */
export type EdgeFound = Message<'EdgeFound', EdgeOf>;
/**
 * It was looked at by the discovery `checkId`, as known at `asOf` (epoch ms). `passed`: as its status asks of
 * it; `reasons` are those against its validation.
 */
export type EdgeChecked = Message<
  'EdgeChecked',
  EdgeOf & {
    readonly checkId: string;
    readonly asOf: number;
    readonly alpha: number;
    readonly passed: boolean;
    readonly reasons: readonly Reason[];
    readonly measured: Measured;
  }
>;
type Figures = { readonly lift: number | null; readonly halfLifeS: number | null };
export type EdgeValidated = Message<'EdgeValidated', EdgeOf & Figures>;
export type EdgeRejected = Message<'EdgeRejected', EdgeOf & { readonly reasons: readonly Reason[] }>;
/** `reason`: why, in a sentence. */
export type EdgeWeakened = Message<'EdgeWeakened', EdgeOf & Figures & { readonly reason: string }>;
export type EdgeRetired = Message<'EdgeRetired', EdgeOf & Figures & { readonly reason: string }>;
/** By a person: it acts, whatever checks say. */
export type EdgePinned = Message<'EdgePinned', EdgeOf>;
/** By a person: it never acts. */
export type EdgeBlocked = Message<'EdgeBlocked', EdgeOf>;
export type EdgeUnblocked = Message<'EdgeUnblocked', EdgeOf>;
/** Its goal is of another series now, of which nothing was measured. */
export type EdgeOutdated = Message<'EdgeOutdated', EdgeOf>;

/** Journal `edge-<workspace>.<edge_id>`. */
export type EdgeFact =
  | EdgeFound
  | EdgeChecked
  | EdgeValidated
  | EdgeRejected
  | EdgeWeakened
  | EdgeRetired
  | EdgePinned
  | EdgeBlocked
  | EdgeUnblocked
  | EdgeOutdated;
