import { START } from '../../domain/fact.js';
import type {
  CollectionSpec,
  Commit,
  Doc,
  Query,
  ReadModels,
  Stored,
} from '../../projections/engine/read-models.js';
import { fences } from '../fences.js';
import {
  checkId,
  createCollection,
  documentOf,
  isByIds,
  loadDocuments,
  openCollection,
  rewriteCollection,
  writeCollection,
  written,
  type Collection,
} from './collection.js';
import { openDatabase, type Database, type Scrubbed, type Statement, type Value } from './database.js';
import { counting, quoted, selecting, sweeping, type Sql } from './query.js';

/** What was committed is written after this time at the latest, or when this much has come together. */
export type Delay = { readonly milliseconds: number; readonly documents: number; readonly letters: number };
const SAMPLE = 16;
/** More documents at once would hold up requests for tens of milliseconds. */
const DELAY: Delay = { milliseconds: 50, documents: 1_024, letters: 32 * 1024 * 1024 };

/**
 * Read models in one SQLite file: a table for each collection, an index on the JSON for each declared list of
 * fields.
 *
 * What is committed stays in memory for a moment and is then written together with the checkpoints in one
 * transaction, so that a document which changes a hundred times meanwhile is written once. Readers notice
 * nothing: `load` looks there first, every other read has it written before. After a kill the checkpoints
 * stand where the documents stand, and the facts behind them are taken again.
 */
