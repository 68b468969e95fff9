import { createHash, hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { Rejected, type Kind } from '../../domain/rejected.js';
import { Claim, claimOrFind, type ClaimDeps, type Claimed } from './claims.js';
import { notValid, refusalOf, statusOf } from './errors.js';
import { JsonText, type Answer, type Row } from './row.js';

/** How long an answer is kept. */
const KEPT_MS = 24 * 3_600_000;
const MAX_KEY = 255;

type Refusal = {
  readonly kind: Kind;
  readonly code: string;
  readonly message: string;
  readonly details: Rejected['details'];
};
/** What came of a request: one of the two. */
type Outcome = {
  readonly answer?: { readonly status: number; readonly body: unknown; readonly etag: string | null };
  readonly refusal?: Refusal;
};

/** A request under a key, and who sends it: the key means nothing outside of that. */
export type KeyedRequest = {
  /** The value of `Idempotency-Key`. */
  readonly key: string;
  readonly uid: string;
  readonly workspace: string;
  readonly path: string;
  readonly query: string;
  readonly raw: Buffer | null;
  readonly requestId: string;
  readonly row: Row;
};

/** Runs a request, or repeats what came of it before and calls `replayed`. @throws Rejected 409, 422, 503 */
export type OnceOnly = (
  request: KeyedRequest,
  run: () => Answer | Promise<Answer>,
  replayed: () => void,
) => Promise<Answer>;

/**
 * A POST with an `Idempotency-Key` happens once: the first answer (also a refusal, but no 429 and no 5xx) is
 * kept for 24 hours and repeated. The same key for another request, or while the first is under way, is
 * refused with 409; where the key cannot be noted, nothing runs and the answer is 503.
 */
export const onceOnly =
  (deps: ClaimDeps): OnceOnly =>
  async (request, run, replayed) => {
    const print = printOf(request);
    const claim = await claimOrFind<Claimed & Outcome>(deps, keyOf(request), print, request.requestId);
    if (!(claim instanceof Claim)) {
      const outcome = outcomeOf(claim, print);
      replayed();
      return again(outcome);
    }
    let outcome: Outcome | null = null;
    try {
      const answer = await run();
      outcome = keptAnswer(answer, request.row);
      return answer;
    } catch (error) {
      outcome = keptRefusal(error);
      throw error;
    } finally {
      if (outcome) await claim.keep(outcome, KEPT_MS);
      else await claim.release();
    }
  };

function keyOf({ key, uid, workspace, row, path }: KeyedRequest): string {
  if (key.length === 0 || key.length > MAX_KEY) {
    throw notValid([
      {
        loc: ['header', 'Idempotency-Key'],
        msg: `must have 1 to ${MAX_KEY} characters`,
        type: 'string_length',
      },
    ]);
  }
  return `idempotency:${hash('sha256', JSON.stringify([uid, workspace, row.method, path, key]))}`;
}

const printOf = ({ query, raw }: KeyedRequest): string =>
  createHash('sha256')
    .update(`${query}\n`)
    .update(raw ?? '')
    .digest('hex');

function outcomeOf(found: Claimed & Outcome, print: string): Outcome {
  if (found.print !== print) {
    throw new Rejected(
      'conflict',
      'idempotency_conflict',
      'This Idempotency-Key was used for another request',
    );
  }
  if (found.answer || found.refusal) return found;
  throw new Rejected(
    'conflict',
    'idempotency_in_progress',
    'The first request with this Idempotency-Key is still under way',
    { retry_after_s: 1 },
  );
}

/** What is kept of an answer; null for streams and for what went wrong on our side. */
function keptAnswer({ status = 200, body, etag }: Answer, row: Row): Outcome | null {
  if (status >= 500 || body instanceof Readable) return null;
  const whole = body instanceof JsonText ? (JSON.parse(body.text) as unknown) : body;
  const kept = row.kept ? row.kept(whole) : whole;
  return kept === undefined ? null : { answer: { status, body: kept, etag: etag ?? null } };
}

function keptRefusal(error: unknown): Outcome | null {
  const refused = refusalOf(error);
  if (!refused || statusOf[refused.kind] === 429 || statusOf[refused.kind] >= 500) return null;
  const { kind, code, message, details } = refused;
  return { refusal: { kind, code, message, details } };
}

function again({ answer, refusal }: Outcome): Answer {
  if (refusal) throw new Rejected(refusal.kind, refusal.code, refusal.message, refusal.details);
  const { status, body, etag } = answer!;
  return etag === null ? { status, body } : { status, body, etag };
}
