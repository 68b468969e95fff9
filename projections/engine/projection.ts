import type { Fact, Message } from '../../domain/fact.js';
import type { Leaf } from './leaves.js';
import type { CollectionSpec, Commit, Doc, ReadModels, Stored, Where } from './read-models.js';
import { TallyPage, type Tallies } from './tallies.js';
import { TreePage, withoutRebirths, type Trees } from './trees.js';

/** Document types of a projection, by the short name of their collection. */
export type Docs = Readonly<Record<string, Doc>>;
export type Before<D extends Docs> = { readonly [N in keyof D]: D[N] | null };
/** What becomes of the documents a fact lands on: absent stays, null goes. */
export type After<D extends Docs> = { readonly [N in keyof D]?: D[N] | null };
/** Documents that go with the fact although it does not land on each: all of a collection that match. */
export type Sweeps<D extends Docs> = {
  readonly [N in keyof D]?: Readonly<Record<string, string | number | null>>;
};

type Collection<E extends Message> = {
  readonly indexes: readonly (readonly string[])[];
  /** Holds personal data in the clear. */
  readonly personal?: true;
  /** The document of this collection on which a fact lands; null: on none. */
  readonly idOf: (fact: Fact<E>) => string | null;
};

/**
 * Read models as data, pure: on which documents a fact lands, and what they become. A projection owns its
 * collections alone and moves them together.
 *
 * Collections are listed, and written, in this order: what is derived from others first, what others derive
 * from last. Then a crash in the middle of a write leaves nothing that a repeat of the same facts cannot
 * mend, also on stores without transactions.
 */
export type Projection<D extends Docs = Docs, E extends Message = Message> = {
  readonly name: string;
  /**
   * Part of the collections' names: raise it with any change of what the documents hold, and they are built
   * anew.
   */
  readonly version: number;
  readonly collections: { readonly [N in keyof D]: Collection<E> };
  readonly on: {
    readonly [T in E['type']]?: (before: Before<D>, fact: Fact<Extract<E, { type: T }>>) => After<D>;
  };
  readonly sweeps?: { readonly [T in E['type']]?: (fact: Fact<Extract<E, { type: T }>>) => Sweeps<D> };
  /** One of the collections whose documents are leaves of trees, written before all others. */
  readonly trees?: Trees<Leaf, E>;
  /** One of the collections that counts the documents of another one. */
  readonly tallies?: Tallies;
};

/** Erases the types of one projection so that many can stand in a list. */
export const projection = <D extends Docs, E extends Message>(typed: Projection<D, E>): Projection =>
  typed as unknown as Projection;

/** Name of a collection as stored; a rebuild fills one of the next generation beside the one that serves. */
export const collectionName = (p: Projection, collection: string, generation: number): string =>
  `${collection}_v${p.version}${generation === 0 ? '' : `_r${generation}`}`;

/** What a store must prepare for one generation of a projection. */
export const collectionsOf = (p: Projection, generation: number): CollectionSpec[] =>
  Object.entries(p.collections).map(([name, { indexes, personal }]) => ({
    name: collectionName(p, name, generation),
    indexes,
    ...(personal && { personal }),
  }));

export const checkpointName = (p: Projection, generation: number): string =>
  collectionName(p, p.name, generation);

/**
 * Applies a page of facts (in order, all above the checkpoint or already applied) and moves the checkpoint to
 * its end. Each document skips the facts that it holds already (`_at`), so that the same facts twice make the
 * same documents.
 */
export async function applyPage(
  p: Projection,
  models: ReadModels,
  generation: number,
  page: readonly Fact[],
  fence?: number,
): Promise<void> {
  for (let rest = page; rest.length > 0; ) rest = await applyPart(p, models, generation, rest, fence);
}

/** Applies as much as can be written in one; answers what is left. */
async function applyPart(
  p: Projection,
  models: ReadModels,
  generation: number,
  page: readonly Fact[],
  fence: number | undefined,
): Promise<readonly Fact[]> {
  const part = p.trees ? withoutRebirths(p.trees, page) : page;
  const mine = part.filter(({ type }) => p.on[type] !== undefined || p.sweeps?.[type] !== undefined);
  const [tables, leaves] = await Promise.all([
    Promise.all(
      Object.entries(p.collections).map(([name, { idOf }]) =>
        loadTable(models, name, collectionName(p, name, generation), mine.map(idOf)),
      ),
    ),
    p.trees ? treePage(p, p.trees, models, generation, mine) : null,
  ]);
  const tallies = p.tallies
    ? new TallyPage(p.tallies, models, collectionName(p, p.tallies.collection, generation))
    : null;
  const sweeps: Commit['sweeps'][number][] = [];
  let done = 0;
  for (let room = true; room && done < mine.length; done++) {
    const fact = mine[done]!;
    const counted = land(p, tables, done, fact);
    if (tallies && counted) await tallies.land(fact, counted.was, counted.is);
    if (leaves) room = await leaves.land(fact);
    sweep(p, tables, fact, sweeps);
  }
  const next = mine[done];
  const applied = next ? part.indexOf(next) : part.length;
  await models.commit({
    projection: checkpointName(p, generation),
    checkpoint: part[applied - 1]!.position,
    sweeps: [...(leaves?.sweeps() ?? []), ...sweeps],
    changes: [
      ...(tallies?.changes() ?? []),
      ...(leaves?.changes() ?? []),
      ...tables.filter(({ changed }) => changed.size > 0).map(changesOf),
    ],
    fence,
  });
  return page.slice(applied);
}

async function treePage(
  p: Projection,
  trees: Trees,
  models: ReadModels,
  generation: number,
  facts: readonly Fact[],
): Promise<TreePage> {
  const stored = (collection: string): string => collectionName(p, collection, generation);
  const leaves = new TreePage(trees, models, stored(trees.collection), stored(trees.sketches.collection));
  await leaves.prepare(facts);
  return leaves;
}

/** One collection while a page is applied. `ids`: on which of its documents each fact of the page lands. */
type Table = {
  readonly name: string;
  readonly stored: string;
  readonly ids: readonly (string | null)[];
  readonly docs: Map<string, Stored | null>;
  readonly changed: Set<string>;
};

async function loadTable(
  models: ReadModels,
  name: string,
  stored: string,
  ids: readonly (string | null)[],
): Promise<Table> {
  const wanted = new Set(ids.filter(id => id !== null));
  const docs = wanted.size > 0 ? await models.load(stored, [...wanted]) : new Map<string, Stored>();
  return { name, stored, ids, docs, changed: new Set() };
}

/** Answers what became of a document that is counted; null: nothing. */
function land(
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

function sweep(
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
    sweeps.push({ collection: stored, where: where as Where, before: fact.position });
  }
}

const matches = (doc: Stored, where: Readonly<Record<string, unknown>>): boolean =>
  Object.entries(where).every(
    ([field, value]) => (doc as unknown as Record<string, unknown>)[field] === value,
  );

function changesOf({ stored, docs, changed }: Table): Commit['changes'][number] {
  const put: Stored[] = [];
  const remove: string[] = [];
  for (const id of changed) {
    const doc = docs.get(id);
    if (doc) put.push(doc);
    else remove.push(id);
  }
  return { collection: stored, put, remove };
}
