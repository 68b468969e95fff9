import type { Endings } from '../adapters/endings.js';
import type { Metrics } from '../adapters/metrics/metrics.js';
import { watchedBy, type Watcher } from '../adapters/watcher.js';
import type { Log } from '../commands/ports/log.js';
import type { Config } from '../config.js';
import type { Reactor } from '../workers/engine/reactor.js';

/** What a process shows of itself, as far as it is configured to. */
export type Watching = {
  readonly metrics: Metrics | null;
  /** Null: nothing watches. */
  readonly watcher: Watcher | null;
};
type Deps = {
  readonly config: Config;
  readonly clock: () => number;
  readonly log: Log;
  readonly ends: Endings;
};

/** Begins to count and to trace. What is not wanted is not even loaded. */
export async function watching({ config, clock, log, ends }: Deps): Promise<Watching> {
  const metrics = config.METRICS_LISTEN ? await counting() : null;
  const traces = config.OTEL_EXPORTER_OTLP_ENDPOINT ? ends.keep(await tracing(config, clock, log)) : null;
  const watchers = [metrics, traces].filter(each => each !== null);
  return { metrics, watcher: watchers.length > 0 ? watchedBy(watchers) : null };
}

async function counting() {
  const { createMetrics } = await import('../adapters/metrics/metrics.js');
  return createMetrics();
}

async function tracing(config: Config, clock: () => number, log: Log) {
  const { createTraces } = await import('../adapters/traces/traces.js');
  return createTraces({
    endpoint: config.OTEL_EXPORTER_OTLP_ENDPOINT,
    service: config.OTEL_SERVICE_NAME,
    share: Number(config.OTEL_TRACES_SAMPLER_ARG),
    clock,
    log,
  });
}

/** The same reactor, each of its answers watched where somebody watches. */
export function watchedReactor(reactor: Reactor, watcher: Watcher | null): Reactor {
  if (!watcher) return reactor;
  const { reaction } = watcher;
  const on = Object.entries(reactor.on).map(([type, answer]): [string, Reactor['on'][string]] => [
    type,
    (fact, context, deps) => reaction(reactor.name, fact, () => answer(fact, context, deps)),
  ]);
  return { ...reactor, on: Object.fromEntries(on) };
}
