import { buildConnector, Client, errors } from 'undici';
import {
  OutgoingFailed,
  type Outgoing,
  type OutgoingAnswer,
  type OutgoingFailure,
  type OutgoingRequest,
} from '../../commands/ports/outgoing.js';
import { isPublic, type Networks } from './addresses.js';
import { addressesOf, systemResolve, type Resolve } from './names.js';

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
        return await sent;
      } finally {
        underWay.delete(sent);
      }
    },
    async refusal(url) {
      const { protocol, hostname } = new URL(url);
      try {
        await addressFor(hostname, protocol, guard);
        return null;
      } catch (error) {
        return error instanceof OutgoingFailed ? error.message : null;
      }
    },
    async close() {
      ending.abort();
      await Promise.allSettled(underWay);
    },
  };
}

type Guard = Required<Opening>;

async function exchange(
  request: OutgoingRequest,
  guard: Guard,
  ending: AbortSignal,
): Promise<OutgoingAnswer> {
  const { url, method, headers, body, withinMs, maxBytes, signal } = request;
  const { origin, pathname, search } = new URL(url);
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), withinMs);
  const ends = AbortSignal.any([deadline.signal, ending, ...(signal ? [signal] : [])]);
  const client = new Client(origin, {
    connect: connector(guard, withinMs, ends),
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
    return { status: answer.statusCode, body: await bodyOf(answer.body, maxBytes) };
  } catch (error) {
    throw failureOf(error, deadline.signal.aborted);
  } finally {
    clearTimeout(timer);
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

function connector(guard: Guard, timeout: number, ends: AbortSignal): buildConnector.connector {
  const connect = buildConnector({ timeout, keepAlive: false, signal: ends });
  return (options, done) => {
    before(ends, addressFor(options.hostname, options.protocol, guard)).then(
      // `host` stays, and with it the name that the certificate must have
      address => connect({ ...options, hostname: address }, done),
      (error: unknown) => done(error as Error, null),
    );
  };
}

/** Looking a name up cannot be ended: it is left to itself. */
const before = <T>(ends: AbortSignal, work: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const end = () => reject(new Error('ended'));
    ends.addEventListener('abort', end, { once: true });
    if (ends.aborted) end();
    work.then(resolve, reject).finally(() => ends.removeEventListener('abort', end));
  });

/**
 * The address that a host is connected to.
 * @throws OutgoingFailed where none of its addresses may be asked, or it has none
 */
async function addressFor(host: string, protocol: string, { allowed, resolve }: Guard): Promise<string> {
  const addresses = await addressesOf(host, resolve);
  const asked = addresses.find(
    address => allowed.has(address) || (isPublic(address) && protocol === 'https:'),
  );
  if (asked !== undefined) return asked;
  if (addresses.length === 0) throw new Error(`${host} has no address`);
  throw new OutgoingFailed(
    'address_not_allowed',
    addresses.some(isPublic)
      ? 'must begin with https://'
      : 'leads to an address that is not of the public internet',
  );
}

function failureOf(error: unknown, isLate: boolean): OutgoingFailed {
  if (error instanceof OutgoingFailed) return error;
  return new OutgoingFailed(isLate ? 'timed_out' : reasonOf(error), messageOf(error), { cause: error });
}

const reasonOf = (error: unknown): OutgoingFailure =>
  error instanceof errors.ConnectTimeoutError ? 'timed_out' : 'unreachable';
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
