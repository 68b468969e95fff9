import type { ClientSession } from 'mongodb';
import { START } from '../../domain/fact.js';
import { Overtaken } from '../../projections/engine/read-models.js';
import { markOf, type Checkpoint, type Fence } from './mark.js';
import { movesOn } from './moves.js';
import { isDuplicate, TIME_LIMIT, type Connection } from './client.js';

/** A collection of the platform's own; those of projections end in a version and never meet it. */
export const CHECKPOINTS = 'checkpoints';

/** Where each projection stands, and who may write it. */
export type Checkpoints = ReturnType<typeof checkpointsOn>;

export function checkpointsOn({ db, client, transactions }: Connection) {
  const checkpoints = db.collection<Checkpoint>(CHECKPOINTS);

  /** As `markOf` tells; `Overtaken` when a higher fencing number was there. */
  async function mark(
    projection: string,
    fence: Fence,
    set: { readonly position?: number } = {},
    session?: ClientSession,
  ): Promise<void> {
    const { filter, update } = markOf(projection, fence, set);
    try {
      await checkpoints.updateOne(filter, update, { upsert: true, ...inside(session) });
    } catch (error) {
      if (fence !== undefined && isDuplicate(error)) throw new Overtaken(projection, fence);
      throw error;
    }
  }

  /** Runs `work` in a transaction that holds the mark. */
  const within = (
    projection: string,
    fence: Fence,
    set: { readonly position?: number },
    work: (session: ClientSession) => Promise<void>,
  ): Promise<void> =>
    client.withSession(session =>
      session.withTransaction(
        async () => {
          if (fence !== undefined || set.position !== undefined) await mark(projection, fence, set, session);
          await work(session);
        },
        { maxCommitTimeMS: TIME_LIMIT.maxTimeMS },
      ),
    );

  return {
    mark,
    /** Moves a checkpoint of which nothing else is to be written. @throws Overtaken */
    move: movesOn(checkpoints, mark),
    /** Writes and moves the checkpoint in one, where the server has transactions; there alone. */
    whole: (
      projection: string,
      fence: Fence,
      position: number,
      work: (session: ClientSession) => Promise<void>,
    ): Promise<void> => within(projection, fence, { position }, work),
    /**
     * Writes under a fence: in a transaction with it where there are any, so that nothing is written by who
     * was overtaken; elsewhere behind a look at it.
     */
    async under(
      projection: string,
      fence: Fence,
      work: (session?: ClientSession) => Promise<void>,
    ): Promise<void> {
      if (await transactions()) return within(projection, fence, {}, work);
      if (fence !== undefined) await mark(projection, fence);
      await work();
    },
    async positionOf(projection: string, fence: Fence): Promise<number> {
      if (fence !== undefined) await mark(projection, fence);
      return (await checkpoints.findOne({ _id: projection }, TIME_LIMIT))?.position ?? START;
    },
    async forget(projection: string): Promise<void> {
      await checkpoints.deleteOne({ _id: projection }, TIME_LIMIT);
    },
  };
}

/** In a transaction the time limit is the transaction's own. */
export const inside = (session: ClientSession | undefined) => (session ? { session } : TIME_LIMIT);
