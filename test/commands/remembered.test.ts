import { randomUUID } from 'node:crypto';
import * as assert from 'uvu/assert';
import { memoryEventStore } from '../../adapters/memory.js';
import { handler, looker } from '../../commands/engine/handle.js';
import { remembered } from '../../commands/engine/remembered.js';
import type { EventStore } from '../../commands/ports/event-store.js';
import type { Decider } from '../../domain/decider.js';
import type { Message } from '../../domain/fact.js';
import { Rejected } from '../../domain/rejected.js';
import { suite } from '../suite.js';

type Add = Message<'Add', { readonly to: string; readonly most: number }>;
type Added = Message<'Added', { readonly to: string }>;
/** Counts up to a number, and no further. */
const counters: Decider<Add, Added, number> = {
  category: 'counter',
  idOf: ({ data }) => data.to,
  initialState: 0,
  decide({ data: { to, most } }, count) {
    if (most < 0) throw new Rejected('invalid', 'too_few', 'There are more');
    return count < most ? [{ type: 'Added', data: { to } }] : [];
  },
  evolve: count => count + 1,
};
const context = {
  ...{ workspace: null, actor: 'a', request: null, correlation: 'c', causation: null, at: 0 },
};

/** What a process is to the log of others: it counts the facts that it reads. */
function processOn(store: EventStore, most = 1_000) {
  const own = { facts: 0 };
  const counted: EventStore = {
    ...store,
    async read(...asked) {
      const found = await store.read(...asked);
      own.facts += found.length;
      return found;
    },
  };
  const deps = { handle: handler(counted, randomUUID), look: looker(counted) };
  const those = remembered(deps, counters, { most, weigh: count => count });
  return {
    add: (to: string, upTo = Infinity) => those.handle({ type: 'Add', data: { to, most: upTo } }, context),
    load: those.load,
    /** How many facts were read since it was asked last. */
    read(): number {
      const { facts } = own;
      own.facts = 0;
      return facts;
    },
  };
}

suite('journals that are remembered', test => {
  test('are not read again, however long they are', async () => {
    const one = processOn(memoryEventStore());
    for (let i = 1; i <= 300; i++) assert.is((await one.add('a')).after, i);
    assert.is(await one.load('a'), 300);
    assert.equal((await one.add('a', 300)).facts, []);
    assert.is(one.read(), 0);
  });

  test('show what others wrote meanwhile, by those facts alone', async () => {
    const store = memoryEventStore();
    const [one, other] = [processOn(store), processOn(store)];
    for (let i = 0; i < 50; i++) await one.add('a');
    assert.is((await other.add('a')).after, 51);
    assert.is(other.read(), 50);
    assert.is(await one.load('a'), 51);
    assert.is(one.read(), 1);
    await other.add('a');
    assert.is((await one.add('a')).after, 53);
    await other.add('a');
    assert.equal((await one.add('a', 54)).facts, []);
    assert.is(one.read(), 2);
  });

  test('of many at once none is lost', async () => {
    const store = memoryEventStore();
    const [one, other] = [processOn(store), processOn(store)];
    await Promise.all(Array.from({ length: 40 }, (_, i) => (i % 2 ? one : other).add('a')));
    assert.equal([await one.load('a'), await other.load('a')], [40, 40]);
    assert.is((await one.add('a')).after, 41);
  });

  test('go when they weigh too much, those first that were not used for longest', async () => {
    const one = processOn(memoryEventStore(), 10);
    for (const to of ['a', 'b', 'c']) for (let i = 0; i < 4; i++) await one.add(to);
    await one.load('b');
    one.read();
    await one.add('c');
    await one.add('b');
    assert.is(one.read(), 0);
    assert.is((await one.add('a')).after, 5);
    assert.is(one.read(), 4);
  });

  test('what is refused changes nothing', async () => {
    const one = processOn(memoryEventStore());
    await one.add('a');
    await one.add('a', -1).then(
      () => assert.unreachable(),
      error => assert.instance(error, Rejected),
    );
    assert.is((await one.add('a')).after, 2);
  });
});
