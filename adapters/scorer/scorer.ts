import type { Scorer, Scoring, ScoringInput } from '../../domain/events/scoring.js';
import { WorkerPool } from '../threads/pool.js';
import { defaultModelDir, readModelFiles } from './files.js';

export type ScorerOptions = {
  readonly threads: number;
  readonly modelDir?: string;
  /** Told when a thread hung and was replaced; its scoring fails with this error. */
  readonly hung?: (error: Error) => void;
};

/** The longest text takes some hundred milliseconds. */
const LIMIT_MS = 60_000;

/**
 * The event scorer, ready to work: `threads` workers, each with its own copy of the model, off the event
 * loop. A scoring is a pure function of its input and the version; which worker does it, when and beside
 * what, changes nothing.
 * @throws Error that says what is wrong with the model folder
 */
export const createScorer = async ({
  threads,
  modelDir = defaultModelDir(),
  hung,
}: ScorerOptions): Promise<Scorer> => {
  const { version } = readModelFiles(modelDir);
  const file = new URL('./worker.js', import.meta.url);
  const pool = await WorkerPool.open<ScoringInput, Scoring>({
    ...{ file, threads, hung },
    data: { modelDir },
    limitMs: LIMIT_MS,
  });
  return { version, score: input => pool.run(input), close: () => pool.close() };
};
