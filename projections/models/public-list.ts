import { fairTurn } from '../../fair-turns.js';
import type { Reader } from '../engine/reader.js';
import type { Stored, Where } from '../engine/read-models.js';
import type { BlueprintDoc } from './documents.js';

/** What is filtered and sorted by. `owner`: uid, or the family of a foundation model. */
export type Listed = {
  readonly uid: string;
  readonly name: string;
  readonly framework: string;
  readonly training_environment: string;
  readonly owner: string;
  readonly categories: readonly string[];
  readonly tags: readonly string[];
  readonly created_at: number;
  readonly rating: number;
  readonly in_use_by: number;
};
export const SORTED_BY = ['name', 'created_at', 'rating', 'in_use_by'] as const;
export type PublicOrder = {
  readonly by: (typeof SORTED_BY)[number];
  readonly descending: boolean;
};
/** Absent: whatever it is. Of several categories or tags one is enough; `search`: part of the name. */
export type PublicFilter = {
  readonly framework?: string;
  readonly training_environment?: string;
  readonly owner?: string;
  readonly categories?: readonly string[];
  readonly tags?: readonly string[];
  readonly search?: string;
};
/** A foundation model of type M, and by what it is filtered and sorted. */
export type ListedModel<M> = { readonly entry: Listed; readonly model: M };
export type PublicRow<M> = { readonly model: M } | { readonly blueprint: BlueprintDoc };

type Light = Pick<BlueprintDoc, '_id' | 'name' | 'categories' | 'tags' | PublicOrder['by']>;
type Window = { readonly total: number; readonly docs: readonly Light[] };

/**
 * A page of the public blueprints that people made and of the foundation models, which are few, in one order.
 * Who searches waits for the turns of their workspace.
 */
export async function publicPage<M>(
  read: Reader,
  workspace: string,
  models: readonly ListedModel<M>[],
  filter: PublicFilter,
  order: PublicOrder,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<{ readonly total: number; readonly rows: readonly PublicRow<M>[] }> {
  const fitting = models.filter(({ entry }) => fits(entry, filter));
  // Whatever stands before these blueprints, models included, stands before the page
  const from = Math.max(0, offset - fitting.length);
  const { total, docs } = await windowOf(read, workspace, filter, order, from, offset + limit);
  const sign = order.descending ? -1 : 1;
  const merged = [
    ...docs.map(doc => ({ uid: doc._id, key: doc[order.by], model: null })),
    ...fitting.map(({ entry, model }) => ({ uid: entry.uid, key: entry[order.by], model })),
  ].sort((a, b) => sign * (compared(a.key, b.key) || compared(a.uid, b.uid)));
  const page = merged.slice(offset - from, offset - from + limit);
  const blueprints = await read.load<BlueprintDoc>(
    'blueprints',
    page.filter(({ model }) => model === null).map(({ uid }) => uid),
  );
  const rows = page.flatMap(({ uid, model }): PublicRow<M>[] => {
    if (model !== null) return [{ model }];
    const blueprint = blueprints.get(uid);
    return blueprint ? [{ blueprint }] : [];
  });
  return { total: total + fitting.length, rows };
}

/** Blueprints in their order, from one place to another, and how many there are in all. */
async function windowOf(
  read: Reader,
  workspace: string,
  filter: PublicFilter,
  order: PublicOrder,
  from: number,
  to: number,
): Promise<Window> {
  const where: Where = {
    visibility: 'public',
    ...(filter.framework !== undefined && { framework: filter.framework }),
    ...(filter.training_environment !== undefined && { training_environment: filter.training_environment }),
    ...(filter.owner !== undefined && { owner: filter.owner }),
  };
  const sort = { by: [order.by, '_id'], descending: order.descending };
  const fields = ['name', 'categories', 'tags', order.by];
  const { search, categories, tags } = filter;
  if (search === undefined && categories === undefined && tags === undefined) {
    const [total, docs] = await Promise.all([
      read.count('blueprints', where),
      read.find<Light>('blueprints', { where, sort, fields, offset: from, limit: to - from }),
    ]);
    return { total, docs };
  }
  // The stores have no such conditions: each public blueprint is looked at, a page of them at a time
  const docs: Stored<Light>[] = [];
  let total = 0;
  for await (const page of read.pages<Light>('blueprints', { where, sort, fields })) {
    for (const doc of page.filter(each => isMeant(each, filter))) {
      if (total >= from && total < to) docs.push(doc);
      total++;
    }
    await fairTurn(workspace);
  }
  return { total, docs };
}

const fits = (entry: Listed, filter: PublicFilter): boolean =>
  (filter.framework ?? entry.framework) === entry.framework
  && (filter.training_environment ?? entry.training_environment) === entry.training_environment
  && (filter.owner ?? entry.owner) === entry.owner
  && isMeant(entry, filter);

const isMeant = (
  { name, categories, tags }: Pick<Listed, 'name' | 'categories' | 'tags'>,
  filter: PublicFilter,
): boolean =>
  name.toLowerCase().includes((filter.search ?? '').toLowerCase())
  && (filter.categories?.some(each => categories.includes(each)) ?? true)
  && (filter.tags?.some(each => tags.includes(each)) ?? true);

/** Text by code point, as the stores order it. */
function compared(a: string | number, b: string | number): number {
  if (typeof a === 'number' || typeof b === 'number') return Number(a) - Number(b);
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
