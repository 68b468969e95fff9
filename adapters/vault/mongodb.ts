import { isDuplicate, TIME_LIMIT, type Connection } from '../mongodb/client.js';
import type { WrappedKeys } from './vault.js';

type Key = { _id: string; wrapped: string | null };

/** Wrapped keys in one collection, acknowledged by a majority. A thrown away key leaves null. */
export function mongoKeys({ db, call }: Connection): WrappedKeys {
  const keys = db.collection<Key>('vault');
  const destroy = (subject: string) =>
    call(async () => {
      await keys.updateOne({ _id: subject }, { $set: { wrapped: null } }, { ...TIME_LIMIT, upsert: true });
    });
  return {
    get: subject => call(async () => (await keys.findOne({ _id: subject }, TIME_LIMIT))?.wrapped),
    insert: (subject, wrapped) =>
      call(async () => {
        try {
          await keys.insertOne({ _id: subject, wrapped }, TIME_LIMIT);
        } catch (error) {
          if (!isDuplicate(error)) throw error;
        }
      }),
    destroy,
    retire: destroy,
    async close() {},
  };
}
