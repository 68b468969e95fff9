/**
 * Keys of a query parameter, separated by commas, without repeats and empty ones. A comma or a backslash that
 * belongs to a key has a backslash before it: `a\,b,c` is `a,b` and `c`.
 */
export function keyList(given: string): string[] {
  const keys = (given.match(PARTS) ?? []).map(part => part.trim().replace(ESCAPED, '$1'));
  return [...new Set(keys.filter(key => key !== ''))];
}

const PARTS = /(?:\\[\\,]|[^,])+/g;
const ESCAPED = /\\([\\,])/g;

/** What the description of such a parameter says. */
export const KEY_LIST = 'separated by commas; a comma of a key is `\\,`, a backslash `\\\\`';
