import { object, type Schema } from '../../json-schema.js';

/** The member of a query that asks what would happen. */
const dryRun = { type: 'boolean', description: 'true: says what would happen, and nothing does' } as const;
export const dryQuery = object({}, { dry_run: dryRun });
/** The member of an answer that says that nothing was done. */
export const wasDry = { const: true, description: 'nothing was done' } as const;

type Members = Readonly<Record<string, Schema>>;

/** What a deletion answers. `would`: what it says instead where it was only asked what would go. */
export const goneOr = (would: Members, beside: Members = {}) =>
  object(
    {},
    {
      status: { const: 'deleted' },
      ...beside,
      data: { ...object({ dry_run: wasDry, ...would }), description: 'dry_run: what would go' },
    },
  );

/** The same answer, which says so where it tells of what would be. */
export const orWouldBe = <
  const S extends { readonly properties: { readonly data: { readonly properties: object } } },
>(
  schema: S,
) => {
  const { data } = schema.properties;
  const properties = { ...data.properties, dry_run: wasDry };
  return { ...schema, properties: { ...schema.properties, data: { ...data, properties } } };
};

/** What would be, as an answer: without the version, for there is none yet. */
export const wouldBe = (data: object) => ({ status: 200, body: { data: { dry_run: true, ...data } } });
