import type { Fact } from '../fact.js';
import { ACTING, type EdgeStatus } from '../goals/ports.js';
import type { Reason } from '../maths/effects/answer.js';
import type { EdgeFact, EdgeOf, Measured } from './facts.js';

export type EdgePast = { readonly at: number; readonly lift: number | null; readonly status: EdgeStatus };

export type KnownEdge = EdgeOf & {
  readonly status: EdgeStatus;
  /**
   * Of the last check, of one that acts with the last response that was measured; null: nothing was measured
   * of the series that its goal has.
   */
  readonly measured: Measured | null;
  /** What stood against its validation at the last check, or why it became what it is. */
  readonly reasons: readonly Reason[];
  /** Why it weakened or retired. */
  readonly reason: string | null;
  /** What it was validated with, which later checks are held against. */
  readonly validatedLift: number | null;
  /**
   * The alpha that it was validated with, or a wider one that it passed since: later checks hold it to that.
   * Null, or absent of documents from before it was kept: it passed none.
   */
  readonly alpha?: number | null;
  /** Checks that it failed one after the other in its status. */
  readonly failed: number;
  readonly lastCheckId: string | null;
  /** Epoch ms; null: never, or not any more. */
  readonly validatedAt: number | null;
  readonly lastCheckedAt: number | null;
  readonly weakeningSince: number | null;
  readonly foundAt: number;
  /** The oldest first, at most `MOST_PAST`. */
  readonly history: readonly EdgePast[];
};
export type EdgeState = { readonly status: 'none' } | KnownEdge;
export const initialState: EdgeState = { status: 'none' };

const MOST_PAST = 200;
const DECIDED: ReadonlySet<string> = new Set<EdgeFact['type']>([
  ...(['EdgeValidated', 'EdgeRejected', 'EdgeWeakened', 'EdgeRetired'] as const),
]);

export function evolve(state: EdgeState, fact: Fact<EdgeFact>): EdgeState {
  if (state.status === 'none') return fact.type === 'EdgeFound' ? found(fact.data, fact.at) : state;
  const after = { ...state, ...changed(state, fact) };
  const past: EdgePast = { at: fact.at, lift: after.measured?.lift ?? null, status: after.status };
  // The check that follows says how it was found again, and what was decided of a check is one entry with it
  if (fact.type === 'EdgeFound') return after;
  const isSame = DECIDED.has(fact.type) && state.history.at(-1)?.at === fact.at;
  const before = isSame ? state.history.slice(0, -1) : state.history;
  return { ...after, history: [...before, past].slice(-MOST_PAST) };
}

const found = ({ edgeId, goalId, kind, sourceKey }: EdgeOf, at: number): KnownEdge => ({
  ...{ edgeId, goalId, kind, sourceKey, status: 'candidate', foundAt: at, ...FRESH },
  ...{ measured: null, lastCheckId: null, lastCheckedAt: null, history: [] },
});

/** Of one that begins anew. */
const FRESH = {
  ...{ reasons: [], reason: null, validatedLift: null, alpha: null, failed: 0 },
  ...{ validatedAt: null, weakeningSince: null },
} as const;

function changed(state: KnownEdge, fact: Fact<EdgeFact>): Partial<KnownEdge> {
  switch (fact.type) {
    case 'EdgeFound':
    case 'EdgeUnblocked':
      return { status: 'candidate', ...FRESH };
    case 'EdgeChecked': {
      const { measured, reasons, checkId, passed } = fact.data;
      const alpha = passed ? Math.max(state.alpha ?? 0, fact.data.alpha) : (state.alpha ?? null);
      const failed = passed ? 0 : state.failed + 1;
      const known = ACTING.includes(state.status) ? withResponse(measured, state.measured) : measured;
      return { measured: known, reasons, alpha, failed, lastCheckId: checkId, lastCheckedAt: fact.at };
    }
    case 'EdgeValidated':
      return {
        ...{ status: 'validated', failed: 0, reason: null, weakeningSince: null },
        validatedAt: fact.at,
        // One that recovers is still held against what it was validated with
        validatedLift: state.status === 'weakening' ? state.validatedLift : fact.data.lift,
      };
    case 'EdgeRejected':
      return { status: 'rejected', failed: 0, reasons: fact.data.reasons };
    case 'EdgeWeakened':
      return { status: 'weakening', failed: 0, reason: fact.data.reason, weakeningSince: fact.at };
    case 'EdgeRetired':
      return { status: 'retired', failed: 0, reason: fact.data.reason };
    case 'EdgePinned':
      return { status: 'pinned', failed: 0, weakeningSince: null };
    case 'EdgeBlocked':
      return { status: 'blocked', failed: 0, weakeningSince: null };
    case 'EdgeOutdated':
      return { measured: null, reasons: [] };
  }
}

/**
 * What acts goes on with the response that was measured last where a check could measure none: it is its
 * status that says whether it acts, and without a response it would be nothing.
 */
function withResponse(now: Measured, before: Measured | null): Measured {
  if (before === null || now.optimalLagS !== null) return now;
  const { direction, optimalLagS, halfLifeS, halfLifeInterval, responseCurve, response } = before;
  return { ...now, direction, optimalLagS, halfLifeS, halfLifeInterval, responseCurve, response };
}
