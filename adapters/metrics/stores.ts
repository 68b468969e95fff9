import { Counter, Histogram, type Registry } from 'prom-client';
import {
  OutcomeUnknown,
  StoreUnavailable,
  TooLarge,
  WrongRevision,
  type EventStore,
} from '../../commands/ports/event-store.js';
import type { KeyValue } from '../../commands/ports/key-value.js';
import { Overtaken, type ReadModels } from '../../projections/engine/read-models.js';
import type { Stores } from '../open.js';
import { timer, type Timer } from './timing.js';

/** Seconds: from what an embedded store answers out of memory to what a server takes that is in trouble. */
const BUCKETS = [1e-4, 2.5e-4, 5e-4, 1e-3, 2.5e-3, 5e-3, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Times each call of the stores, by store, operation and outcome, and counts the facts appended. */
export function timedStores(registry: Registry): (stores: Stores) => Stores {
  const durations = new Histogram({
    name: 'presage_store_operation_duration_seconds',
    help: 'Time of a call of a store, by store, operation and outcome',
    labelNames: ['store', 'operation', 'outcome'],
    buckets: BUCKETS,
    registers: [registry],
  });
  const appended = new Counter({
    name: 'presage_facts_appended_total',
    help: 'Facts that were written to the log',
    registers: [registry],
  });
  const timed = (store: string): Timer =>
    timer(
      (operation, outcome, seconds) => durations.observe({ store, operation, outcome }, seconds),
      failureOf,
    );
  return stores => ({
    ...stores,
    events: timedEvents(stores.events, timed('events'), facts => appended.inc(facts)),
    models: timedModels(stores.models, timed('models')),
    kv: timedKeyValue(stores.kv, timed('key_value')),
  });
}

// Whatever a port is asked is handed on whole, so that nothing is lost here when it learns to be asked more

function timedEvents(store: EventStore, time: Timer, wrote: (facts: number) => void): EventStore {
  return {
    append(...asked) {
      const counted = () => {
        wrote(asked[2].length);
        return 'ok';
      };
      return time('append', () => store.append(...asked), counted);
    },
    read: (...asked) => time('read', () => store.read(...asked)),
    page: (...asked) => time('page', () => store.page(...asked)),
    head: (...asked) => time('head', () => store.head(...asked)),
    listen: (...asked) => store.listen(...asked),
    close: () => store.close(),
  };
}

function timedModels(models: ReadModels, time: Timer): ReadModels {
  return {
    prepare: (...asked) => time('prepare', () => models.prepare(...asked)),
    checkpoint: (...asked) => time('checkpoint', () => models.checkpoint(...asked)),
    load: (...asked) => time('load', () => models.load(...asked)),
    commit: (...asked) => time('commit', () => models.commit(...asked)),
    find: (...asked) => time('find', () => models.find(...asked)),
    count: (...asked) => time('count', () => models.count(...asked)),
    collections: (...asked) => time('collections', () => models.collections(...asked)),
    drop: (...asked) => time('drop', () => models.drop(...asked)),
    close: () => models.close(),
  };
}

const timedKeyValue = (kv: KeyValue, time: Timer): KeyValue => ({
  get: (...asked) => time('get', () => kv.get(...asked)),
  set: (...asked) =>
    time(
      'set',
      () => kv.set(...asked),
      written => (written === null ? 'conflict' : 'ok'),
    ),
});

/** What came of a call that was rejected: one of a few words, never the message. */
function failureOf(error: unknown): string {
  if (error instanceof WrongRevision || error instanceof Overtaken) return 'conflict';
  if (error instanceof TooLarge || error instanceof RangeError) return 'refused';
  if (error instanceof OutcomeUnknown) return 'unknown';
  return error instanceof StoreUnavailable ? 'unavailable' : 'error';
}
