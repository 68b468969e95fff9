import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  RandomIdGenerator,
  TracerProvider,
  TraceIdRatioBasedSampler,
  type IdGenerator,
  type SpanExporter,
} from '@opentelemetry/sdk-trace';
import type { Log } from '../../commands/ports/log.js';

export type Sending = {
  /** Base address of a collector that takes OTLP over HTTP, as `http://127.0.0.1:4318`. */
  readonly endpoint: string;
  /** What this process is called among others. */
  readonly service: string;
  /** The share of traces that is kept, 0..1: by the id of the trace, so in all processes the same ones. */
  readonly share: number;
  readonly log: Log;
};

/** Random ids, but for the next span, when they are given. */
export class GivenIds implements IdGenerator {
  readonly #random = new RandomIdGenerator();
  #traceId: string | undefined;
  #spanId: string | undefined;

  /** For the span that is started next, in the same breath. */
  give(traceId: string, spanId: string | undefined): void {
    this.#traceId = traceId;
    this.#spanId = spanId;
  }

  generateTraceId(): string {
    return this.#traceId ?? this.#random.generateTraceId();
  }

  generateSpanId(): string {
    return this.#spanId ?? this.#random.generateSpanId();
  }
}

/** What is not sent when the process ends within this time is lost. */
const LAST_WITHIN_MS = 2_000;

/** Gathers spans and sends them in the background. A collector that is away costs spans, never a request. */
export function provider({ endpoint, service, share, log }: Sending) {
  const ids = new GivenIds();
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` });
  const opened = new TracerProvider({
    resource: detectResources({ detectors: [envDetector] }).merge(
      resourceFromAttributes({ 'service.name': service }),
    ),
    sampler: new TraceIdRatioBasedSampler(share),
    idGenerator: ids,
    spanProcessors: [new BatchSpanProcessor({ exporter: telling(exporter, log) })],
  });
  return {
    tracer: opened.getTracer('presage'),
    ids,
    async close(): Promise<void> {
      const sent = opened.shutdown().catch(() => undefined);
      let timeout: NodeJS.Timeout | undefined;
      const late = new Promise<void>(resolve => {
        timeout = setTimeout(resolve, LAST_WITHIN_MS);
      });
      await Promise.race([sent, late]);
      clearTimeout(timeout);
    },
  };
}

/** The same exporter; says once that spans are lost, and once that they are no longer. */
function telling(exporter: SpanExporter, log: Log): SpanExporter {
  let losing = false;
  return {
    export: (spans, done) =>
      exporter.export(spans, result => {
        const lost = result.code !== 0;
        if (lost && !losing) log.warn({ err: result.error }, 'traces cannot be sent; they are lost');
        if (!lost && losing) log.info({}, 'traces are sent again');
        losing = lost;
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}
