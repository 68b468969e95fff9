import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { hostname } from 'node:os';
import type { AddressInfo } from 'node:net';
import { deserialize, serialize } from 'node:v8';
import type { Log } from '../../commands/ports/log.js';
import { Cancelled } from '../../domain/maths/compute.js';
import { Rejected } from '../../domain/rejected.js';
import type { LocalPool } from './local.js';
import { ENDING, FAULT, holdsToken, LARGEST, REFUSED, type Asked, type NotDone } from './messages.js';

type Opening = {
  readonly pool: LocalPool;
  /** `host:port`; port 0: a free one. */
  readonly address: string;
  /** Whoever comes with one of these is one of our own processes. */
  readonly tokens: readonly string[];
  readonly log: Log;
};
export type ServingListener = {
  /** Where other processes reach it. */
  readonly url: string;
  /** Refuses what comes from now on, lets calls under way come to their end, for a while. */
  readonly close: () => Promise<void>;
};

const CLOSE_WITHIN_MS = 10_000;
const WILDCARDS = ['0.0.0.0', '::'];

/** Answers other processes of the platform: forecasts, figures, and the end of calls. */
export async function listenServing({ pool, address, tokens, log }: Opening): Promise<ServingListener> {
  const { hostname: given, port } = new URL(`http://${address}`);
  const host = given.replace(/^\[|\]$/g, '');
  let ending = false;
  const server = createServer((req, res) => {
    if (!holdsToken(req.headers.authorization, tokens)) return void json(res, 401, {});
    if (ending) return void json(res, ENDING, {});
    answer(pool, req, res).catch((err: unknown) => {
      log.error({ err, path: req.url }, 'a request of another process failed');
      if (!res.headersSent) json(res, FAULT, { refused: null, message: 'it failed' } satisfies NotDone);
      else res.destroy();
    });
  });
  server.listen(Number(port || 80), host);
  await once(server, 'listening');
  const { port: taken } = server.address() as AddressInfo;
  const reached = WILDCARDS.includes(host) ? hostname() : given;
  return {
    url: `http://${reached}:${taken}`,
    async close() {
      ending = true;
      const closed = new Promise(resolve => server.close(resolve));
      server.closeIdleConnections();
      // What is broken off here is asked of another process
      const late = setTimeout(() => server.closeAllConnections(), CLOSE_WITHIN_MS);
      await closed;
      clearTimeout(late);
    },
  };
}

async function answer(pool: LocalPool, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const [, what, id = ''] = new URL(req.url ?? '/', 'http://here').pathname
    .split('/')
    .map(decodeURIComponent);
  if (req.method === 'POST' && what === 'forecast') return forecast(pool, req, res);
  if (req.method === 'POST' && what === 'end') {
    await pool.end(id);
    return json(res, 200, {});
  }
  if (req.method !== 'GET' || what !== 'figures') return json(res, 404, {});
  json(res, 200, id === '' ? [...(await pool.called())] : await pool.figures(id));
}

async function forecast(pool: LocalPool, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const body = await bodyOf(req);
  if (!body) return json(res, 413, {});
  const { promotionId, lane = promotionId, model, workers, series, horizon } = deserialize(body) as Asked;
  const left = new AbortController();
  res.once('close', () => left.abort());
  const { forecast: ask } = pool.forecaster({
    ...{ promotionId, lane, model, replicas: { min: 0, max: workers } },
  });
  try {
    const bytes = serialize(await ask(series, horizon, left.signal));
    res.writeHead(200, { 'Content-Type': 'application/octet-stream', 'Content-Length': bytes.length });
    res.end(bytes);
  } catch (error) {
    if (error instanceof Rejected) return json(res, REFUSED, refusalOf(error));
    // Ended on purpose, or nobody is there to be told
    if (error instanceof Cancelled) return json(res, REFUSED, { refused: null, message: error.message });
    json(res, FAULT, { refused: null, message: (error as Error).message } satisfies NotDone);
  }
}

const refusalOf = ({ kind, code, details, message }: Rejected): NotDone => ({
  refused: { kind, code, details },
  message,
});

/** Null: it is too large. */
async function bodyOf(req: IncomingMessage): Promise<Buffer | null> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of req as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > LARGEST) return null;
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function json(res: ServerResponse, status: number, body: unknown): void {
  if (res.destroyed) return;
  res.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}
