import type { Fact, Message } from '../domain/fact.js';
import type { CollectionSpec, Commit, Doc, ReadModels, Stored, Where } from './read-models.js';

/** Document types of a projection, by the short name of their collection. */
export type Docs = Readonly<Record<string, Doc>>;
export type Before<D extends Docs> = { readonly [N in keyof D]: D[N] | null };
/** What becomes of the documents a fact lands on: absent stays, null goes. */
export type After<D extends Docs> = { readonly [N in keyof D]?: D[N] | null };
/** Documents that go with the fact although it does not land on each: all of a collection that match. */
export type Sweeps<D extends Docs> = { readonly [N in keyof D]?: Readonly<Record<string, string | number | null>> };

type Collection<E extends Message> = {
  readonly indexes: readonly (readonly string[])[];
  /** The document of this collection on which a fact lands; null: on none. */
  readonly idOf: (fact: Fact<E>) => string | null;
};

/**
 * Read models as data, pure: on which documents a fact lands, and what they become. A projection owns its collections alone
 * and moves them together.
 *
 * Collections are listed, and written, in this order: what is derived from others first, what others derive from last. Then a
 * crash in the middle of a write leaves nothing that a repeat of the same facts cannot mend, also on stores without transactions.
 */
export type Projection<D extends Docs = Docs, E extends Message = Message> = {
  readonly name: string;
  /** Part of the collections' names: raise it with any change of what the documents hold, and they are built anew. */
  readonly version: number;
  readonly collections: { readonly [N in keyof D]: Collection<E> };
  readonly on: {
    readonly [T in E['type']]?: (before: Before<D>, fact: Fact<Extract<E, { type: T }>>) => After<D>;
  };
  readonly sweeps?: { readonly [T in E['type']]?: (fact: Fact<Extract<E, { type: T }>>) => Sweeps<D> };
};

/** Erases the types of one projection so that many can stand in a list. */
export const projection = <D extends Docs, E extends Message>(typed: Projection<D, E>): Projection => typed as unknown as Projection;

/** Name of a collection as stored; a rebuild fills one of the next generation beside the one that serves. */
export const collectionName = (p: Projection, collection: string, generation: number): string =>
  `${collection}_v${p.version}${generation === 0 ? '' : `_r${generation}`}`;

/** What a store must prepare for one generation of a projection. */
export const collectionsOf = (p: Projection, generation: number): CollectionSpec[] =>
  Object.entries(p.collections).map(([name, { indexes }]) => ({ name: collectionName(p, name, generation), indexes }));

export const checkpointName = (p: Projection, generation: number): string => collectionName(p, p.name, generation);

/**
 * Applies a page of facts (in order, all above the checkpoint or already applied) and moves the checkpoint to its end.
 * Each document skips the facts that it holds already (`_at`), so that the same facts twice make the same documents.
 */
export async function applyPage(
  p: Projection, models: ReadModels, generation: number, page: readonly Fact[], fence?: number,
): Promise<void> {
  const mine = page.filter(fact => p.on[fact.type] !== undefined || p.sweeps?.[fact.type] !== undefined);
  const tables = await loadTables(p, models, generation, mine);
  const sweeps = mine.flatMap(fact => { land(p, tables, fact); return sweep(p, tables, generation, fact); });
  await models.commit({
    projection: checkpointName(p, generation), checkpoint: page.at(-1)!.position, sweeps,
    changes: [...tables.values()].filter(({ changed }) => changed.size > 0).map(changesOf),
    ...(fence !== undefined && { fence }),
  });
}

type Table = { readonly stored: string; readonly docs: Map<string, Stored | null>; readonly changed: Set<string> };

async function loadTables(p: Projection, models: ReadModels, generation: number, facts: readonly Fact[]): Promise<Map<string, Table>> {
  const loading = Object.entries(p.collections).map(async ([name, { idOf }]): Promise<[string, Table]> => {
    const ids = new Set(facts.map(idOf).filter(id => id !== null));
    const stored = collectionName(p, name, generation);
    const docs = ids.size > 0 ? await models.load(stored, [...ids]) : new Map<string, Stored>();
    return [name, { stored, docs, changed: new Set() }];
  });
  return new Map(await Promise.all(loading));
}

function land(p: Projection, tables: Map<string, Table>, fact: Fact): void {
  const evolve = p.on[fact.type];
  if (!evolve) return;
  const before: Record<string, Stored | null> = {};
  const ids: Record<string, string> = {};
  for (const [name, { idOf }] of Object.entries(p.collections)) {
    const id = idOf(fact);
    before[name] = id === null ? null : tables.get(name)!.docs.get(id) ?? null;
    if (id !== null) ids[name] = id;
  }
  for (const [name, after] of Object.entries(evolve(before, fact as Fact<never>))) {
    const id = ids[name], was = before[name];
    if (id === undefined || after === undefined || (was && was._at >= fact.position)) continue;
    const { docs, changed } = tables.get(name)!;
    docs.set(id, after && { ...after, _at: fact.position });
    changed.add(id);
  }
}

function sweep(p: Projection, tables: Map<string, Table>, generation: number, fact: Fact): Commit['sweeps'][number][] {
  const swept = Object.entries(p.sweeps?.[fact.type]?.(fact as Fact<never>) ?? {});
  return swept.map(([name, where]) => {
    const { docs, changed } = tables.get(name)!;
    for (const [id, doc] of docs) {
      if (!doc || doc._at >= fact.position || !matches(doc, where!)) continue;
      docs.set(id, null);
      changed.delete(id);
    }
    return { collection: collectionName(p, name, generation), where: where as Where, before: fact.position };
  });
}

const matches = (doc: Stored, where: Readonly<Record<string, unknown>>): boolean =>
  Object.entries(where).every(([field, value]) => (doc as unknown as Record<string, unknown>)[field] === value);

function changesOf({ stored, docs, changed }: Table): Commit['changes'][number] {
  const put: Stored[] = [], remove: string[] = [];
  for (const id of changed) {
    const doc = docs.get(id);
    if (doc) put.push(doc); else remove.push(id);
  }
  return { collection: stored, put, remove };
}
