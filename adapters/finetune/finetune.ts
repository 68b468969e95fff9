import { FIRST_PARTY } from '../../domain/models/hosted.js';
import type { FineTuning } from '../../domain/trainings/fine-tuning.js';
import { tuneOther } from './other.js';
import { tuneOwn } from './own.js';

/**
 * Fine-tunes a foundation model to a table: for a process that does nothing else, since it keeps its thread
 * busy. What it needs of memory grows with its windows, some hundred MB at most.
 */
export const finetune: FineTuning = async (asked, watch = {}) => {
  const { backbone, forecast } = asked;
  if (backbone.family === FIRST_PARTY) return tuneOwn(asked, watch);
  if (!forecast) throw new RangeError(`nobody says what ${backbone.family}/${backbone.slug} forecasts`);
  return tuneOther(asked, forecast, watch);
};
