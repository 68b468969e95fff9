import { setMaxListeners } from 'node:events';
import type { buildConnector as BuildConnector } from 'undici';
import {
  OutgoingFailed,
  RedirectRefused,
  type Outgoing,
  type OutgoingFailure,
  type OutgoingRequest,
} from '../../commands/ports/outgoing.js';
import type { Networks } from './addresses.js';
import { addressFor, before, type Guard } from './guard.js';
import { systemResolve, type Resolve } from './names.js';
import { followed, isRedirect, type Answer } from './redirects.js';

type Opening = {
  /** Networks that may be asked although they are not of the public internet, also without TLS. */
  readonly allowed: Networks;
  readonly resolve?: Resolve;
};

const MAX_HEADER_BYTES = 16_384;

/**
 * A connection of its own for each request, to an address that was looked at after the name was looked up, so
 * that no name can mean something else by the time it is connected to.
 */
export function outgoing({ allowed, resolve = systemResolve() }: Opening): Outgoing {
  const ending = new AbortController();
  const underWay = new Set<Promise<unknown>>();
  const guard = { allowed, resolve };
  return {
    async send(request) {
      const sent = exchange(request, guard, ending.signal);
      underWay.add(sent);
      try {
        const { status, body } = await sent;
        return { status, body };
      } finally {
        underWay.delete(sent);
      }
    },
    async refusal(url) {
      const { protocol, hostname } = new URL(url);
      try {
        await addressFor(hostname, protocol === 'https:', guard);
        return null;
      } catch (error) {
        return error instanceof OutgoingFailed ? error.message : null;
      }
    },
    async addressOf(host, isSecure) {
      try {
        return await before(ending.signal, addressFor(host, isSecure, guard));
      } catch (error) {
        throw failureOf(error, false);
      }
    },
    async close() {
      ending.abort();
      await Promise.allSettled(underWay);
    },
  };
}

async function exchange(request: OutgoingRequest, guard: Guard, ending: AbortSignal) {
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), request.withinMs);
  const ends = AbortSignal.any([deadline.signal, ending, ...(request.signal ? [request.signal] : [])]);
  // Each redirect adds its own
  setMaxListeners(0, ends);
  try {
    return await followed(request, asked => once(asked, guard, ends));
  } catch (error) {
    throw error instanceof RedirectRefused ? error : failureOf(error, deadline.signal.aborted);
  } finally {
    clearTimeout(timer);
  }
}

async function once(request: OutgoingRequest, guard: Guard, ends: AbortSignal): Promise<Answer> {
  const { url, method, headers, body, withinMs, maxBytes } = request;
  const { origin, pathname, search } = new URL(url);
  const { buildConnector, Client } = await import('undici');
  const connect = buildConnector({ timeout: withinMs, keepAlive: false, signal: ends });
  const client = new Client(origin, {
    connect: guarded(connect, guard, ends),
    maxHeaderSize: MAX_HEADER_BYTES,
    // The deadline of the whole exchange is what counts
    headersTimeout: 0,
    bodyTimeout: 0,
    pipelining: 0,
  });
  try {
    const path = pathname + search;
    const answer = await client.request({ method, path, headers, body: body ?? null, signal: ends });
    // What of the body is not wanted ends with the connection, also as an error that nobody waits for
    answer.body.on('error', () => undefined);
    const location = [answer.headers['location']].flat()[0] ?? null;
    const isLeft = isRedirect(answer.statusCode) && request.redirects !== undefined;
    const read = await bodyOf(answer.body, isLeft ? 0 : maxBytes);
    return { status: answer.statusCode, body: read, location };
  } finally {
    await client.destroy().catch(() => undefined);
  }
}

async function bodyOf(body: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  if (maxBytes > 0)
    for await (const part of body) {
      bytes += part.length;
      if (bytes > maxBytes)
        throw new OutgoingFailed('answer_too_long', `The answer has more than ${maxBytes} bytes`);
      parts.push(part);
    }
  return Buffer.concat(parts);
}

type Connect = BuildConnector.connector;
function guarded(connect: Connect, guard: Guard, ends: AbortSignal): Connect {
  return (options, done) => {
    before(ends, addressFor(options.hostname, options.protocol === 'https:', guard)).then(
      // `host` stays, and with it the name that the certificate must have
      address => connect({ ...options, hostname: address }, done),
      (error: unknown) => done(error as Error, null),
    );
  };
}

function failureOf(error: unknown, isLate: boolean): OutgoingFailed {
  if (error instanceof OutgoingFailed) return error;
  return new OutgoingFailed(isLate ? 'timed_out' : reasonOf(error), messageOf(error), { cause: error });
}

const reasonOf = (error: unknown): OutgoingFailure =>
  error instanceof Error && 'code' in error && error.code === 'UND_ERR_CONNECT_TIMEOUT'
    ? 'timed_out'
    : 'unreachable';
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
