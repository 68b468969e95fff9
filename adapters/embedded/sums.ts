import { crc32 } from 'node:zlib';
import type { Database, Value } from './database.js';

/** SQLite has no checksums, and a text that is damaged in its midst is still a text. */
const TABLE = `CREATE TABLE IF NOT EXISTS sums (
  upto INTEGER PRIMARY KEY, since INTEGER NOT NULL, sum INTEGER NOT NULL)`;

/** The checksum of rows and one more: CRC-32 of their columns. */
export const summed = (sum: number, row: readonly Value[]): number => crc32(row.join('\u001f'), sum);

/** A checksum over the facts of each transaction, beside them. */
export type Sums = {
  readonly begin: () => void;
  readonly add: (row: readonly Value[]) => void;
  /** Writes that of all that were added, those behind position `since` up to `upto`. */
  readonly end: (since: number, upto: number) => void;
};

export function sumsOf(db: Database): Sums {
  db.exec(TABLE);
  const write = db.prepare('INSERT INTO sums VALUES (?, ?, ?)');
  let sum = 0;
  return {
    begin() {
      sum = 0;
    },
    add(row) {
      sum = summed(sum, row);
    },
    end(since, upto) {
      if (upto > since) write.run([upto, since, sum]);
    },
  };
}
