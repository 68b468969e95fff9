import { randomUUID } from 'node:crypto';
import * as assert from 'uvu/assert';
import { memoryEventStore } from '../../adapters/memory.js';
import { handler, loader, type Context } from '../../commands/engine/handle.js';
import { JOURNAL_PAGE } from '../../commands/engine/loading.js';
import type { EventStore } from '../../commands/ports/event-store.js';
import type { Decider } from '../../domain/decider.js';
import { START, type Message } from '../../domain/fact.js';
import { suite } from '../suite.js';

type Count = Message & { readonly type: 'Count'; readonly data: { readonly id: string } };
type Counted = Message & { readonly type: 'Counted'; readonly data: object };
type Seen = readonly number[];

/** The state is where each fact of it stands in the log; `within`: other journals it follows. */
const counter = (within: readonly string[] = []): Decider<Count, Counted, Seen> => ({
  category: 'count',
  idOf: ({ data }) => data.id,
  initialState: [],
  decide: () => [{ type: 'Counted', data: {} }],
  evolve: (seen, { position }) => [...seen, position],
  within: () => within,
});

const context: Context = {
  ...{ workspace: null, actor: 'test', request: null, correlation: 'c', causation: null },
  at: 0,
};
const facts = (count: number) => {
  const { at, ...meta } = context;
  return Array.from({ length: count }, () => ({ id: randomUUID(), type: 'Counted', at, data: {}, meta }));
};

/** A store that knows the largest answer it gave. */
function world() {
  const store = memoryEventStore();
  const seen = { largest: 0 };
  const watched: EventStore = {
    ...store,
    async read(...of) {
      const page = await store.read(...of);
      seen.largest = Math.max(seen.largest, page.length);
      return page;
    },
  };
  return { store, seen, handle: handler(watched, randomUUID), load: loader(watched) };
}
const upTo = (end: number) => Array.from({ length: end }, (_, i) => i);

suite('a long journal', test => {
  for (const length of [JOURNAL_PAGE - 1, JOURNAL_PAGE, JOURNAL_PAGE + 1, 3 * JOURNAL_PAGE + 7]) {
    test(`of ${length} facts is folded page by page, and written behind its last one`, async () => {
      const { store, seen, handle, load } = world();
      await store.append('count-a', START, facts(length));
      assert.equal(await load(counter(), 'a'), upTo(length));
      const { revision, after } = await handle(counter(), { type: 'Count', data: { id: 'a' } }, context);
      assert.is(revision, length);
      assert.equal(after, upTo(length + 1));
      assert.ok(seen.largest <= JOURNAL_PAGE);
    });
  }

  test('is folded together with long ones that it follows, in the order of the log', async () => {
    const { store, seen, handle, load } = world();
    const journals = ['count-a', 'other-1', 'other-2'] as const;
    const ends = new Map<string, number>();
    for (const size of [200, 300, 5, 256, 512])
      for (const journal of journals) {
        const end = ends.get(journal) ?? START;
        await store.append(journal, end, facts(size));
        ends.set(journal, end + size);
      }
    const decider = counter(['other-1', 'other-2']);
    const all = upTo((await store.head()) + 1);
    assert.equal(await load(decider, 'a'), all);
    const { revision } = await handle(decider, { type: 'Count', data: { id: 'a' } }, context);
    assert.is(revision, ends.get('count-a')! + 1);
    assert.ok(seen.largest <= JOURNAL_PAGE);
  });
});
