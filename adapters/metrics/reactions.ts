import { Histogram, type Registry } from 'prom-client';
import type { Watcher } from '../watcher.js';
import { timer } from './timing.js';

const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Times what reactors do about a fact, by reactor and outcome. */
export function timedReactions(registry: Registry): Watcher['reaction'] {
  const durations = new Histogram({
    name: 'presage_reaction_duration_seconds',
    help: 'Time in which a reactor answered a fact, by reactor and outcome',
    labelNames: ['reactor', 'outcome'],
    buckets: BUCKETS,
    registers: [registry],
  });
  const time = timer(
    (reactor, outcome, seconds) => durations.observe({ reactor, outcome }, seconds),
    () => 'error',
  );
  return (reactor, _, answer) => time(reactor, answer);
}
