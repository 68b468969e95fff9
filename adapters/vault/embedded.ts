import { openDatabase, rewriteTable } from '../embedded/database.js';
import type { WrappedKeys } from './vault.js';

const COLUMNS = '(subject TEXT PRIMARY KEY, wrapped TEXT) WITHOUT ROWID';

/**
 * Wrapped keys in one SQLite file, on the disk before anything is sealed with them. A thrown away key leaves
 * null.
 */
export function embeddedKeys(file: string): WrappedKeys {
  const db = openDatabase(file, 'FULL');
  // What is thrown away is overwritten in the file, too
  db.exec(`PRAGMA secure_delete = ON; CREATE TABLE IF NOT EXISTS keys ${COLUMNS}`);
  const get = db.prepare('SELECT wrapped FROM keys WHERE subject = ?');
  const insert = db.prepare('INSERT OR IGNORE INTO keys VALUES (?, ?)');
  const destroy = db.prepare('INSERT OR REPLACE INTO keys VALUES (?, NULL)');
  return {
    async get(subject) {
      const [row] = get.rows<[string | null]>([subject]);
      return row?.[0];
    },
    async insert(subject, wrapped) {
      insert.run([subject, wrapped]);
    },
    async destroy(subject) {
      db.transaction(() => {
        destroy.run([subject]);
        rewriteTable(db, 'keys', COLUMNS);
      });
      db.checkpoint();
    },
    async retire(subject) {
      destroy.run([subject]);
    },
    async close() {
      db.close();
    },
  };
}
