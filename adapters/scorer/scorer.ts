import type { Scorer, Scoring, ScoringInput } from '../../domain/scoring.js';
import { defaultModelDir, readModelFiles } from './files.js';
import { WorkerPool } from './pool.js';

/**
 * The event scorer, ready to work: `threads` workers, each with its own copy of the model, off the event loop. A scoring
 * is a pure function of its input and the version; which worker does it, when and beside what, changes nothing.
 * @throws Error that says what is wrong with the model folder
 */
export const createScorer = async ({ threads, modelDir = defaultModelDir() }: { threads: number; modelDir?: string }): Promise<Scorer> => {
  const { version } = readModelFiles(modelDir);
  const pool = await WorkerPool.open<ScoringInput, Scoring>({ file: new URL('./worker.js', import.meta.url), data: { modelDir }, threads });
  return { version, score: input => pool.run(input), close: () => pool.close() };
};
