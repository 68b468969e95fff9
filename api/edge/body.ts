import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { Rejected } from '../../domain/rejected.js';
import { notValid, tooLarge, type Fault } from './errors.js';

// JSON bodies go through this reader: on the hot path koa-body costs as much as everything else
// (`bench/edge.ts`), and it does not keep the bytes for signatures. Multipart uploads use koa-body.

export const BODY_LIMIT = 2_000_000;
const MAX_DEPTH = 64;
/** What is read and thrown away of a body nobody wanted before the connection is cut. */
const MAX_DRAIN = 16_000_000;

const empty = Buffer.alloc(0);

/** The client went away before its request was whole: there is nobody to answer. */
export class ClientGone extends Error {}

/**
 * The bytes of a body; empty when there is none. @throws Rejected 413 above `limit` bytes, 415 when it is
 * compressed
 */
export function readBody(req: IncomingMessage, limit: number): Buffer | Promise<Buffer> {
  if (!hasBody(req)) return empty;
  const encoding = req.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    throw new Rejected('unsupported', 'unsupported_media_type', 'Send the body without Content-Encoding');
  }
  if (Number(req.headers['content-length']) > limit) throw tooLarge(limit);
  return new Promise((resolve, reject) => collect(req, limit, resolve, reject));
}

function collect(
  req: IncomingMessage,
  limit: number,
  resolve: (bytes: Buffer) => void,
  reject: (error: Error) => void,
): void {
  const chunks: Buffer[] = [];
  let size = 0;
  // 'close' comes after every request, so the error is made only where it is one
  const gone = () => {
    if (!req.complete) reject(new ClientGone('The client went away'));
  };
  req.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= limit) chunks.push(chunk);
    else {
      chunks.length = 0;
      reject(tooLarge(limit));
    }
  });
  req.on('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
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
    if ((left -= chunk.length) < 0) req.destroy();
  });
  req.on('error', () => undefined);
  req.resume();
  return new Promise(resolve => req.on('end', resolve).on('close', resolve));
}

/** @throws Rejected 415 when there is a body of another type than JSON. An absent body counts as `{}`. */
export function wantsJson(req: IncomingMessage): void {
  const type = req.headers['content-type'];
  if (type === 'application/json' || !hasBody(req) || (type !== undefined && JSON_TYPE.test(type))) return;
  throw new Rejected(
    'unsupported',
    'unsupported_media_type',
    'Send the body as JSON: Content-Type: application/json',
  );
}

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;\s*charset="?utf-?8"?\s*)?;?$/i;

/**
 * The JSON value in the bytes; `{}` when there are none.
 * @throws Rejected 400 for what is not JSON in UTF-8; 422 for more than 64 levels, and for strings that hold
 * half of a pair of surrogates, which no store could give back as they came
 */
export function parseJson(bytes: Buffer): unknown {
  if (bytes.length === 0) return {};
  const { json, text } = parsed(bytes);
  if (deeper(json, MAX_DEPTH)) throw notValid([tooDeep]);
  // In valid UTF-8 a lone surrogate can only stand as an escape
  if (text.includes('\\ud') || text.includes('\\uD')) {
    const faults: Fault[] = [];
    inspect(json, ['body'], faults);
    if (faults.length > 0) throw notValid(faults);
  }
  return json;
}

function parsed(bytes: Buffer): { json: unknown; text: string } {
  if (isUtf8(bytes)) {
    const text = bytes.toString();
    try {
      return { json: JSON.parse(text) as unknown, text };
    } catch {
      /* answered below */
    }
  }
  throw new Rejected('invalid', 'invalid_json', 'The body is not valid JSON');
}

/** Whether a value has more than so many levels. */
function deeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) {
    for (const item of value) if (deeper(item, levels - 1)) return true;
    return false;
  }
  for (const name in value) if (deeper((value as Record<string, unknown>)[name], levels - 1)) return true;
  return false;
}

/** Finds strings, and names, that hold half of a character. */
function inspect(value: unknown, loc: (string | number)[], faults: Fault[]): void {
  if (typeof value === 'string') {
    if (!value.isWellFormed()) faults.push(halfCharacter([...loc]));
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    if (!Array.isArray(value)) inspect(name, loc, faults);
    inspect(member, [...loc, Array.isArray(value) ? Number(name) : name], faults);
  }
}

const halfCharacter = (loc: Fault['loc']): Fault => ({
  loc,
  msg: 'must be well-formed Unicode',
  type: 'string_unicode',
});
const tooDeep: Fault = {
  loc: ['body'],
  msg: `must not be nested more than ${MAX_DEPTH} levels deep`,
  type: 'json_depth',
};
