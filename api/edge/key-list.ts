/**
 * Keys of a query parameter, separated by commas, without repeats and empty ones. A comma or a backslash that
 * belongs to a key has a backslash before it: `a\,b,c` is `a,b` and `c`. So has a blank at an end of a key:
 * other blanks there are passed over.
 */
export function keyList(given: string): string[] {
  const keys = (given.match(PARTS) ?? []).map(part => trimmed(part).replace(ESCAPED, '$1'));
  return [...new Set(keys.filter(key => key !== ''))];
}

const PARTS = /(?:\\[\\,]|[^,])+/g;
const ESCAPED = /\\([\\,\s])/g;
/** Ends in a backslash that no other one stands for. */
const ESCAPING = /(?<!\\)(?:\\\\)*\\$/;

function trimmed(part: string): string {
  const begun = part.trimStart();
  const bare = begun.trimEnd();
  return ESCAPING.test(bare) ? begun.slice(0, bare.length + 1) : bare;
}

/** What the description of such a parameter says. */
export const KEY_LIST =
  'separated by commas; a comma of a key is `\\,`, a backslash `\\\\`, a blank at an end of one `\\ `';
