import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { drain, hasBody } from './body.js';
import type { ErrorAnswer } from './errors.js';
import { ignoredHeader } from './fields.js';
import type { Observed } from './observer.js';
import { textOf, type Answer } from './row.js';

/** No status of HTTP, but what proxies call it in their logs. */
const CLIENT_LEFT = 499;
const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * What one answer will carry, gathered on the way, and its writing: straight to Node's response with all
 * headers at once, which costs a fraction of setting them one by one.
 */
export class Reply implements Observed {
  readonly ignored = new Set<string>();
  ratePolicy = '';
  rate = '';
  replayed = false;
  route = '';
  limitedBy: string | null = null;
  /** The source that a call was counted against; null: none. */
  source: string | null = null;
  /** Told of the size of the answer, in bytes: before it is sent or, of a stream, at its end. */
  measured: (bytes: number) => void = () => {};
  /** The stream that is being sent, until its end. */
  streaming: Promise<void> | null = null;

  constructor(
    readonly req: IncomingMessage,
    readonly res: ServerResponse,
    readonly requestId: string,
  ) {}

  get method(): string {
    return this.req.method!;
  }

  get headers(): IncomingHttpHeaders {
    return this.req.headers;
  }

  get status(): number {
    return this.res.headersSent ? this.res.statusCode : CLIENT_LEFT;
  }

  send({ status = 200, body, etag, headers, ignored }: Answer, notModified: boolean): void {
    if (this.#isGone()) {
      if (body instanceof Readable) body.destroy();
      return;
    }
    for (const name of ignored ?? []) this.ignored.add(name);
    const text = body instanceof Readable ? null : textOf(body);
    const bytes = text === null ? 0 : Buffer.byteLength(text);
    if (text !== null && !notModified) this.measured(bytes);
    const all = this.#headers(headers?.['Cache-Control']);
    if (etag !== undefined) all.push('ETag', `"${etag}"`);
    for (const name in headers) {
      if (name !== 'Content-Type' && name !== 'Cache-Control') all.push(name, headers[name]!);
    }
    if (notModified) {
      this.#endEmpty(304, all);
      return;
    }
    all.push('Content-Type', headers?.['Content-Type'] ?? JSON_TYPE);
    if (body instanceof Readable) this.streaming = this.#stream(status, all, body);
    else this.#end(status, all, text!, bytes);
  }

  sendError({ status, body, headers }: ErrorAnswer): void {
    if (this.#isGone()) return;
    const all = [...this.#headers(), 'Content-Type', JSON_TYPE, ...headers];
    const text = JSON.stringify(body);
    this.#end(status, all, text, Buffer.byteLength(text));
  }

  /** 204 with the methods of a path. */
  sendOptions(allow: string): void {
    if (!this.#isGone()) this.#endEmpty(204, [...this.#headers(), 'Allow', allow]);
  }

  #isGone(): boolean {
    return this.res.headersSent || this.res.destroyed;
  }

  #headers(cacheControl = 'no-store'): string[] {
    const all = [
      'X-Request-Id',
      this.requestId,
      'RateLimit-Policy',
      this.ratePolicy,
      'RateLimit',
      this.rate,
      'Cache-Control',
      cacheControl,
      'X-Content-Type-Options',
      'nosniff',
      'Content-Security-Policy',
      "default-src 'none'; frame-ancestors 'none'",
      'Referrer-Policy',
      'no-referrer',
    ];
    if (this.ignored.size > 0) all.push('X-Ignored-Fields', ignoredHeader(this.ignored));
    if (this.replayed) all.push('Idempotency-Replayed', 'true');
    return all;
  }

  #end(status: number, headers: string[], text: string, bytes: number): void {
    headers.push('Content-Length', String(bytes));
    this.#finish(status, headers, this.req.method === 'HEAD' ? '' : text);
  }

  #endEmpty(status: number, headers: string[]): void {
    this.#finish(status, headers, '');
  }

  #finish(status: number, headers: string[], text: string): void {
    this.res.writeHead(status, headers);
    if (!this.#isUnread()) {
      this.res.end(text);
      return;
    }
    // The client shall see the answer before it has sent everything; but where the connection closes with the
    // end of the answer, what is still on its way would take the answer with it
    if (text) this.res.write(text);
    else this.res.flushHeaders();
    void drain(this.req).then(() => this.res.end());
  }

  #isUnread(): boolean {
    return !this.req.complete && hasBody(this.req);
  }

  async #stream(status: number, headers: string[], body: Readable): Promise<void> {
    if (this.#isUnread()) await drain(this.req);
    this.res.writeHead(status, headers);
    if (this.req.method === 'HEAD') {
      body.destroy();
      this.res.end();
      return;
    }
    let bytes = 0;
    body.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
    });
    try {
      await pipeline(body, this.res);
    } finally {
      this.measured(bytes);
    }
  }
}
