import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Source } from '../../domain/ingestion/sources/state.js';
import { Rejected } from '../../domain/rejected.js';

/** Headers that may carry the signature of a body. */
const SIGNATURES = ['X-Signature', 'X-Hub-Signature-256', 'X-Webhook-Signature'] as const;
const HEADERS = SIGNATURES.map(name => name.toLowerCase());
const STANDARD = 'webhook-signature';

const signature = {
  type: 'string',
  description: 'hex HMAC-SHA256 of the bytes of the body, with or without `sha256=`; one such header will do',
  examples: [`sha256=${'0f'.repeat(32)}`],
} as const;
const standard = (what: string, example: string) =>
  ({
    type: 'string',
    description: `${what} by Standard Webhooks, where the source takes them`,
    examples: [example],
  }) as const;
/** What is looked at in the headers of a delivery, for the description. */
export const deliveryHeaders = {
  ...Object.fromEntries(SIGNATURES.map(name => [name, signature])),
  'X-Webhook-Timestamp': {
    type: 'string',
    description: 'epoch seconds, signed as `<timestamp>.<body>`, where the source asks for it',
    examples: ['1772352000'],
  },
  'Webhook-Id': standard('Id of the message', 'msg_1'),
  'Webhook-Timestamp': standard('Epoch seconds', '1772352000'),
  'Webhook-Signature': standard('Signature', `v1,${'A'.repeat(43)}=`),
} as const;

/** So far the time of a delivery may be off, where it is looked at. */
const TOLERANCE_S = 300;
/** Signatures in one header that are looked at. */
const MOST_SIGNATURES = 10;

export const invalidSignature = (): Rejected =>
  new Rejected('unauthorized', 'invalid_signature', 'Invalid signature');
const unsigned = (): Rejected =>
  new Rejected(
    'unauthorized',
    'unsigned_rejected',
    'This source has no secret, and unsigned deliveries are rejected; rotate its secret, or set '
      + 'allow_unsigned',
  );

/** The header that a delivery is signed in, right or not; null: in none. */
export const signatureHeaderIn = (headers: IncomingHttpHeaders): string | null =>
  [...HEADERS, STANDARD].find(name => headers[name] !== undefined) ?? null;

/**
 * Looks at the signature of a body: hex HMAC-SHA256 of its bytes under one of the secrets that count, with or
 * without `sha256=`. Answers the header that was right; null: this source takes unsigned deliveries.
 * `now`: epoch ms. @throws Rejected 401
 */
export function verified(
  { secrets, shown }: Source,
  raw: Buffer,
  headers: IncomingHttpHeaders,
  now: number,
): string | null {
  if (secrets.length === 0) {
    if (shown['allow_unsigned'] === true) return null;
    throw unsigned();
  }
  const present = secrets.filter(({ until }) => until === null || until > now).map(({ secret }) => secret);
  const timed = shown['require_timestamp'] === true;
  if (!timed || isNear(headers['x-webhook-timestamp'], now)) {
    const prefix = timed ? `${String(headers['x-webhook-timestamp'])}.` : '';
    const header = HEADERS.find(name => signed(headers[name], present, prefix, raw));
    if (header) return header;
  }
  if (shown['standard_webhooks'] === true && isStandard(headers, present, raw, now)) return STANDARD;
  throw invalidSignature();
}

const HEX = /^(?:sha256=)?([0-9a-f]{64})$/i;

function signed(
  header: string | string[] | undefined,
  secrets: readonly string[],
  prefix: string,
  raw: Buffer,
): boolean {
  if (header === undefined) return false;
  const given = partsOf(header, ',').flatMap(part => {
    const hex = HEX.exec(part.trim())?.[1];
    return hex === undefined ? [] : [Buffer.from(hex, 'hex')];
  });
  if (given.length === 0) return false;
  return secrets.some(secret => {
    const hmac = createHmac('sha256', secret);
    if (prefix !== '') hmac.update(prefix);
    const digest = hmac.update(raw).digest();
    return given.some(one => timingSafeEqual(one, digest));
  });
}

/** Standard Webhooks: `v1,<base64>` over `<id>.<time>.<body>`, the secret being base64. */
function isStandard(
  headers: IncomingHttpHeaders,
  secrets: readonly string[],
  raw: Buffer,
  now: number,
): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': at, [STANDARD]: signatures } = headers;
  if (id === undefined || signatures === undefined || !isNear(at, now)) return false;
  const given = partsOf(signatures, ' ').flatMap(part => {
    const text = /^v1,([0-9A-Za-z+/]{43}=)$/.exec(part)?.[1];
    return text === undefined ? [] : [Buffer.from(text)];
  });
  return secrets.some(secret => {
    const hmac = createHmac('sha256', Buffer.from(secret, 'base64'));
    const digest = hmac
      .update(`${String(id)}.${String(at)}.`)
      .update(raw)
      .digest('base64');
    return given.some(one => timingSafeEqual(one, Buffer.from(digest)));
  });
}

const partsOf = (header: string | string[], between: string): string[] =>
  String(header).split(between, MOST_SIGNATURES);

/** Whether epoch seconds in a header are near enough to now. */
const isNear = (header: string | string[] | undefined, now: number): boolean =>
  typeof header === 'string'
  && /^\d{1,12}$/.test(header)
  && Math.abs(Number(header) - Math.floor(now / 1_000)) <= TOLERANCE_S;
