import type { StreamDoc } from '../events/documents.js';
import type { WorkspaceKey } from '../engine/keys.js';
import type { Stored } from '../engine/read-models.js';
import type { SignalDoc } from '../signals/documents.js';
import type { Order } from '../signals/lists.js';

/**
 * A signal or an event stream as a workspace sees it: under its own key or, where it is subscribed, under an
 * alias.
 */
type Of<T, D> = {
  readonly type: T;
  readonly key: string;
  readonly place: WorkspaceKey;
  readonly subscribed: boolean;
  readonly doc: D;
};
export type SignalEntry = Of<'signal', Stored<SignalDoc>>;
export type StreamEntry = Of<'event', Stored<StreamDoc>>;
export type Entry = SignalEntry | StreamEntry;

/**
 * Which entries; null: whichever. `search`: a part of the key or of the display name, upper and lower case
 * alike.
 */
export type Filter = {
  readonly type: Entry['type'] | null;
  readonly group: string | null;
  readonly origin: string | null;
  readonly search: string | null;
};

export const ownSignal = (doc: Stored<SignalDoc>): SignalEntry => ({
  type: 'signal',
  key: doc.key,
  place: { workspace: doc.workspace, key: doc.key },
  subscribed: false,
  doc,
});
export const ownStream = (doc: Stored<StreamDoc>): StreamEntry => ({
  type: 'event',
  key: doc.key,
  place: { workspace: doc.workspace, key: doc.key },
  subscribed: false,
  doc,
});

export const originOf = ({ subscribed, doc }: Entry): string => (subscribed ? 'marketplace' : doc.origin);

/** Whose word it is that an entry is in its group. */
export function groupOriginOf({ subscribed, doc }: Entry): 'user' | 'inferred' | 'marketplace' {
  if (subscribed) return 'marketplace';
  return doc.assigned ? 'user' : 'inferred';
}

export type Unit = { readonly unit: string; readonly origin: 'user' | 'source' | 'inferred' | 'marketplace' };

/** The unit of a signal and whose word it is: a person's before the source's before what the key tells. */
export function unitOf({ subscribed, doc }: Pick<SignalEntry, 'subscribed' | 'doc'>): Unit | null {
  const said = [
    { unit: doc.assigned_unit, origin: 'user' },
    { unit: doc.reported_unit, origin: 'source' },
    { unit: doc.inferred_unit, origin: 'inferred' },
  ] as const;
  const first = said.find(({ unit }) => unit !== null);
  if (!first || first.unit === null) return null;
  return { unit: first.unit, origin: subscribed ? 'marketplace' : first.origin };
}

/** Whether a key or a name has a text in it; `folded`: that text in lower case. */
export const hasText = (
  folded: string,
  { key, name }: { readonly key: string; readonly name: string | null },
): boolean => key.toLowerCase().includes(folded) || (name?.toLowerCase().includes(folded) ?? false);

export function fits(entry: Entry, { type, group, origin, search }: Filter): boolean {
  return (
    (type === null || entry.type === type)
    && (group === null || entry.doc.group === group)
    && (origin === null || originOf(entry) === origin)
    && (search === null || hasText(search.toLowerCase(), { key: entry.key, name: entry.doc.name }))
  );
}

/** Text as the stores order it; JavaScript orders the same unless a surrogate is in it. */
export function byCodePoint(a: string, b: string): number {
  if (SURROGATE.test(a) || SURROGATE.test(b)) return Buffer.compare(Buffer.from(a), Buffer.from(b));
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
const SURROGATE = /[\ud800-\udfff]/;

type Sorted = { readonly key: string; readonly last_at: number | null; readonly count: number };

/** In the order of the lists, ties by key. */
export const byOrder =
  ({ by, descending }: Order) =>
  (a: Sorted, b: Sorted): number => {
    const order = (by === 'key' ? 0 : (a[by] ?? 0) - (b[by] ?? 0)) || byCodePoint(a.key, b.key);
    return descending ? -order : order;
  };

/** The same for entries, where a signal and an event stream may have the same key. */
export function inOrder(order: Order): (a: Entry, b: Entry) => number {
  const compare = byOrder(order);
  const sorted = ({ key, doc: { last_at, count } }: Entry): Sorted => ({ key, last_at, count });
  return (a, b) => compare(sorted(a), sorted(b)) || (order.descending ? -1 : 1) * byCodePoint(a.type, b.type);
}

/** The first of many things that come in any order; no more than a few times as many are held. */
export function firstOf<T>(count: number, compare: (a: T, b: T) => number) {
  let held: T[] = [];
  let seen = 0;
  const tidy = (): T[] => (held = held.sort(compare).slice(0, count));
  return {
    add(item: T): void {
      seen++;
      if (held.push(item) > 2 * count + SLACK) tidy();
    },
    all: tidy,
    seen: () => seen,
  };
}
const SLACK = 1_000;
