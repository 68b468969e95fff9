import { collectDefaultMetrics, Registry } from 'prom-client';
import type { Scorer } from '../../domain/events/scoring.js';
import type { Stores } from '../open.js';
import { figuresIn, type Figure } from './figures.js';
import { projectedIn } from './projected.js';
import { watchedRequests, type Watch } from './requests.js';
import { timedScorer } from './scoring.js';
import { timedStores } from './stores.js';

/**
 * What a process counts and times of itself, in the text form of Prometheus. It wraps the ports from outside:
 * what is measured knows nothing of it.
 */
export type Metrics = {
  /** The same stores, with each of their calls timed. */
  readonly stores: (stores: Stores) => Stores;
  /** The same scorer, with each scoring timed. */
  readonly scorer: (scorer: Scorer) => Scorer;
  /** Counts what a projection took. */
  readonly projected: (projection: string, facts: number) => void;
  /** Counts and times requests. */
  readonly request: Watch;
  /** Adds what is looked up whenever somebody asks. */
  readonly show: (figures: readonly Figure[]) => void;
  /** All of it, and the content type that goes with it. */
  readonly text: () => Promise<string>;
  readonly contentType: string;
};

/** Gauges that call themselves counters; what they sum is there by kind. */
const MISNAMED = ['handles', 'requests', 'resources'].map(kind => `nodejs_active_${kind}_total`);

/** Begins to count; beside the platform's own figures those of the process and of Node. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const name of MISNAMED) registry.removeSingleMetric(name);
  return {
    stores: timedStores(registry),
    scorer: timedScorer(registry),
    projected: projectedIn(registry),
    request: watchedRequests(registry),
    show: figuresIn(registry),
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}
