import type { Schema } from '../../json-schema.js';

/**
 * What a schema declares: the members of an object, or of the items of a list; null: anything may stand
 * there.
 */
export type Declared = {
  readonly members: ReadonlyMap<string, Declared> | null;
  readonly items: Declared;
} | null;

const MAX_NAMES = 20;
const MAX_HEADER = 1000;

/** The names a schema declares, also those in its alternatives. A map of any names is declared whole. */
export function declaredIn(schema: Schema): Declared {
  const members = new Map<string, Declared>();
  let items: Declared = null;
  for (const part of partsOf(schema)) {
    if (part.type === 'object' && takesAnyName(part)) return null;
    for (const [name, inner] of Object.entries(part.properties ?? {})) {
      members.set(name, declaredIn(inner as Schema));
    }
    if (part.items) items = declaredIn(part.items as Schema);
  }
  if (members.size > 0) return { members, items };
  return items && { members: null, items };
}

/** An object that names its members in alternatives alone is no map. */
const takesAnyName = ({ additionalProperties, properties, oneOf, anyOf, allOf }: Schema): boolean =>
  Boolean(additionalProperties) || !(properties ?? oneOf ?? anyOf ?? allOf);

function partsOf(schema: Schema): Schema[] {
  const alternatives = [schema.oneOf, schema.anyOf, schema.allOf].flatMap(list => (list ?? []) as Schema[]);
  return [schema, ...alternatives.flatMap(partsOf)];
}

/** Adds the names of `value` that the schema does not declare, as `a.b` and `list[].b`, each once. */
export function unknownNames(declared: Declared, value: unknown, into: Set<string>, path = ''): void {
  if (declared === null || typeof value !== 'object' || value === null || into.size >= MAX_NAMES) return;
  if (Array.isArray(value)) {
    if (!declared.items) return;
    const inside = `${path}[]`;
    for (const item of value) unknownNames(declared.items, item, into, inside);
    return;
  }
  if (!declared.members) return;
  for (const name in value) {
    if (into.size >= MAX_NAMES) return;
    const inner = declared.members.get(name);
    if (inner === null) continue;
    const whole = path === '' ? name : `${path}.${name}`;
    if (inner === undefined) into.add(whole);
    else unknownNames(inner, (value as Record<string, unknown>)[name], into, whole);
  }
}

/** A value without the members that its schema does not declare. */
export function declaredOnly(declared: Declared, value: unknown): unknown {
  if (declared === null || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(item => declaredOnly(declared.items, item));
  const { members } = declared;
  if (!members) return value;
  const known = Object.entries(value).filter(([name]) => members.has(name));
  return Object.fromEntries(known.map(([name, inner]) => [name, declaredOnly(members.get(name)!, inner)]));
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
