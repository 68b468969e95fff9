import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { Server as NetServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type Koa from 'koa';
import { requestIdOf } from './request-id.js';

export type Listening = {
  readonly host: string; readonly port: number;
  /**
   * Ends gracefully: no new connections; every answer asks its client to close; connections that stay silent for `quietMs` are
   * cut, requests under way are not, unless they outlast `limitMs`. Resolves when every connection is gone.
   */
  close(quietMs?: number, limitMs?: number): Promise<void>;
};

/** Longer than the usual idle time of load balancers, so that it is they who close. */
const KEEP_ALIVE_MS = 72_000;

/** Serves the app on a host and port (0: any free one). Rejects when the port is taken. */
export async function listen(app: Koa, host: string, port: number): Promise<Listening> {
  const answer = app.callback();
  let closing = false;
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (req, res) => {
    if (closing) res.shouldKeepAlive = false;
    void answer(req, res);
  });
  server.on('clientError', refuseNoise);
  server.listen(port, host);
  await once(server, 'listening');
  return {
    host, port: (server.address() as AddressInfo).port,
    async close(quietMs = 300, limitMs = 10_000) {
      closing = true;
      await end(server, quietMs, limitMs);
    },
  };
}

async function end(server: Server, quietMs: number, limitMs: number): Promise<void> {
  // http.Server's own close would cut idle connections at once, also one whose next request is already on its way
  const ended = new Promise<void>(resolve => { NetServer.prototype.close.call(server, () => resolve()); });
  const stop = new AbortController();
  const cut = async () => {
    await pause(quietMs, null, { signal: stop.signal });
    for (const until = Date.now() + limitMs; Date.now() < until;) {
      server.closeIdleConnections();
      await pause(20, null, { signal: stop.signal });
    }
    server.closeAllConnections();
  };
  await Promise.race([ended, cut().catch(() => undefined)]);
  await ended;
  stop.abort();
}

/** What is not HTTP, or has headers too large or too slow: the same envelope, without a row. */
function refuseNoise(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const [status, reason] = noise[error.code ?? ''] ?? [400, 'Bad Request'];
  const details = { request_id: requestIdOf(undefined) };
  const body = JSON.stringify({ error: { code: 'bad_request', message: reason, details }, status: reason });
  socket.end(`HTTP/1.1 ${status} ${reason}\r\nConnection: close\r\nContent-Type: application/json; charset=utf-8\r\n`
    + `Content-Length: ${body.length}\r\n\r\n${body}`);
}

const noise: Readonly<Record<string, readonly [number, string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large'], ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout'],
};
