/** A place in an answer where two differ: names and numbers from the outside in, joined by dots. */
export type Difference = { readonly path: string; readonly was: unknown; readonly is: unknown };

/** Where two JSON values differ; numbers to the bit. What is in one alone is null in the other. */
export function differences(was: unknown, is: unknown, path = ''): Difference[] {
  if (Object.is(was, is)) return [];
  if (!isObject(was) || !isObject(is) || Array.isArray(was) !== Array.isArray(is))
    return [{ path, was: was ?? null, is: is ?? null }];
  const names = new Set([...Object.keys(was), ...Object.keys(is)]);
  return [...names].flatMap(name => differences(was[name], is[name], path === '' ? name : `${path}.${name}`));
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
