import type { Schema } from './schema.js';

/**
 * What a schema declares: the members of an object, or of the items of a list; null: anything may stand
 * there.
 */
export type Known = {
  readonly members: ReadonlyMap<string, Known | null> | null;
  readonly items: Known | null;
} | null;

const MAX_NAMES = 20;
const MAX_HEADER = 1000;

/** The names a schema knows, also those in its alternatives. A map of any names is known whole. */
export function knownOf(schema: Schema): Known {
  const members = new Map<string, Known>();
  let items: Known = null;
  for (const part of partsOf(schema)) {
    if (part.type === 'object' && (part.additionalProperties || !part.properties)) return null;
    for (const [name, inner] of Object.entries(part.properties ?? {}))
      members.set(name, knownOf(inner as Schema));
    if (part.items) items = knownOf(part.items as Schema);
  }
  return members.size > 0 || items ? { members: members.size > 0 ? members : null, items } : null;
}

function partsOf(schema: Schema): Schema[] {
  const alternatives = [schema.oneOf, schema.anyOf, schema.allOf].flatMap(list => (list ?? []) as Schema[]);
  return [schema, ...alternatives.flatMap(partsOf)];
}

/** Adds the names of `value` that the schema does not know, as `a.b` and `list[].b`, each once. */
export function unknownNames(known: Known, value: unknown, into: Set<string>, path = ''): void {
  if (known === null || typeof value !== 'object' || value === null || into.size >= MAX_NAMES) return;
  if (Array.isArray(value)) {
    const inside = `${path}[]`;
    if (known.items) for (const item of value) unknownNames(known.items, item, into, inside);
    return;
  }
  if (!known.members) return;
  for (const name in value) {
    if (into.size >= MAX_NAMES) return;
    const inner = known.members.get(name);
    if (inner === null) continue;
    const whole = path === '' ? name : `${path}.${name}`;
    if (inner === undefined) into.add(whole);
    else unknownNames(inner, (value as Record<string, unknown>)[name], into, whole);
  }
}

/** As many of the names as go into one header: `,` and what may not stand in a header percent-encoded. */
export function ignoredHeader(names: ReadonlySet<string>): string {
  let header = '';
  for (const name of names) {
    const encoded = encodeURIComponent(name.toWellFormed()).replaceAll('%5B%5D', '[]');
    if (header.length + encoded.length > MAX_HEADER) return header === '' ? '...' : `${header}, ...`;
    header += header === '' ? encoded : `, ${encoded}`;
  }
  return header;
}
