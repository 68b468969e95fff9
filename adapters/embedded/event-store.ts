import {
  OutcomeUnknown,
  StoreUnavailable,
  WrongRevision,
  type EventStore,
} from '../../commands/ports/event-store.js';
import { START, type Fact, type NewFact } from '../../domain/fact.js';
import { checkedAppend } from '../checked-append.js';
import { CommitFailed, openDatabase, type Database } from './database.js';
import { Tail } from './tail.js';

/** Positions come from the one writer and have no gaps; nor have the revisions of a journal. */
const TABLE = `CREATE TABLE IF NOT EXISTS facts (
  position INTEGER PRIMARY KEY, journal TEXT NOT NULL, revision INTEGER NOT NULL, id TEXT NOT NULL, type TEXT NOT NULL,
  at INTEGER NOT NULL, data TEXT NOT NULL, meta TEXT NOT NULL, UNIQUE (journal, revision))`;

type Row = [
  position: number,
  journal: string,
  revision: number,
  id: string,
  type: string,
  at: number,
  data: string,
  meta: string,
];
type Append = {
  readonly journal: string;
  readonly expected: number;
  readonly facts: readonly NewFact[];
  readonly data: readonly string[];
  readonly meta: readonly string[];
  readonly resolve: (end: { position: number }) => void;
  readonly reject: (error: Error) => void;
};
/**
 * What became of an append, once the transaction is through: its new rows (none: a repeat) and its last
 * position.
 */
type Written = { readonly rows: readonly Row[]; readonly position: number };

/**
 * The log of facts in one SQLite file. All appends that wait at the same time go into one transaction, and
 * each is answered when that is on the disk (`synchronous=FULL`): one flush to the disk serves many writers.
 */
export const embeddedEventStore = (file: string): EventStore => {
  const db = openDatabase(file, 'FULL');
  db.exec(TABLE);
  const sql = statements(db);
  const tail = new Tail();
  const bells = new Set<() => void>();
  let head = sql.head.rows<[number | null]>([])[0]![0] ?? START;
  let queue: Append[] = [];
  let closed = false;

  const flush = (): void => {
    const appends = queue;
    queue = [];
    let outcomes: (Written | WrongRevision)[];
    try {
      outcomes = db.transaction(() => writeAll(appends));
    } catch (error) {
      return failed(appends, error);
    }
    appends.forEach((append, i) => answer(append, outcomes[i]!));
    for (const bell of bells)
      queueMicrotask(() => {
        if (bells.has(bell)) bell();
      });
  };

  const writeAll = (appends: readonly Append[]): (Written | WrongRevision)[] => {
    let next = head + 1;
    return appends.map(append => {
      const outcome = write(sql, append, next);
      if (!(outcome instanceof WrongRevision)) next += outcome.rows.length;
      return outcome;
    });
  };

  const answer = ({ resolve, reject }: Append, outcome: Written | WrongRevision): void => {
    if (outcome instanceof WrongRevision) return reject(outcome);
    for (const row of outcome.rows) {
      tail.push(toFact(row), row[6].length + row[7].length);
      head = row[0];
    }
    resolve({ position: outcome.position });
  };

  return {
    append: async (journal, expected, facts) => {
      if (closed) throw new StoreUnavailable('the store is closed');
      const data = checkedAppend(journal, expected, facts);
      const meta = facts.map(fact => JSON.stringify(fact.meta));
      return new Promise((resolve, reject) => {
        // Two turns of the event loop gather what is on its way; a timer would cost a lone writer dearly.
        if (queue.push({ journal, expected, facts, data, meta, resolve, reject }) === 1)
          setImmediate(() =>
            setImmediate(() => {
              if (queue.length > 0) flush();
            }),
          );
      });
    },
    read: async (journal, after = START) => sql.read.rows<Row>([journal, after]).map(toFact),
    page: async (after, limit) =>
      after >= head ? [] : (tail.page(after, limit) ?? sql.page.rows<Row>([after, limit]).map(toFact)),
    head: async () => head,
    listen(ring) {
      const bell = (): void => ring();
      bells.add(bell);
      return () => {
        bells.delete(bell);
      };
    },
    async close() {
      if (closed) return;
      closed = true;
      if (queue.length > 0) flush();
      bells.clear();
      db.close();
    },
  };
};

const statements = (db: Database) => ({
  head: db.prepare('SELECT max(position) FROM facts'),
  insert: db.prepare('INSERT OR IGNORE INTO facts VALUES (?, ?, ?, ?, ?, ?, ?, ?)'),
  exists: db.prepare('SELECT 1 FROM facts WHERE journal = ? AND revision = ?'),
  last: db.prepare('SELECT max(revision) FROM facts WHERE journal = ?'),
  ids: db.prepare(
    'SELECT id, position FROM facts WHERE journal = ? AND revision > ? ORDER BY revision LIMIT ?',
  ),
  read: db.prepare('SELECT * FROM facts WHERE journal = ? AND revision > ? ORDER BY revision'),
  page: db.prepare('SELECT * FROM facts WHERE position > ? ORDER BY position LIMIT ?'),
});

/**
 * Writes one append within the transaction under way. A journal has no gaps: when its first new revision is
 * free and the one before is there, all further ones are free too, so that an append that conflicts has
 * written nothing.
 */
const write = (sql: ReturnType<typeof statements>, append: Append, next: number): Written | WrongRevision => {
  const { journal, expected, facts, data, meta } = append;
  if (expected > START && sql.exists.rows([journal, expected]).length === 0) return conflict(sql, append);
  const rows = facts.map(
    ({ id, type, at }, i): Row => [next + i, journal, expected + 1 + i, id, type, at, data[i]!, meta[i]!],
  );
  for (const [i, row] of rows.entries()) {
    if (sql.insert.run(row) === 1) continue;
    if (i > 0) throw new Error(`${journal} has a gap before revision ${row[2]}`);
    return conflict(sql, append);
  }
  return { rows, position: rows.at(-1)![0] };
};

/**
 * The same ids at the same revisions: the append was written before. Anything else: the journal stands
 * elsewhere.
 */
const conflict = (
  sql: ReturnType<typeof statements>,
  { journal, expected, facts }: Append,
): Written | WrongRevision => {
  const there = sql.ids.rows<[string, number]>([journal, expected, facts.length]);
  const same = there.length === facts.length && there.every(([id], i) => id === facts[i]!.id);
  if (same) return { rows: [], position: there.at(-1)![1] };
  return new WrongRevision(journal, expected, sql.last.rows<[number | null]>([journal])[0]![0] ?? START);
};

/**
 * The same way for a fact just written and one read back years later: what came from the JSON text is what
 * everybody sees.
 */
const toFact = ([position, journal, revision, id, type, at, data, meta]: Row): Fact => ({
  id,
  type,
  at,
  data: JSON.parse(data),
  meta: JSON.parse(meta),
  journal,
  revision,
  position,
});

const failed = (appends: readonly Append[], cause: unknown): void => {
  for (const { journal, reject } of appends) {
    if (cause instanceof CommitFailed) reject(new OutcomeUnknown(journal, cause));
    else reject(new StoreUnavailable(`${journal} was not written`, { cause }));
  }
};
