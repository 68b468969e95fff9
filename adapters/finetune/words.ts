import { LEAST_BLOCKS, type Verdict } from '../../domain/maths/finetuning/gate.js';
import type { FineTuneAsked, FineTuned } from '../../domain/trainings/fine-tuning.js';

/** A verdict as people read it. */
export const wordsOf = ({ ratio, certainty, blocks }: Verdict, kept: boolean): string => {
  const percent = `${(100 * Math.abs(1 - ratio)).toFixed(1)}%`;
  const than = `${ratio < 1 ? 'less' : 'more'} loss on ${blocks} held-out stretches than the backbone`;
  const found = `${percent} ${than}, ${certainty.toFixed(1)} standard errors`;
  if (kept) return `${found}: kept`;
  const why = blocks < LEAST_BLOCKS ? `, for ${LEAST_BLOCKS} stretches are needed` : '';
  return `${found}: not kept${why}`;
};

/** What is answered where nothing can be held out. */
export const tooShort = ({ horizon }: FineTuneAsked): FineTuned => ({
  ...{ kept: false, why: 'too_short', ratio: null, certainty: null, adapter: null, sha256: null },
  message: `its history is too short to hold parts of it out for a horizon of ${horizon} steps`,
  ...{ folds: null, steps: 0, seconds: 0 },
});
