import { hash } from 'node:crypto';

/**
 * An ETag whose first part, what people changed, is what `If-Match` is held against: what happens by itself
 * refuses nobody.
 */
export const versionedTag = (version: number, view: unknown): string =>
  `${version}-${hash('sha256', JSON.stringify(view)).slice(0, 16)}`;

/** The version an `If-Match` means; -1, which nothing has, when it is none of our ETags. */
export function versionIn(ifMatch: string | null): number | null {
  if (ifMatch === null) return null;
  const version = /^(\d{1,15})(-|$)/.exec(ifMatch)?.[1];
  return version === undefined ? -1 : Number(version);
}
