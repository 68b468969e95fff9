import { PREFIXES } from '../aliases.js';

/**
 * In the subscriber's workspace a subscribed signal is called `mkt:<listing>:<key>`, a stream
 * `mkt-evt:<listing>:<key>`.
 */
export type AliasKind = 'signal' | 'stream';
export type Alias = { readonly listingId: string; readonly key: string };

/** Ids of listings hold no colon: the first one behind it ends it, the rest is the key. */
export const LISTING_ID = /^lst_[0-9a-z]{1,20}$/;
const KEY_LENGTH = 200;
/**
 * Longest key that can be listed, so that its alias is no longer than any key may be, whatever the listing's
 * id.
 */
export const MAX_LISTED_KEY = KEY_LENGTH - PREFIXES.stream.length - 'lst_:'.length - 20;

export const isAlias = (kind: AliasKind, key: string): boolean => key.startsWith(PREFIXES[kind]);
export const aliasOf = (kind: AliasKind, { listingId, key }: Alias): string =>
  `${PREFIXES[kind]}${listingId}:${key}`;

/** What an alias names; null: it names nothing. */
export function aliasIn(kind: AliasKind, alias: string): Alias | null {
  if (!isAlias(kind, alias)) return null;
  const start = PREFIXES[kind].length;
  const end = alias.indexOf(':', start);
  const listingId = alias.slice(start, Math.max(start, end));
  const key = alias.slice(end + 1);
  return LISTING_ID.test(listingId) && key !== '' ? { listingId, key } : null;
}
