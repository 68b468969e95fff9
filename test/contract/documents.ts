import type { Commit, Doc, ReadModels } from '../../projections/engine/read-models.js';

export type Thing = Doc & { readonly [field: string]: unknown };

let made = 0;
/** A name no other test uses. */
export const newName = (kind: string): string => `${kind}_${++made}_v1`;

/** A page with nothing in it but what the test is about. */
export const page = (projection: string, checkpoint: number, rest: Partial<Commit> = {}): Commit => ({
  projection,
  checkpoint,
  changes: [],
  sweeps: [],
  ...rest,
});

/**
 * Writes documents that stand at position 0 unless they say otherwise, and answers the name of their new
 * collection.
 */
export const given = async (
  store: ReadModels,
  docs: readonly Thing[],
  indexes: readonly (readonly string[])[] = [],
): Promise<string> => {
  const collection = newName('given');
  await store.prepare([{ name: collection, indexes }]);
  await store.commit(
    page(collection, 0, {
      changes: [{ collection, put: docs.map(doc => ({ _at: 0, ...doc })), remove: [] }],
    }),
  );
  return collection;
};
