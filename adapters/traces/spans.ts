import { AsyncLocalStorage } from 'node:async_hooks';
import {
  ROOT_CONTEXT,
  SpanStatusCode,
  TraceFlags,
  trace,
  type Attributes,
  type Link,
  type Span,
  type SpanKind,
  type Tracer,
} from '@opentelemetry/api';
import type { GivenIds } from './provider.js';

export type Wanted = {
  readonly kind: SpanKind;
  /** The trace; a span without a parent begins it. */
  readonly traceId: string;
  readonly parentId: string | null;
  /** Its own id, where others must be able to tell it; else any. */
  readonly spanId?: string;
  readonly attributes?: Attributes;
  readonly links?: Link[];
  /** Epoch ms; now, when it is not given. */
  readonly startTime?: number;
};

/** Starts spans, and knows the one that what runs now belongs to. */
export class Spans {
  readonly #current = new AsyncLocalStorage<Span>();

  constructor(
    readonly tracer: Tracer,
    readonly ids: GivenIds,
  ) {}

  /** The span that what runs now belongs to. */
  get current(): Span | undefined {
    return this.#current.getStore();
  }

  start(name: string, { traceId, parentId, spanId, ...options }: Wanted): Span {
    this.ids.give(traceId, spanId);
    if (parentId === null) return this.tracer.startSpan(name, options, ROOT_CONTEXT);
    const parent = { traceId, spanId: parentId, traceFlags: TraceFlags.SAMPLED };
    return this.tracer.startSpan(name, options, trace.setSpanContext(ROOT_CONTEXT, parent));
  }

  /** Does work that belongs to a span, and ends the span with it. */
  async within<T>(span: Span, work: () => Promise<T>): Promise<T> {
    try {
      return await this.#current.run(span, work);
    } catch (error) {
      failed(span, error);
      throw error;
    } finally {
      span.end();
    }
  }

  /** Does work in a span below the current one; without a current one there is no span. */
  below<T>(name: string, kind: SpanKind, attributes: Attributes, work: () => Promise<T>): Promise<T> {
    const parent = this.current?.spanContext();
    if (!parent) return work();
    const { traceId, spanId: parentId } = parent;
    return this.within(this.start(name, { kind, traceId, parentId, attributes }), work);
  }
}

/** The kind of an error alone: its message may hold what is a tenant's. */
function failed(span: Span, error: unknown): void {
  span.setAttribute('error.type', error instanceof Error ? error.constructor.name : typeof error);
  span.setStatus({ code: SpanStatusCode.ERROR });
}
