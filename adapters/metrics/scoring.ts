import { Histogram, type Registry } from 'prom-client';
import type { Scorer } from '../../domain/events/scoring.js';
import { timer } from './timing.js';

const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Times scorings: from the asking to the answer, so with the wait for a thread. */
export function timedScorer(registry: Registry): (scorer: Scorer) => Scorer {
  const durations = new Histogram({
    name: 'presage_scoring_duration_seconds',
    help: 'Time of the scoring of one text, with its wait for a thread, by outcome',
    labelNames: ['outcome'],
    buckets: BUCKETS,
    registers: [registry],
  });
  const time = timer(
    (_, outcome, seconds) => durations.observe({ outcome }, seconds),
    () => 'error',
  );
  return scorer => ({
    version: scorer.version,
    score: input => time('score', () => scorer.score(input)),
    close: () => scorer.close(),
  });
}
