import type { IncomingMessage } from 'node:http';
import { Rejected } from '../../domain/rejected.js';
import { hasBody } from './body.js';
import { notValid, tooLarge } from './errors.js';

/** The part of a multipart body that holds the file. */
export const FILE = 'file';

/** All text beside the file, what stands between two parts, and how many parts there may be. */
export const TEXT_LIMIT = 1_000_000;
export const HEAD_LIMIT = 262_144;
export const MOST_PARTS = 50;

/** Of a body, beside its file. */
export const BESIDE = 2 * TEXT_LIMIT;

/** @throws Rejected 415, 413 */
export function wantsMultipart(req: IncomingMessage, limit: number): void {
  const type = req.headers['content-type'] ?? '';
  const encoding = req.headers['content-encoding'] ?? 'identity';
  if (!hasBody(req) || !/^multipart\/form-data\s*;.*\bboundary=/i.test(type) || encoding !== 'identity')
    throw new Rejected(
      'unsupported',
      'unsupported_media_type',
      'Send a form with a file: Content-Type: multipart/form-data; boundary=...',
    );
  if (Number(req.headers['content-length']) > limit + BESIDE) throw tooLargeFile(limit);
}

export const tooLargeFile = (limit: number): Rejected =>
  new Rejected('too_large', 'payload_too_large', `The file may have at most ${limit} bytes`, {
    limit_bytes: limit,
    limit_of: 'file',
  });

export const malformed = (fault: string): Rejected =>
  notValid([{ loc: ['body'], msg: fault, type: 'multipart' }]);

/** What the reader of multipart bodies says, as a refusal; a fault of ours stays one. */
export function refusalOf(error: unknown, limit: number): unknown {
  const { httpCode, code } = error as { readonly httpCode?: number; readonly code?: unknown };
  if (error instanceof Rejected || typeof code !== 'number') return error;
  if (code === TEXT_TOO_LONG) return tooLarge(TEXT_LIMIT);
  if (httpCode === 413) return tooLargeFile(limit);
  return httpCode === 500 ? error : malformed('is not a whole multipart/form-data body');
}
const TEXT_TOO_LONG = 1006;
