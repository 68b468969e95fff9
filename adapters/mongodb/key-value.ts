import type { KeyValue } from '../../commands/ports/key-value.js';
import { isDuplicate, TIME_LIMIT, type Connection } from './client.js';

type Entry = { _id: string; value: string; version: number; expires: number | null };

const HOUR = 3_600_000;
const KEPT_MS = 24 * HOUR;

/**
 * Small state in one collection, values as JSON text. The first version of a key is the time it is made,
 * later ones count up; an expired entry goes a day after its time. So versions grow for ever, unless a clock
 * is set back by more than a day.
 */
export function mongoKeyValue({ db, call }: Connection, clock: () => number): KeyValue {
  const entries = db.collection<Entry>('state');
  const inTurn = turns();
  let nextSweep = 0;

  async function replace(key: string, value: string, version: number, expires: number | null, now: number) {
    const live = { _id: key, version, $or: [{ expires: null }, { expires: { $gt: now } }] };
    const { matchedCount } = await entries.updateOne(
      live,
      { $set: { value, expires, version: version + 1 } },
      TIME_LIMIT,
    );
    return matchedCount === 1 ? version + 1 : null;
  }

  async function create(
    key: string,
    value: string,
    expires: number | null,
    now: number,
  ): Promise<number | null> {
    const version = Math.max(1, Math.floor(now));
    try {
      await entries.insertOne({ _id: key, value, version, expires }, TIME_LIMIT);
      return version;
    } catch (error) {
      if (!isDuplicate(error)) throw error;
    }
    const expired = { _id: key, expires: { $lte: now } };
    const update = { $set: { value, expires }, $inc: { version: 1 } };
    const taken = await entries.findOneAndUpdate(expired, update, { returnDocument: 'after', ...TIME_LIMIT });
    return taken?.version ?? null;
  }

  /** What a failed sweep leaves, the next one takes. */
  async function sweep(now: number): Promise<void> {
    if (now < nextSweep) return;
    nextSweep = now + HOUR;
    try {
      await entries.createIndex({ expires: 1 }, TIME_LIMIT);
      await entries.deleteMany({ expires: { $lte: now - KEPT_MS } }, TIME_LIMIT);
    } catch {
      /* the entries are as good as gone anyway */
    }
  }

  return {
    get: <T>(key: string) =>
      call(async () => {
        const entry = await entries.findOne({ _id: key }, TIME_LIMIT);
        if (!entry || (entry.expires !== null && entry.expires <= clock())) return null;
        return { value: JSON.parse(entry.value) as T, version: entry.version, expiresAt: entry.expires };
      }),
    set: (key, value, version, expiresAt) =>
      inTurn(key, () =>
        call(async () => {
          const now = clock();
          const text = JSON.stringify(value);
          await sweep(now);
          return version === 0
            ? create(key, text, expiresAt, now)
            : replace(key, text, version, expiresAt, now);
        }),
      ),
  };
}

/**
 * One after another for each key. MongoDB decides among processes; but servers that only speak its protocol
 * may let several of a process through at once (FerretDB 1 reads, compares and writes in three steps).
 */
function turns() {
  const last = new Map<string, Promise<unknown>>();
  return async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const turn = (last.get(key) ?? Promise.resolve()).then(work, work);
    last.set(key, turn);
    try {
      return await turn;
    } finally {
      if (last.get(key) === turn) last.delete(key);
    }
  };
}
