import type { Finding, Reason } from './answer.js';
import type { Candidate } from './question.js';
import type { GriddedSignal } from './signals.js';

/** All that is measured, not measured. */
export const NOTHING = {
  direction: null,
  lift: null,
  liftInterval: null,
  optimalLagS: null,
  halfLifeS: null,
  halfLifeInterval: null,
  responseCurve: null,
  response: null,
  stability: null,
  strength: null,
  relationshipType: null,
} as const;

/** A stream with events in fewer steps is not tested. */
export const FEWEST_EVENTS = 4;

/**
 * Of a candidate with too little to test; `seen`: occurrences of a stream within the target's time, a signal
 * on its grid, null where nothing was looked at.
 */
export function untested({ kind, key }: Candidate, seen: number | GriddedSignal | null): Finding {
  return {
    ...NOTHING,
    kind,
    sourceKey: key,
    verdict: 'untested',
    reasons: [whyNot(seen)],
    pValue: null,
    qValue: null,
    placeboP: null,
    nOccurrences: typeof seen === 'number' ? seen : null,
    knownInAdvance: false,
    confounders: [],
    confoundedBy: [],
  };
}

function whyNot(seen: number | GriddedSignal | null): Reason {
  if (typeof seen === 'number')
    return {
      code: 'too_few_occurrences',
      text: `It occurred ${seen} times in the target's time; ${FEWEST_EVENTS} steps with one are needed`,
    };
  const text =
    seen?.constant && seen.common > 0
      ? "It is the same at all of the target's time"
      : 'It and the target have too few steps in common to test';
  return { code: 'too_few_points', text };
}
