import Libsql from 'libsql';

/**
 * What may be bound. No booleans: libsql 0.5 ends the process on one. Text must hold no U+0000: it would be
 * cut there.
 */
export type Value = string | number | null;

/**
 * The little of SQLite that the embedded stores need, so that another driver can take libsql's place. It
 * keeps clear of what goes wrong in libsql 0.5.29: too few values silently reuse those of the last call,
 * `get()` may answer a row of an earlier `all()`, an iteration broken off holds its read open, and text is
 * cut at U+0000.
 */
export type Statement = {
  /** Runs a change; answers how many rows it changed. */
  run(values: readonly Value[]): number;
  /** All rows, each the list of its columns. */
  rows<Row extends readonly Value[]>(values: readonly Value[]): Row[];
};

export type Database = {
  exec(sql: string): void;
  /** `sql` holds its parameters as `?` and no other question mark. */
  prepare(sql: string): Statement;
  /** Runs `work` in a transaction of its own, taken at once; when it throws, nothing was changed. */
  transaction<T>(work: () => T): T;
  /**
   * Moves the write-ahead log into the file and empties it: what was overwritten or deleted is gone from the
   * disk's files.
   */
  checkpoint(): void;
  /** The same, and lets go of the file, which is whole then by itself. */
  close(): void;
};

/** A store whose files can be rid of what was deleted in it. */
export type Scrubbed = { scrub(): Promise<void> };

/** The commit itself failed: what is on the disk is not known for sure. */
export class CommitFailed extends Error {}

/**
 * Opens or creates a file in WAL mode. `FULL`: what was committed survives a power cut; `NORMAL`: a kill of
 * the process.
 */
export const openDatabase = (file: string, synchronous: 'FULL' | 'NORMAL'): Database => {
  const db = new Libsql(file, { timeout: 2000 });
  db.exec('PRAGMA page_size = 8192');
  db.pragma('journal_mode = WAL');
  db.exec(`PRAGMA synchronous = ${synchronous}; PRAGMA cache_size = -65536`);
  return {
    exec: sql => {
      db.exec(sql);
    },
    prepare: sql => statement(db.prepare(sql), sql),
    transaction: work => transaction(db, work),
    checkpoint: () => {
      db.pragma('wal_checkpoint(TRUNCATE)');
    },
    close: () => {
      db.pragma('wal_checkpoint(TRUNCATE)');
      db.close();
    },
  };
};

/**
 * Writes a table anew and drops what it was. Pages that were split keep copies of rows that moved, which no
 * later deletion reaches; this does, with `secure_delete` on and a `checkpoint` after it. Within a
 * transaction; indexes are the caller's to make again.
 */
export const rewriteTable = (db: Database, table: string, columns: string): void => {
  const fresh = `"_fresh_${table}"`;
  const old = `"${table}"`;
  db.exec(`
    CREATE TABLE ${fresh} ${columns};
    INSERT INTO ${fresh} SELECT * FROM ${old};
    DROP TABLE ${old};
    ALTER TABLE ${fresh} RENAME TO ${old}`);
};

const statement = (prepared: Libsql.Statement, sql: string): Statement => {
  const parameters = sql.split('?').length - 1;
  const checked = (values: readonly Value[]): readonly Value[] => {
    if (values.length !== parameters)
      throw new Error(`${values.length} values for ${parameters} parameters: ${sql}`);
    return values;
  };
  if (prepared.reader) prepared.raw();
  return {
    run: values => prepared.run(checked(values)).changes,
    rows: <Row>(values: readonly Value[]) => prepared.all(checked(values)) as Row[],
  };
};

const transaction = <T>(db: Libsql.Database, work: () => T): T => {
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    commit(db);
    return result;
  } catch (error) {
    if (db.inTransaction) db.exec('ROLLBACK');
    throw error;
  }
};

const commit = (db: Libsql.Database): void => {
  try {
    db.exec('COMMIT');
  } catch (cause) {
    throw new CommitFailed('the commit failed', { cause });
  }
};
