/** `writes` counts the steps taken under a fence. */
export type Checkpoint = { _id: string; position?: number; fence?: number; writes?: number };
export type Fence = number | undefined;

/**
 * Sets members of a checkpoint, where no higher fencing number is there: else the upsert is a duplicate. It
 * always changes something, for two transactions that only read the same number would not exclude each other.
 */
export function markOf(projection: string, fence: Fence, set: { readonly position?: number }) {
  if (fence === undefined) return { filter: { _id: projection }, update: { $set: set } };
  const standing = { $or: [{ fence: { $exists: false } }, { fence: { $lte: fence } }] };
  const update = { $set: { ...set, fence }, $inc: { writes: 1 } };
  return { filter: { _id: projection, ...standing }, update };
}
