import { createHash, hash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { KeyValue } from '../../commands/ports/key-value.js';
import { Rejected, type Kind } from '../../domain/rejected.js';
import { notValid, refusalOf, statusOf } from './errors.js';
import { JsonText, type Answer, type Row } from './row.js';

/** How long an answer is kept, and how long a request may be under way before its key is free again. */
const KEPT_MS = 24 * 3_600_000;
const RUNNING_MS = 60_000;
const MAX_KEY = 255;

type Refusal = {
  readonly kind: Kind;
  readonly code: string;
  readonly message: string;
  readonly details: Rejected['details'];
};
/** What is kept under a key. `print` is the fingerprint of the request that made it. */
type Claim = {
  readonly print: string;
  readonly answer?: { readonly status: number; readonly body: unknown; readonly etag: string | null };
  readonly refusal?: Refusal;
};

type Run = () => Answer | Promise<Answer>;

/** Who asks for what: a key means nothing outside of it. */
export type KeyedRequest = {
  readonly uid: string;
  readonly workspace: string;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly raw: Buffer | null;
};

/**
 * A POST with an `Idempotency-Key` happens once: the first answer (also a refusal, but no 429 and no 5xx) is
 * kept for 24 hours and repeated, with `replayed` called. The same key for another request, or while the
 * first is under way, is refused with 409.
 */
export const onceOnly = (kv: KeyValue, clock: () => number) => {
  /** The right to run, as the claim's version; or what was kept. */
  const claim = async (key: string, print: string): Promise<number | Claim> => {
    for (;;) {
      const held = await kv.get<Claim>(key);
      if (held) return fitting(held.value, print);
      const version = await kv.set(key, { print }, 0, clock() + RUNNING_MS);
      if (version !== null) return version;
    }
  };
  // What was asked for has happened: failing to note it must not turn the answer into an error
  const keep = (key: string, version: number, value: Claim) =>
    kv.set(key, value, version, clock() + KEPT_MS).catch(passOver);
  const release = (key: string, version: number) => kv.set(key, null, version, clock() - 1).catch(passOver);

  return async (
    header: string,
    asked: KeyedRequest,
    row: Row,
    run: Run,
    replayed: () => void,
  ): Promise<Answer> => {
    const key = keyOf(header, asked);
    const print = printOf(asked);
    const claimed = await claim(key, print);
    if (typeof claimed !== 'number') {
      replayed();
      return again(claimed);
    }
    let kept: Claim | null = null;
    try {
      const answer = await run();
      kept = keptAnswer(answer, row, print);
      return answer;
    } catch (error) {
      kept = keptRefusal(error, print);
      throw error;
    } finally {
      await (kept ? keep(key, claimed, kept) : release(key, claimed));
    }
  };
};

const passOver = () => null;

function keyOf(header: string, { uid, workspace, method, path }: KeyedRequest): string {
  if (header.length === 0 || header.length > MAX_KEY) {
    throw notValid([
      {
        loc: ['header', 'Idempotency-Key'],
        msg: `must have 1 to ${MAX_KEY} characters`,
        type: 'string_length',
      },
    ]);
  }
  return `idempotency:${hash('sha256', JSON.stringify([uid, workspace, method, path, header]))}`;
}

const printOf = ({ query, raw }: KeyedRequest): string =>
  createHash('sha256')
    .update(`${query}\n`)
    .update(raw ?? '')
    .digest('hex');

function fitting(held: Claim, print: string): Claim {
  if (held.print !== print) {
    throw new Rejected(
      'conflict',
      'idempotency_conflict',
      'This Idempotency-Key was used for another request',
    );
  }
  if (held.answer || held.refusal) return held;
  throw new Rejected(
    'conflict',
    'idempotency_in_progress',
    'The first request with this Idempotency-Key is still under way',
    { retry_after_s: 1 },
  );
}

/** What is kept of an answer; null for streams and for what went wrong on our side. */
function keptAnswer({ status = 200, body, etag }: Answer, row: Row, print: string): Claim | null {
  if (status >= 500 || body instanceof Readable) return null;
  const whole = body instanceof JsonText ? (JSON.parse(body.text) as unknown) : body;
  const kept = row.kept ? row.kept(whole) : whole;
  return kept === undefined ? null : { print, answer: { status, body: kept, etag: etag ?? null } };
}

function keptRefusal(error: unknown, print: string): Claim | null {
  const refused = refusalOf(error);
  if (!refused || statusOf[refused.kind] === 429 || statusOf[refused.kind] >= 500) return null;
  const { kind, code, message, details } = refused;
  return { print, refusal: { kind, code, message, details } };
}

function again({ answer, refusal }: Claim): Answer {
  if (refusal) throw new Rejected(refusal.kind, refusal.code, refusal.message, refusal.details);
  const { status, body, etag } = answer!;
  return { status, body, ...(etag !== null && { etag }) };
}
