import { constants } from 'node:os';
import type { Scoring, ScoringInput } from '../../domain/events/scoring.js';
import { stepBack } from '../threads/priority.js';
import { serve } from '../threads/serve.js';
import { readModelFiles } from './files.js';
import { createScore } from './score.js';
import { createModel } from './session.js';

await serve<ScoringInput, Scoring>(async data => {
  stepBack(constants.priority.PRIORITY_LOW);
  const model = await createModel(readModelFiles((data as { modelDir: string }).modelDir));
  return { run: createScore(model), close: model.close };
});
