import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { notValid } from './errors.js';
import type { Row } from './row.js';

/**
 * An ETag whose first part, what people changed, is what `If-Match` is held against: what happens by itself
 * refuses nobody.
 */
export const versionedTag = (version: number, view: unknown): string =>
  `${version}-${hash('sha256', JSON.stringify(view)).slice(0, 16)}`;

/** None while the version is not known: read models of before serve until those with versions are built. */
export const tagOf = (version: number | undefined, view: unknown): { readonly etag?: string } =>
  version === undefined ? {} : { etag: versionedTag(version, view) };

/** The version an `If-Match` means; -1, which nothing has, when it is none of our ETags. */
export function versionIn(ifMatch: string | null): number | null {
  if (ifMatch === null) return null;
  const version = /^(\d{1,15})(-|$)/.exec(ifMatch)?.[1];
  return version === undefined ? -1 : Number(version);
}

/**
 * A change that is meant for one version is never made where there are none: what somebody else did meanwhile
 * would be lost. @throws Rejected 422 for an `If-Match` that the row does not understand
 */
export function mindIfMatch({ versioned, method }: Row, { 'if-match': given }: IncomingHttpHeaders): void {
  if (given === undefined || given === '*' || versioned || method === 'get' || method === 'post') return;
  const msg = 'is not supported here; nothing was done';
  throw notValid([{ loc: ['header', 'If-Match'], msg, type: 'unknown_header' }]);
}
