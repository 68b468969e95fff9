import type { Verdict } from '../../domain/maths/finetuning/gate.js';
import type { FineTuneAsked, FineTuned } from '../../domain/trainings/fine-tuning.js';

/** A verdict as people read it. */
export const wordsOf = ({ ratio, certainty }: Verdict, kept: boolean): string => {
  const percent = `${(100 * Math.abs(1 - ratio)).toFixed(1)}%`;
  const found = `${percent} ${ratio < 1 ? 'less' : 'more'} loss on held-out windows than the backbone`;
  return `${found}, ${certainty.toFixed(1)} standard errors: ${kept ? 'kept' : 'not kept'}`;
};

/** What is answered where nothing can be held out. */
export const tooShort = ({ horizon }: FineTuneAsked): FineTuned => ({
  ...{ kept: false, why: 'too_short', ratio: null, certainty: null, adapter: null, sha256: null },
  message: `its history is too short to hold parts of it out for a horizon of ${horizon} steps`,
  ...{ folds: null, steps: 0, seconds: 0 },
});
