import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { notValid } from './errors.js';
import { JsonText, textOf, type Answer, type Row } from './row.js';

const printOf = (text: string): string => hash('sha256', text).slice(0, 16);

/**
 * An ETag whose first part, what people changed, is what `If-Match` is held against: what happens by itself
 * refuses nobody. Nothing of the log goes into it: a position would tell how much all tenants wrote between.
 */
export const versionedTag = (version: number, view: unknown): string => `${version}-${printOf(textOf(view))}`;

/** None while the version is not known: read models of before serve until those with versions are built. */
export const tagOf = (version: number | undefined, view: unknown): { readonly etag?: string } =>
  version === undefined ? {} : { etag: versionedTag(version, view) };

/** An answer with the ETag that its row leaves to the edge (`by_content`). */
export function tagged({ versioned }: Row, answer: Answer): Answer {
  const { status = 200, body } = answer;
  if (versioned !== 'by_content' || status !== 200 || body instanceof Readable) return answer;
  const text = textOf(body);
  return { ...answer, body: new JsonText(text), etag: printOf(text) };
}

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
