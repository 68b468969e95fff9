import type { IncomingMessage } from 'node:http';
import { Rejected } from '../../domain/rejected.js';
import { tooLarge } from './errors.js';
import type { WaitingBodies, WaitingBody } from './waiting-bodies.js';

// JSON bodies go through this reader: on the hot path koa-body costs as much as everything else
// (`bench/edge.ts`), and it does not keep the bytes for signatures. Multipart uploads use koa-body.

export const BODY_LIMIT = 2_000_000;
/** What is read and thrown away of a body nobody wanted before the connection is cut. */
const MAX_DRAIN = 64_000_000;
const DRAIN_WITHIN_MS = 10_000;

const empty = Buffer.alloc(0);

/** The client went away before its request was whole: there is nobody to answer. */
export class ClientGone extends Error {}

/**
 * The bytes of a body; empty when there is none. `uid` ('' for nobody known) and `address`: who sends it.
 * @throws Rejected 413 above `limit` bytes, 415 when it is compressed, 408 when it comes too slowly, 503 when
 * too much is being sent
 */
export function readBody(
  req: IncomingMessage,
  limit: number,
  bodies: WaitingBodies,
  uid: string,
  address: string,
): Buffer | Promise<Buffer> {
  if (!hasBody(req)) return empty;
  const encoding = req.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    throw new Rejected('unsupported', 'unsupported_media_type', 'Send the body without Content-Encoding');
  }
  if (Number(req.headers['content-length']) > limit) throw tooLarge(limit);
  return new Promise((resolve, reject) => {
    const body = bodies.enter(uid, address, reject);
    collect(req, limit, bodies, body, resolve);
  });
}

function collect(
  req: IncomingMessage,
  limit: number,
  bodies: WaitingBodies,
  body: WaitingBody,
  resolve: (bytes: Buffer) => void,
): void {
  // 'close' comes after every request, so the error is made only where it is one
  const gone = () => {
    if (!req.complete) bodies.refuse(body, new ClientGone('The client went away'));
  };
  req.on('data', (chunk: Buffer) => {
    if (body.ended) return;
    if (body.size + chunk.length > limit) bodies.refuse(body, tooLarge(limit));
    else bodies.add(body, chunk);
  });
  req.on('end', () => {
    const { chunks } = body;
    if (bodies.leave(body)) resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks));
  });
  req.on('error', gone);
  req.on('close', gone);
}

export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

/**
 * Reads on, for a while, a body that was not wanted; resolves when all of it came, or the connection is gone.
 */
export function drain(req: IncomingMessage): Promise<void> {
  let left = MAX_DRAIN;
  req.removeAllListeners('data');
  req.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) req.destroy();
  });
  req.on('error', () => undefined);
  const late = setTimeout(() => req.destroy(), DRAIN_WITHIN_MS).unref();
  req.on('close', () => clearTimeout(late));
  req.resume();
  return new Promise(resolve => req.on('end', resolve).on('close', resolve));
}
