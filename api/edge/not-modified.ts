import type { IncomingHttpHeaders } from 'node:http';
import type { Endpoint } from './prepare.js';
import type { Answer } from './row.js';

/** Whether the caller holds this very version already. */
export function isNotModified(
  method: string,
  headers: IncomingHttpHeaders,
  { row }: Endpoint,
  { etag, status = 200 }: Answer,
): boolean {
  if (!row.versioned || etag === undefined || status !== 200) return false;
  if (method !== 'GET' && method !== 'HEAD') return false;
  const held = headers['if-none-match'];
  return held !== undefined && (held === '*' || held.includes(`"${etag}"`));
}
