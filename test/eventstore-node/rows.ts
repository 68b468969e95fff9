import Database from 'libsql';

/**
 * Revision of a tombstone, and the `$tb` of a soft-deleted stream, in digits: no JavaScript number can say
 * it.
 */
export const MAX_REVISION = '9223372036854775807';
/** The same, as far as a JavaScript number can say it. */
export const GONE = Number.MAX_SAFE_INTEGER;

/** An event on its way in; data and metadata as the bytes that were sent. */
export type Proposed = { id: string; type: string; contentType: string; data: Buffer; meta: Buffer };
/**
 * A stored event. `created`: epoch ms; `revision` and `position` count within its stream and within `$all`.
 */
export type Stored = Proposed & { stream: string; revision: number; position: number; created: number };
/** What is known about a stream. `tb`, `maxCount`, `maxAge` (seconds): its metadata; `dead`: tombstoned. */
export type Stream = {
  id: number;
  revision: number;
  tb: number;
  maxCount: number | null;
  maxAge: number | null;
  dead: number;
};

type Value = string | number | bigint | Buffer | null;
// Values always in a list: libsql takes a single object for named values, and a single Buffer ends the
// process.
type Statement = {
  run(values: Value[]): void;
  get(values: Value[]): unknown;
  all(values: Value[]): unknown[];
};
type EventRow = Omit<Stored, 'stream' | 'type'> & { stream: Uint8Array; type: Uint8Array };

// Names and types are kept as bytes: libsql cuts text off at U+0000, and both may contain it.
const toBytes = (text: string): Buffer => Buffer.from(text, 'utf8');
const toText = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8');
const toStored = (row: unknown): Stored => {
  const { stream, type, data, meta, ...rest } = row as EventRow;
  return {
    ...rest,
    stream: toText(stream),
    type: toText(type),
    data: Buffer.from(data),
    meta: Buffer.from(meta),
  };
};

const SCHEMA = `
  create table if not exists streams (
    id integer primary key, name blob unique not null, revision integer not null,
    tb integer not null default 0, maxCount integer, maxAge integer, dead integer not null default 0);
  create table if not exists events (
    position integer primary key, sid integer not null, revision integer not null, stream blob not null,
    id text not null, type blob not null, contentType text not null, data blob, meta blob,
    created integer not null);
  create unique index if not exists events_by_revision on events(sid, revision);
`;

/**
 * Streams and events in one libsql file (`:memory:` for none): plain reads and writes, without the server's
 * rules.
 */
export class Rows {
  private readonly db: InstanceType<typeof Database>;
  private readonly sql: Record<keyof typeof STATEMENTS, Statement>;
  private top: number;

  constructor(file: string) {
    this.db = new Database(file, {});
    this.db.exec(`pragma journal_mode = wal; pragma synchronous = full; ${SCHEMA}`);
    this.sql = Object.fromEntries(
      Object.entries(STATEMENTS).map(([name, text]) => [name, this.db.prepare(text) as Statement]),
    ) as Record<keyof typeof STATEMENTS, Statement>;
    this.top = this.head();
  }

  /** Runs `work` in one transaction; when it throws nothing is kept. */
  transaction(work: () => void): void {
    this.db.exec('begin immediate');
    try {
      work();
      this.db.exec('commit');
    } catch (error) {
      this.db.exec('rollback');
      this.top = this.head();
      throw error;
    }
  }

  close(): void {
    this.db.close();
  }

  stream(name: string): Stream | undefined {
    return this.sql.stream.get([toBytes(name)]) as Stream | undefined;
  }

  ensure(name: string): Stream {
    const found = this.stream(name);
    if (found) return found;
    this.sql.addStream.run([toBytes(name)]);
    return this.stream(name)!;
  }

  setRevision(id: number, revision: number): void {
    this.sql.setRevision.run([revision, id]);
  }

  setMetadata(id: number, tb: number, maxCount: number | null, maxAge: number | null): void {
    this.sql.setMetadata.run([tb, maxCount, maxAge, id]);
  }

  kill(id: number): void {
    this.sql.kill.run([id]);
  }

  /** Positions are offsets with gaps, as the server's are: nobody may count with them. */
  insert(sid: number, stream: string, revision: number | bigint, event: Proposed, created: number): number {
    this.top += 100 + event.data.length + event.meta.length;
    const { id, type, contentType, data, meta } = event;
    this.sql.addEvent.run([
      this.top,
      sid,
      revision,
      toBytes(stream),
      id,
      toBytes(type),
      contentType,
      data,
      meta,
      created,
    ]);
    return this.top;
  }

  head(): number {
    return (this.sql.head.get([]) as { top: number }).top;
  }

  hasPosition(position: number): boolean {
    return this.sql.hasPosition.get([position]) !== undefined;
  }

  at(sid: number, revision: number): Stored | undefined {
    const row = this.sql.at.get([sid, revision]);
    return row === undefined ? undefined : toStored(row);
  }

  /** Events of a stream in rising order, revisions `from` to `to`, at most `count`. */
  forwards(sid: number, from: number, to: number, count: number): Stored[] {
    return this.sql.forwards.all([sid, from, to, count]).map(toStored);
  }

  /** Events of a stream in falling order, revisions `from` down to `to`, at most `count`. */
  backwards(sid: number, from: number, to: number, count: number): Stored[] {
    return this.sql.backwards.all([sid, from, to, count]).map(toStored);
  }

  allAfter(position: number, count: number): Stored[] {
    return this.sql.allAfter.all([position, count]).map(toStored);
  }

  allBefore(position: number, count: number): Stored[] {
    return this.sql.allBefore.all([position, count]).map(toStored);
  }

  tombstone(sid: number): Stored | undefined {
    const row = this.sql.tombstone.get([sid, BigInt(GONE)]);
    return row === undefined ? undefined : toStored(row);
  }
}

// A statement is read either by get() or by all(): libsql's get() after all() gives a row of the earlier
// call.
const STATEMENTS = {
  stream: 'select id, revision, tb, maxCount, maxAge, dead from streams where name = ?',
  addStream: 'insert into streams(name, revision) values(?, -1)',
  setRevision: 'update streams set revision = ? where id = ?',
  setMetadata: 'update streams set tb = ?, maxCount = ?, maxAge = ? where id = ?',
  kill: 'update streams set dead = 1 where id = ?',
  addEvent:
    'insert into events(position, sid, revision, stream, id, type, contentType, data, meta, created) '
    + 'values(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
  at: 'select * from events where sid = ? and revision = ?',
  forwards:
    'select * from events where sid = ? and revision >= ? and revision <= ? order by revision limit ?',
  backwards:
    'select * from events where sid = ? and revision <= ? and revision >= ? order by revision desc limit ?',
  tombstone: 'select * from events where sid = ? and revision >= ? order by revision desc limit 1',
  allAfter: 'select * from events where position > ? order by position limit ?',
  allBefore: 'select * from events where position < ? order by position desc limit ?',
  hasPosition: 'select 1 from events where position = ?',
  head: 'select coalesce(max(position), 0) top from events',
} as const;
