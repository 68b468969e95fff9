import { checkpointName, collectionName, type Projection } from './projection.js';
import type { Doc, Query, ReadModels, Stored, Where } from './read-models.js';

/** Which generation of a projection's collections serves: 0, until a rebuild beside it took its place. */
export type Generations = (p: Projection) => number;

/** Reads of one projection's documents, by the short names of its collections, wherever they stand today. */
export type Reader = ReturnType<typeof reader>;

const PAGE = 1_000;

/** `serving`: which version of the projection is read, where that can change. */
export function reader(
  models: ReadModels,
  p: Projection,
  generationOf: Generations,
  serving: () => Projection = () => p,
) {
  const stored = (collection: string) => collectionName(serving(), collection, generationOf(serving()));
  const find = <D extends Doc>(collection: string, query: Query) => models.find<D>(stored(collection), query);
  return {
    find,
    load: <D extends Doc>(collection: string, ids: readonly string[]) =>
      models.load<D>(stored(collection), ids),
    get: async <D extends Doc>(collection: string, id: string): Promise<Stored<D> | null> =>
      (await models.load<D>(stored(collection), [id])).get(id) ?? null,
    /** The position up to which all documents stand; some may be ahead while a page is being written. */
    upTo: () => models.checkpoint(checkpointName(p, generationOf(p))),
    count: (collection: string, where: Where) => models.count(stored(collection), where),
    /**
     * Everything a query finds, page by page, each page read only when it is asked for. `sort.by` must end in
     * `_id`, and `fields` must hold what it sorts by.
     */
    async *pages<D extends Doc>(
      collection: string,
      query: Query & { sort: NonNullable<Query['sort']> },
    ): AsyncGenerator<Stored<D>[]> {
      const limit = query.limit ?? PAGE;
      for (let after = query.after; ; ) {
        const page = await find<D>(collection, { ...query, limit, ...(after && { after }) });
        if (page.length > 0) yield page;
        const last = page.at(-1) as Record<string, string | number> | undefined;
        if (page.length < limit || !last) return;
        after = query.sort.by.map(field => last[field]!);
      }
    },
  };
}
