import { SpanKind, SpanStatusCode, TraceFlags, type Link } from '@opentelemetry/api';
import type { Fact } from '../../domain/fact.js';
import { MINUTE } from '../../domain/time.js';
import type { Watched, Watcher } from '../watcher.js';
import { callerOf, placeOf, requestIdFor, spanIdOf, traceIdOf } from './ids.js';
import { provider, type Sending } from './provider.js';
import { Spans } from './spans.js';
import { tracedStores } from './stores.js';

export type Traces = Watcher & {
  /** Sends what is left, within a short time. */
  readonly close: () => Promise<void>;
};

/** Read models that are filled from the first fact on would send a span for all that ever happened. */
const HISTORY_MS = 15 * MINUTE;
const SERVER_FAULT = 500;

/**
 * Spans of requests, of what they append, and of what projections and reactors make of that: one trace, also
 * where other processes do it (`ids.ts`).
 */
export function createTraces(sending: Sending & { readonly clock: () => number }): Traces {
  const { tracer, ids, close } = provider(sending);
  const spans = new Spans(tracer, ids);
  const handedOut = new WeakMap<readonly Fact[], number>();
  return {
    close,
    stores: tracedStores(spans, page => handedOut.set(page, now())),
    scorer: scorer => ({
      version: scorer.version,
      score: input => spans.below('score', SpanKind.INTERNAL, {}, () => scorer.score(input)),
      close: () => scorer.close(),
    }),
    projected(p, page) {
      const recent = sending.clock() - HISTORY_MS;
      for (const fact of page) {
        if (fact.at < recent || !(fact.type in p.on)) continue;
        const startTime = handedOut.get(page);
        spans.start(`project ${p.name}`, { ...following(fact), ...(startTime && { startTime }) }).end();
      }
    },
    reaction: (reactor, fact, answer) =>
      spans.within(spans.start(`react ${reactor}`, following(fact)), answer),
    request: (request, answer) => answered(spans, request, answer),
    requestId: headers => requestIdFor(headers['traceparent']),
  };
}

/** What follows from a fact stands below the span that wrote it. */
const following = (fact: Fact) => ({
  kind: SpanKind.CONSUMER,
  traceId: traceIdOf(fact.meta.correlation),
  parentId: spanIdOf(fact.id),
  attributes: { 'presage.fact.type': fact.type },
});

async function answered(spans: Spans, request: Watched, answer: () => Promise<void>): Promise<void> {
  const { method, headers, requestId } = request;
  const traceId = traceIdOf(requestId);
  const span = spans.start(method, {
    kind: SpanKind.SERVER,
    traceId,
    parentId: callerOf(requestId),
    attributes: { 'http.request.method': method },
    links: linksOf(headers['traceparent'], traceId),
  });
  await spans.within(span, async () => {
    await answer();
    const { route, status } = request;
    if (route !== '') span.updateName(`${method} ${route}`).setAttribute('http.route', route);
    span.setAttribute('http.response.status_code', status);
    if (status >= SERVER_FAULT) span.setStatus({ code: SpanStatusCode.ERROR });
  });
}

/** A caller that names both a trace and a request id of its own: two traces, one points to the other. */
function linksOf(traceparent: unknown, traceId: string): Link[] {
  const caller = placeOf(traceparent);
  if (!caller || caller.traceId === traceId) return [];
  const traceFlags = caller.sampled ? TraceFlags.SAMPLED : TraceFlags.NONE;
  return [{ context: { traceId: caller.traceId, spanId: caller.spanId, traceFlags, isRemote: true } }];
}

/** Epoch ms, finer than the clock of the calendar tells it. */
const now = (): number => performance.timeOrigin + performance.now();
