import { START } from '../domain/fact.js';
import { compare, matches, memberOf } from '../projections/engine/matching.js';
import type { Commit, Query, ReadModels, Stored } from '../projections/engine/read-models.js';
import { fences } from './fences.js';

/**
 * `tick` is called before every single write, with its name: a test that throws there kills at that point.
 */
export const memoryReadModels = (tick: (write: string) => void = () => {}): ReadModels => {
  const all = new Map<string, Map<string, string>>();
  const checkpoints = new Map<string, number>();
  const fenced = fences();
  const docs = (name: string): Map<string, string> => {
    const found = all.get(name);
    if (!found) throw new Error(`no collection ${name}`);
    return found;
  };
  const parsed = (name: string): Stored[] => [...docs(name).values()].map(text => JSON.parse(text) as Stored);
  const write = (what: string, change: () => void): void => {
    tick(what);
    change();
  };
  const sweep = ({ collection, where, before }: Commit['sweeps'][number]): void => {
    for (const doc of parsed(collection)) {
      if (doc._at < before && matches(doc, where))
        write(`sweep ${collection}`, () => docs(collection).delete(doc._id));
    }
  };
  return {
    async prepare(collections) {
      for (const { name } of collections) if (!all.has(name)) all.set(name, new Map());
    },
    async checkpoint(projection, fence) {
      fenced(projection, fence);
      return checkpoints.get(projection) ?? START;
    },
    async load(collection, ids) {
      const found = ids.filter(id => docs(collection).has(id));
      return new Map(found.map(id => [id, JSON.parse(docs(collection).get(id)!)]));
    },
    async commit({ projection, checkpoint, fence, changes, sweeps }) {
      fenced(projection, fence);
      for (const { collection, put, remove } of changes) {
        for (const doc of put)
          write(`put ${collection}`, () => docs(collection).set(doc._id, JSON.stringify(doc)));
        for (const id of remove) write(`remove ${collection}`, () => docs(collection).delete(id));
      }
      sweeps.forEach(sweep);
      write('checkpoint', () => checkpoints.set(projection, checkpoint));
    },
    find: async <D>(collection: string, query: Query) => answer(parsed(collection), query) as (Stored & D)[],
    count: async (collection, where) => parsed(collection).filter(doc => matches(doc, where)).length,
    collections: async () => [...all.keys()],
    async drop(collections, projection) {
      for (const name of collections) write(`drop ${name}`, () => all.delete(name));
      if (projection !== null) write('checkpoint', () => checkpoints.delete(projection));
    },
    close: async () => {},
  };
};

const answer = (
  docs: readonly Stored[],
  { where, sort, after, limit, offset = 0, fields }: Query,
): unknown[] => {
  const by = sort?.by ?? [];
  const sign = sort?.descending ? -1 : 1;
  const place = (doc: Stored): unknown[] => by.map(field => memberOf(doc, field));
  const order = (a: readonly unknown[], b: readonly unknown[]): number => {
    const differing = by.findIndex((_, i) => compare(a[i], b[i]) !== 0);
    return differing < 0 ? 0 : sign * compare(a[differing], b[differing]);
  };
  const found = docs
    .filter(doc => matches(doc, where) && (!after || order(place(doc), after) > 0))
    .sort((a, b) => order(place(a), place(b)))
    .slice(offset, limit === undefined ? undefined : offset + limit);
  if (!fields) return found;
  return found.map(doc =>
    Object.fromEntries(Object.entries(doc).filter(([key]) => key === '_id' || fields.includes(key))),
  );
};
