import { WrongRevision } from '../../commands/ports/event-store.js';
import { START, type Fact, type NewFact } from '../../domain/fact.js';
import { isAsJson } from './as-json.js';
import { DamagedFile } from './check.js';
import type { Database } from './database.js';
import { sumsOf } from './sums.js';

/** Positions come from the one writer and have no gaps; nor have the revisions of a journal. */
const TABLE = `CREATE TABLE IF NOT EXISTS facts (
  position INTEGER PRIMARY KEY, journal TEXT NOT NULL, revision INTEGER NOT NULL,
  id TEXT NOT NULL, type TEXT NOT NULL, at INTEGER NOT NULL, data TEXT NOT NULL, meta TEXT NOT NULL,
  UNIQUE (journal, revision))`;

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
/** What is to be written to a journal whose last revision is `expected`; data and meta as JSON too. */
export type NewFacts = {
  readonly journal: string;
  readonly expected: number;
  readonly facts: readonly NewFact[];
  readonly data: readonly string[];
  readonly meta: readonly string[];
};
/** What was written: the facts (none: a repeat) and the last position. */
export type Written = { readonly facts: readonly Fact[]; readonly position: number };

/** The table of facts of a database, made where it is missing; `file`: for messages. */
export const factsOf = (db: Database, file: string) => {
  db.exec(TABLE);
  const sums = sumsOf(db);
  const sql = {
    head: db.prepare('SELECT max(position) FROM facts'),
    insert: db.prepare('INSERT OR IGNORE INTO facts VALUES (?, ?, ?, ?, ?, ?, ?, ?)'),
    exists: db.prepare('SELECT 1 FROM facts WHERE journal = ? AND revision = ?'),
    last: db.prepare('SELECT max(revision) FROM facts WHERE journal = ?'),
    ids: db.prepare(
      'SELECT id, position FROM facts WHERE journal = ? AND revision > ? ORDER BY revision LIMIT ?',
    ),
    read: db.prepare('SELECT * FROM facts WHERE journal = ? AND revision > ? ORDER BY revision LIMIT ?'),
    page: db.prepare('SELECT * FROM facts WHERE position > ? ORDER BY position LIMIT ?'),
  };
  const toFact = (row: Row): Fact => {
    try {
      return factOf(row, JSON.parse(row[6]), JSON.parse(row[7]));
    } catch {
      throw new DamagedFile({ file, fault: `the fact at position ${row[0]} is no JSON` });
    }
  };
  /**
   * What came from the JSON text is what everybody sees, of a fact just written and of one read back years
   * later. Where the text would give the same again it need not be read.
   */
  const asWritten = (row: Row, { data, meta }: NewFact): Fact =>
    isAsJson(data) && isAsJson(meta) ? factOf(row, data, meta) : toFact(row);

  /**
   * The same ids at the same revisions: the append was written before. Anything else: the journal stands
   * elsewhere.
   */
  const conflict = ({ journal, expected, facts }: NewFacts): Written | WrongRevision => {
    const there = sql.ids.rows<[string, number]>([journal, expected, facts.length]);
    const same = there.length === facts.length && there.every(([id], i) => id === facts[i]!.id);
    if (same) return { facts: [], position: there.at(-1)![1] };
    return new WrongRevision(journal, expected, sql.last.rows<[number | null]>([journal])[0]![0] ?? START);
  };

  return {
    sums,
    head: (): number => sql.head.rows<[number | null]>([])[0]![0] ?? START,
    read: (journal: string, after: number, limit: number): Fact[] =>
      sql.read.rows<Row>([journal, after, limit]).map(toFact),
    page: (after: number, limit: number): Fact[] => sql.page.rows<Row>([after, limit]).map(toFact),
    /**
     * Writes one append from a position on, within a transaction. A journal has no gaps: when its first new
     * revision is free and the one before is there, all further ones are free too, so that an append that
     * conflicts has written nothing.
     */
    write(append: NewFacts, next: number): Written | WrongRevision {
      const { journal, expected, facts, data, meta } = append;
      if (expected > START && sql.exists.rows([journal, expected]).length === 0) return conflict(append);
      const rows = facts.map(
        ({ id, type, at }, i): Row => [next + i, journal, expected + 1 + i, id, type, at, data[i]!, meta[i]!],
      );
      for (const [i, row] of rows.entries()) {
        if (sql.insert.run(row) === 1) {
          sums.add(row);
          continue;
        }
        if (i > 0) throw new Error(`${journal} has a gap before revision ${row[2]}`);
        return conflict(append);
      }
      return { facts: rows.map((row, i) => asWritten(row, facts[i]!)), position: rows.at(-1)![0] };
    },
  };
};

const factOf = (
  [position, journal, revision, id, type, at]: Row,
  data: Fact['data'],
  meta: Fact['meta'],
): Fact => ({ id, type, at, data, meta, journal, revision, position });
