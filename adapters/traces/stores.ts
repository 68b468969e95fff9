import { SpanKind } from '@opentelemetry/api';
import type { EventStore } from '../../commands/ports/event-store.js';
import type { KeyValue } from '../../commands/ports/key-value.js';
import type { Fact, NewFact } from '../../domain/fact.js';
import type { ReadModels } from '../../projections/engine/read-models.js';
import type { Stores } from '../open.js';
import { spanIdOf, traceIdOf } from './ids.js';
import type { Spans } from './spans.js';

/** What an append wrote beyond its first fact has spans of its own up to this many facts. */
const FURTHER_FACTS = 16;

/** The same stores, with a span for each call that a request or a reactor makes; `paged` hears of pages. */
export const tracedStores =
  (spans: Spans, paged: (page: readonly Fact[]) => void) =>
  (stores: Stores): Stores => ({
    ...stores,
    events: tracedEvents(stores.events, spans, paged),
    models: tracedModels(stores.models, spans),
    kv: tracedKeyValue(stores.kv, spans),
  });

// Whatever a port is asked is handed on whole, so that nothing is lost here when it learns to be asked more

function tracedEvents(store: EventStore, spans: Spans, paged: (page: readonly Fact[]) => void): EventStore {
  return {
    async append(...asked) {
      const [journal, , facts] = asked;
      // Of none there is no trace to tell; the store refuses that
      if (facts.length === 0) return store.append(...asked);
      const written = await spans.within(appending(spans, journal, facts), () => store.append(...asked));
      markFurther(spans, facts);
      return written;
    },
    read: (...asked) => call(spans, 'events', 'read', categoryOf(asked[0]), () => store.read(...asked)),
    async page(...asked) {
      // A page that another reader has, too, is made this one's own
      const page = [...(await store.page(...asked))];
      paged(page);
      return page;
    },
    head: (...asked) => call(spans, 'events', 'head', '', () => store.head(...asked)),
    listen: (...asked) => store.listen(...asked),
    close: () => store.close(),
  };
}

/** The span of an append: everything that follows from its facts finds it by the id of the first one. */
function appending(spans: Spans, journal: string, facts: readonly NewFact[]) {
  const first = facts[0]!;
  const traceId = traceIdOf(first.meta.correlation);
  const current = spans.current?.spanContext();
  return spans.start(`append ${first.type}`, {
    kind: SpanKind.CLIENT,
    traceId,
    spanId: spanIdOf(first.id),
    parentId: current?.traceId === traceId ? current.spanId : null,
    attributes: {
      'db.operation.name': 'append',
      'db.collection.name': categoryOf(journal),
      'presage.facts': facts.length,
    },
  });
}

function markFurther(spans: Spans, [first, ...further]: readonly NewFact[]): void {
  for (const { type, id, meta } of further.slice(0, FURTHER_FACTS)) {
    const wanted = {
      traceId: traceIdOf(meta.correlation),
      parentId: spanIdOf(first!.id),
      spanId: spanIdOf(id),
    };
    spans.start(`fact ${type}`, { kind: SpanKind.INTERNAL, ...wanted }).end();
  }
}

function tracedModels(models: ReadModels, spans: Spans): ReadModels {
  const traced = <T>(operation: string, collection: string, work: () => Promise<T>) =>
    call(spans, 'models', operation, collection, work);
  return {
    prepare: (...asked) => models.prepare(...asked),
    checkpoint: (...asked) => traced('checkpoint', asked[0], () => models.checkpoint(...asked)),
    load: (...asked) => traced('load', asked[0], () => models.load(...asked)),
    commit: (...asked) => traced('commit', asked[0].projection, () => models.commit(...asked)),
    find: (...asked) => traced('find', asked[0], () => models.find(...asked)),
    count: (...asked) => traced('count', asked[0], () => models.count(...asked)),
    collections: (...asked) => models.collections(...asked),
    drop: (...asked) => models.drop(...asked),
    close: () => models.close(),
  };
}

const tracedKeyValue = (kv: KeyValue, spans: Spans): KeyValue => ({
  get: (...asked) => call(spans, 'key_value', 'get', '', () => kv.get(...asked)),
  set: (...asked) => call(spans, 'key_value', 'set', '', () => kv.set(...asked)),
});

function call<T>(
  spans: Spans,
  store: string,
  operation: string,
  collection: string,
  work: () => Promise<T>,
): Promise<T> {
  const attributes = {
    'db.operation.name': operation,
    ...(collection !== '' && { 'db.collection.name': collection }),
  };
  return spans.below(`${operation} ${collection || store}`, SpanKind.CLIENT, attributes, work);
}

/** `event-<workspace>.<event>` -> `event`: a span names no tenant. */
const categoryOf = (journal: string): string => journal.slice(0, journal.indexOf('-'));
