import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { Server as NetServer, type AddressInfo, type Socket } from 'node:net';
import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises';
import type Koa from 'koa';
import { noiseBody, noiseHeaders, refuseNoise } from './noise.js';
import { takeUpgrades, type Upgrades } from './upgrades.js';

export type Listening = {
  readonly host: string;
  readonly port: number;
  /**
   * Ends gracefully: no new connections; every answer asks its client to close; once nothing was said on any
   * connection for `quietMs` those without a request are cut, requests under way are not, unless they outlast
   * `limitMs`. Resolves when every connection is gone.
   */
  close(quietMs?: number, limitMs?: number): Promise<void>;
};

/** Longer than the usual idle time of load balancers, so that it is they who close. */
const KEEP_ALIVE_MS = 72_000;
/** Headers are short; of a body in time `waiting-bodies.ts` knows more, and this is the end of every one. */
const SERVER = {
  keepAliveTimeout: KEEP_ALIVE_MS,
  requireHostHeader: false,
  headersTimeout: 20_000,
  requestTimeout: 300_000,
  connectionsCheckingInterval: 5_000,
};
const LOOK_EVERY_MS = 20;

/**
 * Serves the app on a host and port (0: any free one), and what leaves HTTP on the same. Rejects when the
 * port is taken.
 */
export async function listen(
  app: Koa,
  host: string,
  port: number,
  upgrades: Upgrades | null = null,
): Promise<Listening> {
  const answer = app.callback();
  let closing = false;
  // Node would refuse, with an empty body, what has no Host, and every Expect but one
  // Newer Nodes ask which offers to leave HTTP are taken; elsewhere `takeUpgrades` passes over the others
  const shouldUpgradeCallback = (req: IncomingMessage): boolean => upgrades?.takes(req) ?? false;
  const server = createServer({ ...SERVER, ...{ shouldUpgradeCallback } }, (req, res) => {
    if (closing) res.shouldKeepAlive = false;
    if (req.headers.host === undefined && req.httpVersion === '1.1') {
      const body = noiseBody('Bad Request', 'bad_request');
      res.writeHead(400, noiseHeaders(body)).end(body);
      return;
    }
    void answer(req, res);
  });
  server.on('checkExpectation', (...both) => server.emit('request', ...both));
  const sockets = new Set<Socket>();
  let accepted = 0;
  server.on('connection', (socket: Socket) => {
    accepted++;
    sockets.add(socket.once('close', () => sockets.delete(socket)));
  });
  server.on('clientError', refuseNoise);
  if (upgrades) takeUpgrades(server, upgrades, () => closing);
  server.listen(port, host);
  await once(server, 'listening');
  return {
    host,
    port: (server.address() as AddressInfo).port,
    async close(quietMs = 300, limitMs = 10_000) {
      await takeWaiting(() => accepted, quietMs);
      const ended = stopListening(server);
      closing = true;
      await Promise.all([upgrades?.close(), end({ server, sockets, quietMs, limitMs }, ended)]);
    },
  };
}

/**
 * Connections that wait to be accepted would be cut with the listener; each turn of the event loop takes one
 * of them.
 */
async function takeWaiting(accepted: () => number, limitMs: number): Promise<void> {
  const until = performance.now() + limitMs;
  let before = -1;
  while (before !== accepted() && performance.now() < until) {
    before = accepted();
    await turn();
    await turn();
  }
}

/**
 * Resolves when the last connection is gone. http.Server's own close would cut idle ones at once, a request
 * on its way or not.
 */
const stopListening = (server: Server): Promise<void> =>
  new Promise(resolve => {
    NetServer.prototype.close.call(server, () => resolve());
  });

type Ending = {
  readonly server: Server;
  readonly sockets: ReadonlySet<Socket>;
  readonly quietMs: number;
  readonly limitMs: number;
};

async function end(ending: Ending, ended: Promise<void>): Promise<void> {
  const stop = new AbortController();
  await Promise.race([ended, cut(ending, stop.signal).catch(() => undefined)]);
  await ended;
  stop.abort();
}

async function cut({ server, sockets, quietMs, limitMs }: Ending, signal: AbortSignal): Promise<void> {
  const start = performance.now();
  let now = start;
  let silentSince = start;
  let before = trafficOf(sockets);
  while (now - start < quietMs + limitMs) {
    const traffic = trafficOf(sockets);
    if (traffic !== before) silentSince = now;
    if (now - silentSince >= quietMs) server.closeIdleConnections();
    before = traffic;
    await pause(LOOK_EVERY_MS, null, { signal });
    // Timers run before what has arrived is read, in a busy process long before
    await turn();
    now = performance.now();
  }
  server.closeAllConnections();
}

const trafficOf = (sockets: ReadonlySet<Socket>): number =>
  [...sockets].reduce((sum, { bytesRead, bytesWritten }) => sum + bytesRead + bytesWritten, 0);
