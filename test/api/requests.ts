import type { Row } from '../../api/edge/row.js';
import type { Schema } from '../../json-schema.js';

/** A path with each `{name}` replaced, encoded. */
export const filled = (path: string, value: (name: string) => string): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(value(name)));

/** A body that a row takes, made of the examples in its schema; `given` stands above them. */
export const bodyOf = (
  { body }: Row,
  given: Readonly<Record<string, unknown>> = {},
): { readonly body?: unknown } => {
  if (!body) return {};
  const own = Object.entries(given).filter(([name]) => name in body.properties);
  return { body: { ...(exampleOf(body) as object), ...Object.fromEntries(own) } };
};

type Detailed = {
  readonly properties?: Record<string, Schema>;
  readonly required?: readonly string[];
  readonly items?: Schema;
};

function exampleOf(schema: Schema): unknown {
  const { properties = {}, required = [], items } = schema as Detailed;
  if (Array.isArray(schema['examples'])) return schema['examples'][0];
  if ('const' in schema) return schema['const'];
  if (Array.isArray(schema['enum'])) return schema['enum'][0];
  const [type] = [schema['type']].flat();
  if (type === 'object')
    return Object.fromEntries(required.map(name => [name, exampleOf(properties[name]!)]));
  if (type === 'array') return items && schema['minItems'] ? [exampleOf(items)] : [];
  if (type === 'integer' || type === 'number') return schema['minimum'] ?? 1;
  if (type === 'boolean') return true;
  return 'x'.repeat(Math.max(1, Number(schema['minLength'] ?? 1)));
}
