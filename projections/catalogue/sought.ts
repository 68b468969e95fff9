import { fairTurn } from '../../fair-turns.js';
import type { Stored } from '../engine/read-models.js';
import type { Wanted } from '../signals/directory.js';
import type { SignalDoc } from '../signals/documents.js';
import { signalId } from '../signals/ids.js';
import type { Order, SignalLists } from '../signals/lists.js';
import { inParts } from './courses.js';
import { byCodePoint, byOrder, firstOf } from './entries.js';

type Doc = Stored<SignalDoc>;
/** Where a part of a list begins, and how many entries it has. */
type Part = { readonly from: number; readonly count: number };

/** Documents that are loaded in one go. */
const AT_ONCE = 500;

/**
 * A part of the signals of a workspace that fit, in order, and how many there are. The directory knows which
 * fit; of their documents no more are read than the shorter of two ways to the part needs: to load all that
 * fit, or to go along the order and pass over what does not.
 */
export async function sought(
  lists: SignalLists,
  workspace: string,
  wanted: Wanted,
  order: Order,
  part: Part,
): Promise<{ readonly docs: Doc[]; readonly total: number }> {
  const keys = await lists.matching(workspace, wanted);
  const total = keys.length;
  if (total === 0 || part.count <= 0) return { docs: [], total };
  if (order.by === 'key') return { docs: await byKey(lists, workspace, keys, order, part), total };
  const some = { workspace, group: wanted.group };
  const all = await lists.count(some);
  const passed = ((part.from + part.count) * all) / total;
  const docs =
    passed < total
      ? await along(lists.ordered(some, order), new Set(keys), part)
      : await sorted(lists, workspace, keys, order, part);
  return { docs, total };
}

async function byKey(
  lists: SignalLists,
  workspace: string,
  keys: readonly string[],
  { descending }: Order,
  { from, count }: Part,
): Promise<Doc[]> {
  const inOrder = keys.toSorted((a, b) => (descending ? byCodePoint(b, a) : byCodePoint(a, b)));
  const asked = inOrder.slice(from, from + count);
  const docs = await lists.at(asked.map(key => ({ workspace, key })));
  return asked.flatMap(key => docs.get(signalId(workspace, key)) ?? []);
}

async function along(pages: AsyncIterable<Doc[]>, keys: ReadonlySet<string>, part: Part): Promise<Doc[]> {
  const found: Doc[] = [];
  for await (const page of pages) {
    found.push(...page.filter(({ key }) => keys.has(key)));
    if (found.length >= part.from + part.count) break;
  }
  return found.slice(part.from, part.from + part.count);
}

async function sorted(
  lists: SignalLists,
  workspace: string,
  keys: readonly string[],
  order: Order,
  { from, count }: Part,
): Promise<Doc[]> {
  const best = firstOf<Doc>(from + count, byOrder(order));
  for (const some of inParts(keys, AT_ONCE)) {
    await fairTurn(workspace);
    const docs = await lists.at(some.map(key => ({ workspace, key })));
    for (const doc of docs.values()) best.add(doc);
  }
  return best.all().slice(from);
}
