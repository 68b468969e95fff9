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

function tracedEvents(store: EventStore, spans: Spans, paged: (page: readonly Fact[]) => void): EventStore {
  return {
    async append(journal, expected, facts) {
      const written = await spans.within(appending(spans, journal, facts), () =>
        store.append(journal, expected, facts),
      );
      markFurther(spans, facts);
      return written;
    },
    read: (journal, after, limit) =>
      call(spans, 'events', 'read', categoryOf(journal), () => store.read(journal, after, limit)),
    async page(after, limit) {
      // A page that another reader has, too, is made this one's own
      const page = [...(await store.page(after, limit))];
      paged(page);
      return page;
    },
    head: () => call(spans, 'events', 'head', '', () => store.head()),
    listen: ring => store.listen(ring),
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
    prepare: collections => models.prepare(collections),
    checkpoint: projection => traced('checkpoint', projection, () => models.checkpoint(projection)),
    load: (collection, ids) => traced('load', collection, () => models.load(collection, ids)),
    commit: page => traced('commit', page.projection, () => models.commit(page)),
    find: (collection, query) => traced('find', collection, () => models.find(collection, query)),
    count: (collection, where) => traced('count', collection, () => models.count(collection, where)),
    collections: () => models.collections(),
    drop: (collections, projection) => models.drop(collections, projection),
    close: () => models.close(),
  };
}

const tracedKeyValue = (kv: KeyValue, spans: Spans): KeyValue => ({
  get: key => call(spans, 'key_value', 'get', '', () => kv.get(key)),
  set: (key, value, version, expiresAt) =>
    call(spans, 'key_value', 'set', '', () => kv.set(key, value, version, expiresAt)),
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
