import type { FromSchema, Schema } from '../json-schema.js';

/** A setting: what it may be, what it is where nothing is said, and what it is for. */
export type Variable = {
  readonly schema: Schema;
  readonly default: string | number | boolean;
  readonly what: string;
  /** Its value is never shown. */
  readonly secret?: true;
};

export const text = { type: 'string' } as const;
export const count = { type: 'integer', minimum: 1, maximum: 1_000_000_000 } as const;

export const variable = <const S extends Schema>(
  schema: S,
  fallback: FromSchema<S> & (string | number | boolean),
  what: string,
) => ({ schema, default: fallback, what }) as const;

/** One whose value is never shown. */
export const secret = <const S extends Schema>(schema: S, fallback: FromSchema<S> & string, what: string) =>
  ({ ...variable(schema, fallback, what), secret: true }) as const;
