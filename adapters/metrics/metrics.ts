import { collectDefaultMetrics, Registry } from 'prom-client';
import type { Watcher } from '../watcher.js';
import { figuresIn, type Figure } from './figures.js';
import { projectedIn } from './projected.js';
import { timedReactions } from './reactions.js';
import { watchedRequests } from './requests.js';
import { timedScorer } from './scoring.js';
import { timedStores } from './stores.js';

/** What a process counts and times of itself, in the text form of Prometheus. */
export type Metrics = Watcher & {
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
    reaction: timedReactions(registry),
    request: watchedRequests(registry),
    requestId: () => null,
    show: figuresIn(registry),
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}
