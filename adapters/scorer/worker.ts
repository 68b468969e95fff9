import { readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import type { Scoring, ScoringInput } from '../../domain/scoring.js';
import { readModelFiles } from './files.js';
import { createScore } from './score.js';
import { serve } from './serve.js';
import { createModel } from './session.js';

/**
 * Lets the threads that answer requests go first. On Linux a priority belongs to a thread, and /proc/thread-self is
 * `<process>/task/<thread>`; elsewhere it would slow the whole process, so nothing is done.
 */
const stepBack = (): void => {
  if (process.platform !== 'linux') return;
  try {
    setPriority(Number(readlinkSync('/proc/thread-self').split('/').at(-1)), constants.priority.PRIORITY_LOW);
  } catch { /* not allowed here: scoring works all the same */ }
};

await serve<ScoringInput, Scoring>(async data => {
  stepBack();
  const model = await createModel(readModelFiles((data as { modelDir: string }).modelDir));
  return { run: createScore(model), close: model.close };
});
