import type { KeyValue } from '../../commands/ports/key-value.js';
import { openDatabase, type Scrubbed } from './database.js';

const SETS_BETWEEN_SWEEPS = 256;

const TABLE = `
  CREATE TABLE IF NOT EXISTS entries (
    key TEXT PRIMARY KEY, version INTEGER NOT NULL, value TEXT NOT NULL, expires INTEGER) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS entries_expires ON entries (expires) WHERE expires IS NOT NULL`;

type Row = [version: number, value: string, expires: number | null];

/**
 * Small state in one SQLite file. One counter numbers the versions of all keys: what is written last carries
 * the highest and is spared by the sweep, so that versions grow for ever although the entries go. Keys are
 * kept as JSON: that holds any text.
 */
export const embeddedKeyValue = (
  file: string,
  clock: () => number,
): KeyValue & Scrubbed & { close(): Promise<void> } => {
  const db = openDatabase(file, 'NORMAL');
  db.exec('PRAGMA secure_delete = ON');
  db.exec(TABLE);
  const read = db.prepare('SELECT version, value, expires FROM entries WHERE key = ?');
  const write = db.prepare('INSERT OR REPLACE INTO entries VALUES (?, ?, ?, ?)');
  const sweep = db.prepare('DELETE FROM entries WHERE expires <= ? AND version < ?');
  let last = db.prepare('SELECT max(version) FROM entries').rows<[number | null]>([])[0]![0] ?? 0;
  const live = (key: string): Row | undefined =>
    read.rows<Row>([JSON.stringify(key)]).find(([, , expires]) => expires === null || clock() < expires);
  return {
    async get<T>(key: string) {
      const row = live(key);
      return row ? { value: JSON.parse(row[1]) as T, version: row[0], expiresAt: row[2] } : null;
    },
    async set(key, value, version, expiresAt) {
      if ((live(key)?.[0] ?? 0) !== version) return null;
      write.run([JSON.stringify(key), ++last, JSON.stringify(value), expiresAt]);
      if (last % SETS_BETWEEN_SWEEPS === 0) sweep.run([clock(), last]);
      return last;
    },
    async scrub() {
      db.checkpoint();
    },
    async close() {
      db.close();
    },
  };
};
