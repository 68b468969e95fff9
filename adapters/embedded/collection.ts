import type { CollectionSpec, Doc, Query, Stored } from '../../projections/engine/read-models.js';
import { rewriteTable, type Database, type Statement, type Value } from './database.js';
import { column, quoted } from './query.js';
import { Recent } from './recent.js';

/**
 * One collection: its table, what has changed but is not written yet (null: to be removed), and what was
 * written or read last, which is likely to be wanted again.
 */
export type Collection = {
  readonly unwritten: Map<string, Stored | null>;
  readonly recent: Recent;
  /** How long the JSON of what was put is, by id, from its writing until that is through. */
  readonly letters: Map<string, number>;
  readonly put: Statement;
  readonly remove: Statement;
  readonly load: Statement;
};

const COLUMNS = '(_id TEXT PRIMARY KEY, _at INTEGER NOT NULL, doc TEXT NOT NULL) WITHOUT ROWID';

/** Rows lie in the order of their ids; an index ends with the id by itself. */
export const createCollection = (db: Database, { name, indexes }: CollectionSpec): void => {
  const table = quoted(name);
  db.exec(`CREATE TABLE IF NOT EXISTS ${table} ${COLUMNS}`);
  for (const fields of indexes) {
    const columns = fields.map(column).join(', ');
    db.exec(`CREATE INDEX IF NOT EXISTS "${name}:${fields.join(',')}" ON ${table} (${columns})`);
  }
};

/** Rids a collection of copies of what was deleted. Within a transaction. */
export const rewriteCollection = (db: Database, spec: CollectionSpec): void => {
  rewriteTable(db, spec.name, COLUMNS);
  createCollection(db, spec);
};

export const openCollection = (db: Database, name: string): Collection => ({
  unwritten: new Map(),
  recent: new Recent(),
  letters: new Map(),
  put: db.prepare(`INSERT OR REPLACE INTO ${quoted(name)} VALUES (?, ?, ?)`),
  remove: db.prepare(`DELETE FROM ${quoted(name)} WHERE _id IN (SELECT value FROM json_each(?))`),
  load: db.prepare(`SELECT doc FROM ${quoted(name)} WHERE _id IN (SELECT value FROM json_each(?))`),
});

/** Refuses ids that SQLite would not keep as they are. */
export const checkId = ({ _id }: Doc): void => {
  if (_id.includes('\0') || !_id.isWellFormed()) throw new RangeError(`not an id: ${JSON.stringify(_id)}`);
};

/** What was unwritten is on the disk. */
export const written = ({ unwritten, recent, letters }: Collection): void => {
  for (const [id, doc] of unwritten) recent.put(id, doc, letters.get(id) ?? 0);
  unwritten.clear();
  letters.clear();
};

/** Writes what has changed, within a transaction; `written` follows when that is through. */
export const writeCollection = ({ unwritten, letters, put, remove }: Collection): void => {
  const gone: string[] = [];
  for (const [id, doc] of unwritten) {
    if (doc === null) {
      gone.push(id);
      continue;
    }
    const text = JSON.stringify(doc);
    letters.set(id, text.length);
    put.run([id, doc._at, text]);
  }
  if (gone.length > 0) remove.run([JSON.stringify(gone)]);
};

/** Those that were written or read of late are not read from their JSON again. */
export const loadDocuments = <D extends Doc>(
  { unwritten, recent, load }: Collection,
  ids: readonly string[],
): Map<string, Stored<D>> => {
  const found = new Map<string, Stored<D>>();
  const elsewhere: string[] = [];
  for (const id of ids) {
    const changed = unwritten.get(id);
    const doc = changed === undefined ? recent.get(id) : changed;
    if (doc) found.set(id, doc as Stored<D>);
    else if (doc === undefined) elsewhere.push(id);
  }
  if (elsewhere.length > 0)
    for (const [text] of load.rows<[string]>([JSON.stringify(elsewhere)])) {
      const doc = JSON.parse(text) as Stored<D>;
      found.set(doc._id, doc);
      recent.put(doc._id, doc, text.length);
    }
  return found;
};

/**
 * Whether a query asks for whole documents by their ids alone, as leaves of trees are asked for: which they
 * are costs little to find out, and large ones much to read again.
 */
export const isByIds = ({ where, fields }: Query): boolean =>
  !fields && '_id' in where && Object.keys(where).length === 1;

/** A row of `selecting` as a document. */
export const documentOf = <D extends Doc>(row: readonly Value[], fields: Query['fields']): Stored<D> => {
  if (!fields) return JSON.parse(row[0] as string) as Stored<D>;
  const doc: Record<string, unknown> = { _id: row[0] };
  for (const [i, field] of fields.entries()) {
    const held = row[i + 1];
    if (field !== '_id' && held !== null) doc[field] = typeof held === 'string' ? JSON.parse(held) : held;
  }
  return doc as Stored<D>;
};
