import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Span = {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[];
};
type Body = {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: Span['attributes'] };
    readonly scopeSpans: readonly { readonly spans: readonly Span[] }[];
  }[];
};

/** Takes traces by OTLP over HTTP, as JSON, and keeps them. */
export async function collector() {
  const spans: Span[] = [];
  const resources: Span['attributes'][] = [];
  const server = createServer((req, res) => {
    let text = '';
    req.setEncoding('utf8');
    req.on('data', (part: string) => {
      text += part;
    });
    req.on('end', () => {
      const fits = req.url === '/v1/traces' && req.headers['content-type'] === 'application/json';
      const body = fits ? (JSON.parse(text) as Body) : { resourceSpans: [] };
      for (const { resource, scopeSpans } of body.resourceSpans) {
        resources.push(resource.attributes);
        spans.push(...scopeSpans.flatMap(scope => scope.spans));
      }
      res.writeHead(fits ? 200 : 404, { 'Content-Type': 'application/json' }).end('{}');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    spans,
    resources,
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
export type Collector = Awaited<ReturnType<typeof collector>>;
