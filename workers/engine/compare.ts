import type { ReadModels, Stored } from '../../projections/engine/read-models.js';

/** A document that is not the same in two collections; null: it is not there at all. */
export type Difference = {
  readonly live: string;
  readonly rebuilt: string;
  readonly id: string;
  readonly was: Stored | null;
  readonly is: Stored | null;
};

const PAGE_SIZE = 1_000;

/**
 * Compares pairs of collections document by document, to the byte, in the order of their ids; memory stays
 * flat.
 */
export async function* compare(
  models: ReadModels,
  pairs: readonly (readonly [live: string, rebuilt: string])[],
): AsyncGenerator<{ readonly documents: number; readonly differences: Difference[] }> {
  for (const [live, rebuilt] of pairs) {
    for (let after: string | null = null; ; ) {
      const [a, b] = await Promise.all([page(models, live, after), page(models, rebuilt, after)]);
      const end = lastOfBoth(a, b);
      if (end === null) break;
      yield paired(
        live,
        rebuilt,
        a.filter(({ _id }) => upTo(_id, end)),
        b.filter(({ _id }) => upTo(_id, end)),
      );
      after = end;
    }
  }
}

const page = (models: ReadModels, collection: string, after: string | null): Promise<Stored[]> =>
  models.find(collection, {
    where: {},
    sort: { by: ['_id'] },
    limit: PAGE_SIZE,
    ...(after !== null && { after: [after] }),
  });

/**
 * Up to where both pages are complete: the smaller last id, or the larger when a page is the last of its
 * collection.
 */
function lastOfBoth(a: Stored[], b: Stored[]): string | null {
  const ends = [a, b].map(docs => ({ id: docs.at(-1)?._id, full: docs.length === PAGE_SIZE }));
  const full = ends
    .filter(end => end.full)
    .map(({ id }) => id!)
    .sort(byCodePoint);
  if (full.length > 0) return full[0]!;
  return (
    ends
      .flatMap(({ id }) => id ?? [])
      .sort(byCodePoint)
      .at(-1) ?? null
  );
}

function paired(live: string, rebuilt: string, a: Stored[], b: Stored[]) {
  const there = new Map(a.map(doc => [doc._id, doc]));
  const here = new Map(b.map(doc => [doc._id, doc]));
  const ids = [...new Set([...there.keys(), ...here.keys()])];
  const differences = ids.flatMap((id): Difference[] => {
    const was = there.get(id) ?? null;
    const is = here.get(id) ?? null;
    return JSON.stringify(was) === JSON.stringify(is) ? [] : [{ live, rebuilt, id, was, is }];
  });
  return { documents: ids.length, differences };
}

/** Stores order text by code point, which is the order of its UTF-8 bytes. */
const byCodePoint = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));
const upTo = (id: string, end: string): boolean => byCodePoint(id, end) <= 0;
