import type { Schema } from '../../json-schema.js';

export type { FromSchema, ObjectSchema, Schema } from '../../json-schema.js';

/**
 * An object with these required and these optional members; others are passed over (and named in
 * `X-Ignored-Fields`).
 */
export const object = <
  const R extends Readonly<Record<string, Schema>>,
  const O extends Readonly<Record<string, Schema>> = Readonly<Record<never, Schema>>,
>(
  required: R,
  optional: O = {} as O,
) =>
  ({
    type: 'object',
    properties: { ...required, ...optional } as R & O,
    required: Object.keys(required) as unknown as readonly (keyof R & string)[],
  }) as const;

export const array = <const I extends Schema>(items: I) => ({ type: 'array', items }) as const;

/** The same schema, null allowed. */
export const nullable = <const S extends Schema>(schema: S) =>
  ({ oneOf: [schema, { type: 'null' }] }) as const;
