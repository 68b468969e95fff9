/** Deeper items are surely a mistake, and nothing could be done with them. */
const MOST_LEVELS = 64;

export type Unfit = { readonly field: string; readonly message: string };

/**
 * What of an item no store could give back as it came: a text, or the name of a member, with half of a pair
 * of surrogates in it, or more than 64 levels. Null: nothing.
 */
export function unfitIn(value: unknown, path = '', levels = MOST_LEVELS): Unfit | null {
  if (typeof value === 'string') return value.isWellFormed() ? null : notUnicode(path);
  if (typeof value !== 'object' || value === null) return null;
  if (levels === 0)
    return { field: path, message: `must not be nested more than ${MOST_LEVELS} levels deep` };
  for (const [name, member] of Object.entries(value)) {
    const here = path === '' ? name : `${path}.${name}`;
    const found = name.isWellFormed() ? unfitIn(member, here, levels - 1) : notUnicode(here);
    if (found) return found;
  }
  return null;
}

const notUnicode = (path: string): Unfit => ({
  field: path.toWellFormed(),
  message: 'must be well-formed Unicode',
});
