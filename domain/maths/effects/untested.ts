import type { Finding, Reason } from './answer.js';
import type { Candidate } from './question.js';

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

/** Of a candidate with too little to test; `occurrences` within the target's time, null where not counted. */
export function untested({ kind, key }: Candidate, occurrences: number | null, needed: number): Finding {
  const reason: Reason =
    kind === 'event_stream' && occurrences !== null
      ? {
          code: 'too_few_occurrences',
          text: `It occurred ${occurrences} times in the target's time; ${needed} steps with one are needed`,
        }
      : { code: 'too_few_points', text: 'It and the target have too few steps in common to test' };
  return {
    ...NOTHING,
    kind,
    sourceKey: key,
    verdict: 'untested',
    reasons: [reason],
    pValue: null,
    qValue: null,
    placeboP: null,
    nOccurrences: occurrences,
    knownInAdvance: false,
    confounders: [],
    confoundedBy: [],
  };
}
