import type { Fact } from '../../domain/fact.js';
import { matches } from './matching.js';
import type { Projection } from './projection.js';
import type { Commit, Doc, ReadModels, Stored } from './read-models.js';

/** One collection while a page is applied. `ids`: on which of its documents each fact of the page lands. */
export type Table = {
  readonly name: string;
  readonly stored: string;
  readonly ids: readonly (string | null)[];
  readonly docs: Map<string, Stored | null>;
  readonly changed: Set<string>;
};

/** The documents that the facts of a page land on. */
export async function loadTable(
  models: ReadModels,
  name: string,
  stored: string,
  ids: readonly (string | null)[],
): Promise<Table> {
  const wanted = new Set(ids.filter(id => id !== null));
  const docs = wanted.size > 0 ? await models.load(stored, [...wanted]) : new Map<string, Stored>();
  return { name, stored, ids, docs, changed: new Set() };
}

/** Lands one fact on its documents. Answers what became of the one that is counted; null: nothing. */
export function land(
  p: Projection,
  tables: readonly Table[],
  nth: number,
  fact: Fact,
): { was: Stored | null; is: Doc | null } | null {
  const evolve = p.on[fact.type];
  if (!evolve) return null;
  const before: Record<string, Stored | null> = {};
  for (const { name, ids, docs } of tables) {
    const id = ids[nth] ?? null;
    before[name] = id === null ? null : (docs.get(id) ?? null);
  }
  const after = evolve(before, fact as Fact<never>);
  let counted = null;
  for (const { name, ids, docs, changed } of tables) {
    const id = ids[nth] ?? null;
    const was = before[name] ?? null;
    const is = after[name];
    // Nothing to change, nothing there to remove, or the document has it already
    if (id === null || is === undefined || (is === null && was === null) || (was && was._at >= fact.position))
      continue;
    docs.set(id, is && stamped(is, fact.position));
    changed.add(id);
    if (name === p.tallies?.of) counted = { was, is };
  }
  return counted;
}

/** A copy with the position: members added behind those of another object cost V8 more than all else here. */
const stamped = (doc: Doc, position: number): Stored =>
  '_at' in doc ? { ...doc, _at: position } : { _at: position, ...doc };

/** Documents in hand that a fact sweeps away go; those in the store go with the commit. */
export function sweep(
  p: Projection,
  tables: readonly Table[],
  fact: Fact,
  sweeps: Commit['sweeps'][number][],
): void {
  const swept = p.sweeps?.[fact.type]?.(fact as Fact<never>);
  if (!swept) return;
  for (const { name, stored, docs, changed } of tables) {
    const where = swept[name];
    if (!where) continue;
    for (const [id, doc] of docs) {
      if (!doc || doc._at >= fact.position || !matches(doc, where)) continue;
      docs.set(id, null);
      changed.delete(id);
    }
    sweeps.push({ collection: stored, where, before: fact.position });
  }
}

/** What is to be written of a collection. */
export function changesOf({ stored, docs, changed }: Table): Commit['changes'][number] {
  const put: Stored[] = [];
  const remove: string[] = [];
  for (const id of changed) {
    const doc = docs.get(id);
    if (doc) put.push(doc);
    else remove.push(id);
  }
  return { collection: stored, put, remove };
}
