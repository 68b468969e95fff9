import type {
  CollectionSpec,
  Doc,
  Query,
  ReadModels,
  Stored,
  Where,
} from '../../projections/engine/read-models.js';
import { CHECKPOINTS, checkpointsOn } from './checkpoints.js';
import { exists, TIME_LIMIT, type Connection } from './client.js';
import { unheld, type Held } from './documents.js';
import { CHUNK, chunks, pagesOn } from './pages.js';
import { filterOf, orderOf, selected } from './query.js';

/** Collections of the platform's own; those of projections end in a version and never meet them. */
const OWN = new Set([CHECKPOINTS, 'state']);
const INDEXING = { maxTimeMS: 600_000 } as const;

/** Read models in MongoDB 5 or later, or in what speaks its protocol. How pages are written: `pagesOn`. */
export function mongoReadModels(connection: Connection): ReadModels {
  const { db, call } = connection;
  const docs = (name: string) => db.collection<Held>(name);
  const checkpoints = checkpointsOn(connection);
  const commit = pagesOn(connection, checkpoints);

  const names = async (): Promise<string[]> => {
    const found = await db.listCollections({}, { nameOnly: true, ...TIME_LIMIT }).toArray();
    return found.map(({ name }) => name).filter(name => !OWN.has(name) && !name.startsWith('system.'));
  };

  async function make({ name, indexes }: CollectionSpec, there: readonly string[]): Promise<void> {
    if (!there.includes(name)) {
      await db.createCollection(name, TIME_LIMIT).catch((error: unknown) => {
        if (!exists(error)) throw error;
      });
    }
    const stored = await docs(name).listIndexes(TIME_LIMIT).toArray();
    const made = new Set(stored.map(index => Object.keys(index['key'] as object).join()));
    // One at a time: FerretDB 1 falls over two that another process makes meanwhile
    for (const fields of indexes.filter(wanted => !made.has(wanted.join()))) {
      await docs(name).createIndex(Object.fromEntries(fields.map(field => [field, 1])), INDEXING);
    }
  }

  return {
    prepare: collections =>
      call(async () => {
        const there = await names();
        for (const spec of collections) await make(spec, there);
      }),
    checkpoint: (projection, fence) => call(() => checkpoints.positionOf(projection, fence)),
    load: <D extends Doc>(collection: string, ids: readonly string[]) =>
      call(async () => {
        const found = new Map<string, Stored<D>>();
        for (const some of chunks(ids)) {
          const filter = { _id: some.length === 1 ? some[0]! : { $in: some } };
          const loaded = await docs(collection)
            .find(filter, { batchSize: CHUNK, ...TIME_LIMIT })
            .toArray();
          for (const doc of loaded) found.set(doc._id, unheld(doc));
        }
        return found;
      }),
    commit: page => call(() => commit(page)),
    find: <D extends Doc>(collection: string, query: Query) =>
      call(async () => {
        if (query.limit === 0) return [];
        const found = await docs(collection).find(selected(query), optionsOf(query)).toArray();
        return found.map(doc => unheld<D>(doc));
      }),
    count: (collection, where: Where) =>
      call(() => docs(collection).countDocuments(filterOf(where), TIME_LIMIT)),
    collections: () => call(names),
    drop: (collections, projection) =>
      call(async () => {
        const there = await names();
        for (const name of collections) if (there.includes(name)) await db.dropCollection(name, TIME_LIMIT);
        if (projection !== null) await checkpoints.forget(projection);
      }),
    close: connection.close,
  };
}

const optionsOf = (query: Query) => ({
  sort: orderOf(query),
  batchSize: 2 * CHUNK,
  ...TIME_LIMIT,
  ...(query.offset !== undefined && { skip: query.offset }),
  ...(query.limit !== undefined && { limit: query.limit }),
  ...(query.fields && { projection: Object.fromEntries(['_id', ...query.fields].map(field => [field, 1])) }),
});
