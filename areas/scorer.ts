import { createScorer } from '../adapters/scorer/scorer.js';
import type { Config } from '../config.js';
import type { Log } from '../commands/ports/log.js';
import { allButOne } from './kernel.js';

/** The scorer in its threads; who opens it closes it. @throws Error when a file of the model is damaged */
export const openScorer = ({ config, log }: { readonly config: Config; readonly log: Log }) =>
  createScorer({
    threads: scorerThreads(config),
    hung: err => log.error({ err }, 'a scorer thread hung and was replaced'),
  });

export const scorerThreads = ({ SCORER_THREADS }: Config): number => SCORER_THREADS || allButOne();
