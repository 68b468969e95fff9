import type { AnyBulkWriteOperation, ClientSession } from 'mongodb';
import type { Commit } from '../../projections/engine/read-models.js';
import { inside, type Checkpoints } from './checkpoints.js';
import { isDuplicate, TIME_LIMIT, type Connection } from './client.js';
import { held, type Held } from './documents.js';
import { sweepOf } from './query.js';

/** Documents in one call; the driver splits further by bytes. */
export const CHUNK = 500;

/**
 * Writes pages.
 *
 * Where the server has transactions, a page is written in one, together with the checkpoint: readers see all
 * of it or nothing. A page that sweeps goes in several steps, for what it deletes may be larger than a
 * transaction can be: changes in order, sweeps, checkpoint, so that a repeat mends what a crash left half
 * done. Each step is a transaction that holds the fence, so that a writer that was overtaken changes nothing.
 *
 * A server without transactions takes the same steps. There the fence is looked at before each, and a writer
 * that sleeps between the look and the step is held off by the documents: none that stands later is written
 * over or removed. One thing gets through: it can bring back a document that was removed while it slept.
 */
export function pagesOn({ db, transactions }: Connection, checkpoints: Checkpoints) {
  const docs = (name: string) => db.collection<Held>(name);

  async function writeAll(page: Commit, guarded: boolean, session?: ClientSession): Promise<void> {
    for (const { collection, ...change } of page.changes) {
      for (const chunk of chunks(writesOf(change, guarded ? page.checkpoint : null)))
        await docs(collection).bulkWrite(chunk, { ordered: true, ...inside(session) });
    }
  }

  async function write(page: Commit, session?: ClientSession): Promise<void> {
    const { projection, fence } = page;
    const guarded = session === undefined && fence !== undefined;
    try {
      await writeAll(page, guarded, session);
    } catch (error) {
      if (!guarded || !isDuplicate(error)) throw error;
      // A document stands later than this page: another writer's, or our own of before a crash
      await checkpoints.mark(projection, fence);
      await writeAll(page, false);
    }
  }

  /** In small steps, so that no call takes long however much there is to delete. */
  async function sweep(
    { projection, fence }: Commit,
    { collection, where, before }: Commit['sweeps'][number],
  ): Promise<void> {
    const swept = { projection: { _id: 1 }, limit: CHUNK, ...TIME_LIMIT };
    for (let found = CHUNK; found === CHUNK; ) {
      const ids = (await docs(collection).find(sweepOf(where, before), swept).toArray()).map(
        ({ _id }) => _id,
      );
      found = ids.length;
      if (found === 0) return;
      const gone = { _id: { $in: ids }, _at: { $lt: before } };
      await checkpoints.under(projection, fence, async session => {
        await docs(collection).deleteMany(gone, inside(session));
      });
    }
  }

  return async (page: Commit): Promise<void> => {
    const { projection, checkpoint, changes, sweeps, fence } = page;
    if (changes.length + sweeps.length === 0) return checkpoints.move(projection, fence, checkpoint);
    const writing = (session?: ClientSession) => write(page, session);
    if (sweeps.length === 0 && (await transactions()))
      return checkpoints.whole(projection, fence, checkpoint, writing);
    await checkpoints.under(projection, fence, writing);
    for (const each of sweeps) await sweep(page, each);
    await checkpoints.mark(projection, fence, { position: checkpoint });
  };
}

/** `upTo`: a document that stands later is left alone, or fails the call as a duplicate; null: none is. */
function writesOf(
  { put, remove }: Pick<Commit['changes'][number], 'put' | 'remove'>,
  upTo: number | null,
): AnyBulkWriteOperation<Held>[] {
  const notLater = (position: number) => (upTo === null ? {} : { _at: { $lte: position } });
  const puts = put.map(doc => ({
    replaceOne: { filter: { _id: doc._id, ...notLater(doc._at) }, replacement: held(doc), upsert: true },
  }));
  const removes = chunks(remove).map(ids => ({
    deleteMany: { filter: { _id: { $in: ids }, ...notLater(upTo ?? 0) } },
  }));
  return [...puts, ...removes];
}

export function chunks<T>(list: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(list.length / CHUNK) }, (_, i) =>
    list.slice(i * CHUNK, (i + 1) * CHUNK),
  );
}
