import type { AnyBulkWriteOperation, ClientSession } from 'mongodb';
import { START } from '../../domain/fact.js';
import {
  Overtaken,
  type CollectionSpec,
  type Commit,
  type Doc,
  type Query,
  type ReadModels,
  type Stored,
  type Where,
} from '../../projections/engine/read-models.js';
import { exists, isDuplicate, TIME_LIMIT, type Connection } from './client.js';
import { held, unheld, type Held } from './documents.js';
import { filterOf, orderOf, selected, sweepOf } from './query.js';

type Checkpoint = { _id: string; position?: number; fence?: number };

/** Collections of the platform's own; those of projections end in a version and never meet them. */
const CHECKPOINTS = 'checkpoints';
const OWN = new Set([CHECKPOINTS, 'state']);
/** Documents in one call; the driver splits further by bytes. */
const CHUNK = 500;
const INDEXING = { maxTimeMS: 600_000 } as const;

/**
 * Read models in MongoDB 5 or later, or in a server that speaks its protocol.
 *
 * Where the server has transactions, a page is written in one, together with the checkpoint: readers see all
 * of it or nothing, and a writer that was overtaken (`fence`) changes nothing. A page that sweeps goes
 * without one, as on a server that has none, for what it deletes may be larger than a transaction can be:
 * changes in order, sweeps, checkpoint, so that a repeat mends what a crash left half done. The fence is then
 * checked before and after: an overtaken writer is found out, but when it slept between the two, documents of
 * its page may stand in place of newer ones. Run several writers on a replica set.
 */
export function mongoReadModels(connection: Connection): ReadModels {
  const { db, client, call, transactions } = connection;
  const docs = (name: string) => db.collection<Held>(name);
  const checkpoints = db.collection<Checkpoint>(CHECKPOINTS);

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

  /** Sets members of a checkpoint unless a higher fencing number was there. */
  async function mark(
    projection: string,
    set: Omit<Checkpoint, '_id'>,
    session?: ClientSession,
  ): Promise<void> {
    const { fence } = set;
    const standing =
      fence === undefined ? {} : { $or: [{ fence: { $exists: false } }, { fence: { $lte: fence } }] };
    try {
      await checkpoints.updateOne(
        { _id: projection, ...standing },
        { $set: set },
        { upsert: true, ...inside(session) },
      );
    } catch (error) {
      if (fence !== undefined && isDuplicate(error)) throw new Overtaken(projection, fence);
      throw error;
    }
  }

  async function write(changes: Commit['changes'], session?: ClientSession): Promise<void> {
    for (const { collection, put, remove } of changes) {
      const puts = put.map(doc => ({
        replaceOne: { filter: { _id: doc._id }, replacement: held(doc), upsert: true },
      }));
      const removes = chunks(remove).map(ids => ({ deleteMany: { filter: { _id: { $in: ids } } } }));
      const writes: AnyBulkWriteOperation<Held>[] = [...puts, ...removes];
      for (const chunk of chunks(writes))
        await docs(collection).bulkWrite(chunk, { ordered: true, ...inside(session) });
    }
  }

  /** In small steps, so that no call takes long however much there is to delete. */
  async function sweep({ collection, where, before }: Commit['sweeps'][number]): Promise<void> {
    const swept = { projection: { _id: 1 }, limit: CHUNK, ...TIME_LIMIT };
    for (let found = CHUNK; found === CHUNK; ) {
      const ids = (await docs(collection).find(sweepOf(where, before), swept).toArray()).map(
        ({ _id }) => _id,
      );
      found = ids.length;
      if (found > 0)
        await docs(collection).deleteMany({ _id: { $in: ids }, _at: { $lt: before } }, TIME_LIMIT);
    }
  }

  const whole = ({ projection, checkpoint, changes }: Commit, fence: Fence): Promise<void> =>
    client.withSession(session =>
      session.withTransaction(
        async () => {
          await mark(projection, { position: checkpoint, ...fence }, session);
          await write(changes, session);
        },
        { maxCommitTimeMS: TIME_LIMIT.maxTimeMS },
      ),
    );

  async function stepwise({ projection, checkpoint, changes, sweeps }: Commit, fence: Fence): Promise<void> {
    if (fence.fence !== undefined) await mark(projection, fence);
    await write(changes);
    for (const each of sweeps) await sweep(each);
    await mark(projection, { position: checkpoint, ...fence });
  }

  return {
    prepare: collections =>
      call(async () => {
        const there = await names();
        for (const spec of collections) await make(spec, there);
      }),
    checkpoint: projection =>
      call(async () => (await checkpoints.findOne({ _id: projection }, TIME_LIMIT))?.position ?? START),
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
    commit: page =>
      call(async () => {
        const fence = page.fence === undefined ? {} : { fence: page.fence };
        await (page.sweeps.length === 0 && (await transactions()) ? whole : stepwise)(page, fence);
      }),
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
        if (projection !== null) await checkpoints.deleteOne({ _id: projection }, TIME_LIMIT);
      }),
    close: connection.close,
  };
}

type Fence = { readonly fence?: number };

/** In a transaction the time limit is the transaction's own. */
const inside = (session: ClientSession | undefined) => (session ? { session } : TIME_LIMIT);

const optionsOf = (query: Query) => ({
  sort: orderOf(query),
  batchSize: 2 * CHUNK,
  ...TIME_LIMIT,
  ...(query.offset !== undefined && { skip: query.offset }),
  ...(query.limit !== undefined && { limit: query.limit }),
  ...(query.fields && { projection: Object.fromEntries(['_id', ...query.fields].map(field => [field, 1])) }),
});

function chunks<T>(list: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(list.length / CHUNK) }, (_, i) =>
    list.slice(i * CHUNK, (i + 1) * CHUNK),
  );
}
