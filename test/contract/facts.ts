import { randomUUID } from 'node:crypto';
import * as assert from 'uvu/assert';
import type { EventStore } from '../../commands/ports/event-store.js';
import type { Fact, NewFact } from '../../domain/fact.js';

/** A fact with everything filled in; `data` is what the test is about. */
export const newFact = (data: unknown = {}, type = 'ThingHappened'): NewFact => ({
  id: randomUUID(),
  type,
  data,
  at: 1_790_000_000_123,
  meta: { workspace: 'ws_1', actor: 'operator', request: null, correlation: randomUUID(), causation: null },
});
export const newJournal = (): string => `contract-${randomUUID()}`;

export const facts = (count: number, data: unknown = {}): NewFact[] =>
  Array.from({ length: count }, () => newFact(data));
export const ids = (list: readonly { id: string }[]): string[] => list.map(fact => fact.id);

/** Everything from `after` to the end, by pages of `limit`. */
export const pages = async (store: EventStore, after: number, limit: number): Promise<Fact[]> => {
  const all: Fact[] = [];
  for (let at = after; ; ) {
    const page = await store.page(at, limit);
    if (page.length === 0) return all;
    assert.ok(page.length <= limit, 'a page is never longer than asked for');
    all.push(...page);
    at = page.at(-1)!.position;
  }
};

/** Pages only when the bell rings, as the workers do. */
export const follow = (store: EventStore, after: number): { seen: Fact[]; stop: () => void } => {
  const seen: Fact[] = [];
  let at = after;
  let rung = false;
  let busy = false;
  const pull = async (): Promise<void> => {
    rung = true;
    if (busy) return;
    for (busy = true; rung; ) {
      rung = false;
      seen.push(...(await pages(store, at, 5)));
      at = seen.at(-1)?.position ?? at;
    }
    busy = false;
  };
  return {
    seen,
    stop: store.listen(() => {
      void pull();
    }),
  };
};