export const embeddedReadModels = (file: string, delay: Delay = DELAY): ReadModels & Scrubbed => {
  const db = openDatabase(file, 'NORMAL');
  db.exec('PRAGMA secure_delete = ON');
  db.exec(`CREATE TABLE IF NOT EXISTS _checkpoints (
    projection TEXT PRIMARY KEY, position INTEGER NOT NULL) WITHOUT ROWID`);
  const sql = statements(db);
  const prepared = preparing(db);
  const checkpoints = new Map(sql.checkpoints.rows<[string, number]>([]));
  const collections = new Map(
    sql.collections.rows<[string]>([]).map(([name]) => [name, openCollection(db, name)]),
  );
  const fenced = fences();
  const personal = new Map<string, CollectionSpec>();
  let moved = new Set<string>();
  let sweeps: Sql[] = [];
  let documents = 0;
  let letters = 0;
  let timer: NodeJS.Timeout | null = null;
  let late = false;
  let closed = false;

  const collection = (name: string): Collection => {
    const found = collections.get(name);
    if (!found) throw new Error(`no collection ${name}`);
    return found;
  };

  /** All or nothing: when it throws, everything is still waiting in memory. */
  const write = (): void => {
    if (timer) clearTimeout(timer);
    timer = null;
    db.transaction(() => {
      for (const each of collections.values()) writeCollection(each);
      for (const { text, values } of sweeps) prepared(text).run(values);
      for (const projection of moved) sql.move.run([projection, checkpoints.get(projection)!]);
    });
    for (const each of collections.values()) written(each);
    if (sweeps.length > 0) forgetRecent();
    moved = new Set();
    sweeps = [];
    documents = letters = 0;
    late = false;
  };

  const forgetRecent = (): void => {
    for (const { recent } of collections.values()) recent.clear();
  };

  /** No copy of what was deleted or overwritten in personal collections stays in the files. */
  const scrub = (): void => {
    write();
    forgetRecent();
    db.transaction(() => {
      for (const spec of personal.values()) rewriteCollection(db, spec);
    });
    db.checkpoint();
  };

  /** A disk that fails here is met again, and told of, by the next commit. */
  const writeSoon = (): void => {
    timer ??= setTimeout(() => {
      try {
        write();
      } catch {
        late = true;
      }
    }, delay.milliseconds);
  };

  const rows = <Row extends readonly Value[]>(name: string, { text, values }: Sql): Row[] => {
    if (collection(name).unwritten.size > 0) write();
    return prepared(text).rows<Row>(values);
  };

  const sweepOf = ({ collection: name, where, before }: Commit['sweeps'][number]): Sql => {
    collection(name);
    return sweeping(name, where, before);
  };

  /** What waits is weighed by a sample: to make the JSON of each would cost more than it is worth. */
  const take = ({ unwritten }: Collection, id: string, doc: Stored | null): void => {
    if (!unwritten.has(id) && documents++ % SAMPLE === 0) letters += SAMPLE * JSON.stringify(doc).length;
    unwritten.set(id, doc);
  };

  return {
    async prepare(specs) {
      db.transaction(() => {
        for (const spec of specs) createCollection(db, spec);
      });
      for (const spec of specs) {
        if (!collections.has(spec.name)) collections.set(spec.name, openCollection(db, spec.name));
        if (spec.personal) personal.set(spec.name, spec);
      }
    },
    async checkpoint(projection, fence) {
      fenced(projection, fence);
      return checkpoints.get(projection) ?? START;
    },
    load: async <D extends Doc>(name: string, ids: readonly string[]) =>
      loadDocuments<D>(collection(name), ids),
    async commit(page) {
      if (closed) throw new Error('the read models are closed');
      fenced(page.projection, page.fence);
      if (late || documents >= delay.documents || letters >= delay.letters) write();
      const taken = page.changes.map(change => ({ ...change, to: collection(change.collection) }));
      for (const { put } of taken) put.forEach(checkId);
      sweeps.push(...page.sweeps.map(sweepOf));
      for (const { to, put, remove } of taken) {
        for (const doc of put) take(to, doc._id, doc);
        for (const id of remove) take(to, id, null);
      }
      checkpoints.set(page.projection, page.checkpoint);
      moved.add(page.projection);
      if (sweeps.length > 0) write();
      else writeSoon();
    },
    async find<D extends Doc>(name: string, query: Query) {
      if (!isByIds(query))
        return rows(name, selecting(name, query)).map(row => documentOf<D>(row, query.fields));
      const ids = rows<[string]>(name, selecting(name, { ...query, fields: [] })).map(([id]) => id);
      const found = loadDocuments<D>(collection(name), ids);
      return ids.map(id => found.get(id)!);
    },
    count: async (name, where) => rows<[number]>(name, counting(name, where))[0]![0],
    collections: async () => [...collections.keys()],
    async drop(names, projection) {
      write();
      const wasPersonal = names.filter(name => personal.delete(name)).length > 0;
      // To overwrite every page of what nobody may not read would take as long as to write it
      if (!wasPersonal) db.exec('PRAGMA secure_delete = OFF');
      try {
        db.transaction(() => {
          for (const name of names) db.exec(`DROP TABLE IF EXISTS ${quoted(name)}`);
          if (projection !== null) sql.forget.run([projection]);
        });
      } finally {
        db.exec('PRAGMA secure_delete = ON');
      }
      for (const name of names) collections.delete(name);
      if (projection !== null) checkpoints.delete(projection);
      if (wasPersonal) scrub();
    },
    async scrub() {
      scrub();
    },
    async close() {
      if (closed) return;
      closed = true;
      try {
        write();
      } finally {
        db.close();
      }
    },
  };
};

const statements = (db: Database) => ({
  checkpoints: db.prepare('SELECT projection, position FROM _checkpoints'),
  move: db.prepare('INSERT OR REPLACE INTO _checkpoints VALUES (?, ?)'),
  forget: db.prepare('DELETE FROM _checkpoints WHERE projection = ?'),
  collections: db.prepare(`SELECT name FROM sqlite_master
    WHERE type = 'table' AND name GLOB '[A-Za-z]*' AND name NOT GLOB 'sqlite_*'`),
});

/** Queries differ in their values far more often than in their text; the few texts are prepared once. */
const preparing = (db: Database): ((text: string) => Statement) => {
  const known = new Map<string, Statement>();
  return text => {
    if (known.size > 500) known.clear();
    const statement = known.get(text) ?? db.prepare(text);
    known.set(text, statement);
    return statement;
  };
};
