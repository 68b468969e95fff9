import { Rejected } from '../../domain/rejected.js';
import type { Schema } from '../../json-schema.js';
import { notValid } from './errors.js';
import { parseJson } from './json.js';

/** The texts of a form as the values that a schema says: what is no text in it comes as JSON. */
export const formBody = (
  fields: Readonly<Record<string, string>>,
  properties: Readonly<Record<string, Schema>>,
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, text]) => {
      const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
      return [name, schema && !isText(schema) ? jsonIn(name, text) : text];
    }),
  );

function isText(schema: Schema): boolean {
  const types = partsOf(schema).flatMap(({ type, enum: values }) => type ?? (values ? ['string'] : []));
  return types.length === 0 || types.includes('string');
}

const partsOf = (schema: Schema): Schema[] => [schema, ...((schema.oneOf ?? schema.anyOf ?? []) as Schema[])];

function jsonIn(name: string, text: string): unknown {
  try {
    return parseJson(Buffer.from(text));
  } catch (error) {
    if (error instanceof Rejected && error.kind !== 'invalid') throw error;
    throw notValid([{ loc: ['body', name], msg: 'must be JSON', type: 'json' }]);
  }
}
