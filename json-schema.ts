// JSON Schema (2020-12) as data and as a type. One schema, three uses: the static type (FromSchema), the
// check of a value, and its description.

type Scalars = { string: string; number: number; integer: number; boolean: boolean; null: null };
type Flat<T> = { [K in keyof T]: T[K] };
type Required<S> = S extends { readonly required: readonly (infer R)[] } ? R : never;
type Properties<P, R> = { -readonly [K in keyof P as K extends R ? K : never]: FromSchema<P[K]> } & {
  -readonly [K in keyof P as K extends R ? never : K]?: FromSchema<P[K]>;
};

/** The static type of what a schema accepts. */
export type FromSchema<S> = S extends { readonly const: infer C }
  ? C
  : S extends { readonly enum: readonly (infer E)[] }
    ? E
    : S extends { readonly oneOf: readonly (infer O)[] }
      ? FromSchema<O>
      : S extends { readonly type: 'array'; readonly items: infer I }
        ? FromSchema<I>[]
        : S extends { readonly type: 'object'; readonly properties: infer P }
          ? Flat<Properties<P, Required<S>>>
          : S extends { readonly type: 'object'; readonly additionalProperties: infer V extends object }
            ? Record<string, FromSchema<V>>
            : S extends { readonly type: 'object' }
              ? Record<string, unknown>
              : S extends { readonly type: keyof Scalars }
                ? Scalars[S['type']]
                : S extends { readonly type: readonly (infer T)[] }
                  ? T extends keyof Scalars
                    ? Scalars[T]
                    : never
                  : unknown;

export type Schema = { readonly [keyword: string]: unknown };
export type ObjectSchema = Schema & {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, Schema>>;
  readonly required: readonly string[];
};

/**
 * An object with these required and these optional members. It says nothing of others: those of a request are
 * passed over, and named in the answer.
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
