import { nullable, type Schema } from '../../json-schema.js';

type Clearable<M extends Readonly<Record<string, Schema>>> = {
  readonly [K in keyof M]: ReturnType<typeof nullable<M[K]>>;
};

/**
 * These members may be null, too, which is as if they were absent: it sets them back to what stands where
 * nothing is said.
 */
export const clearable = <const M extends Readonly<Record<string, Schema>>>(members: M): Clearable<M> =>
  Object.fromEntries(
    Object.entries(members).map(([name, { description, default: usual, examples, ...schema }]) => [
      name,
      {
        ...nullable(schema),
        ...(description !== undefined && { description }),
        ...(usual !== undefined && { default: usual }),
        ...(examples !== undefined && { examples }),
      },
    ]),
  ) as Clearable<M>;

/** A member of a PATCH that has members itself: absent leaves as it is, null clears, others are put over. */
export const mergedOr = <T extends object>(
  before: T | null | undefined,
  given: T | null | undefined,
): T | null => (given === undefined ? (before ?? null) : given && { ...before, ...given });

/** What a member of a PATCH means: absent leaves as it is, null clears. */
export const setOr = <T>(before: T, given: T | null | undefined, cleared: T): T =>
  given === undefined ? before : (given ?? cleared);
