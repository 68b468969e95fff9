import { setImmediate as turn } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { memoryEventStore } from '../../adapters/memory.js';
import { WrongRevision, type EventStore } from '../../commands/ports/event-store.js';
import { handler } from '../../commands/engine/handle.js';
import { signalCommands, type Pushed } from '../../commands/signals.js';
import { Rejected } from '../../domain/rejected.js';
import { pointsIn } from '../../domain/signals/recording.js';
import { EARLIEST, LATEST } from '../../domain/time.js';
import { randomOf, seedFrom } from '../random.js';
import {
  aPush,
  factsOf,
  joined,
  replayed,
  sameSignals,
  signalsWorld,
  textOf,
  type SignalsWorld,
} from '../projections/signals-world.js';
import { suite } from '../suite.js';

const AT_ONCE = 64;
const sum = (pushed: readonly Pushed[], member: 'recorded' | 'revised' | 'duplicates') =>
  pushed.reduce((total, each) => total + each[member], 0);
/** One push of some points to the signal `a`. */
const push = ({ commands, context }: SignalsWorld, ...pairs: (readonly [number, number])[]) =>
  commands.push('w', [aPush('a', pairs)], context('w'));
const together = async <T>(count: number, work: (n: number) => Promise<T[]>): Promise<T[]> =>
  (await Promise.all(Array.from({ length: count }, (_, n) => work(n)))).flat();
const allOf = ({ queries }: SignalsWorld, key: string) => joined(queries.points('w', key, EARLIEST, LATEST));

/** A store that answers a little later, as one behind a network does, and counts what it refuses. */
function distant(store: EventStore, random = randomOf(1)): EventStore & { readonly refused: () => number } {
  let refused = 0;
  const later = async <T>(work: () => Promise<T>): Promise<T> => {
    await new Promise(resolve => setTimeout(resolve, random.next() * 6));
    try {
      return await work();
    } finally {
      await new Promise(resolve => setTimeout(resolve, random.next() * 6));
    }
  };
  return {
    ...store,
    refused: () => refused,
    read: (...args) => later(() => store.read(...args)),
    append: (...args) =>
      later(() =>
        store.append(...args).catch((error: unknown) => {
          if (error instanceof WrongRevision) refused++;
          throw error;
        }),
      ),
  };
}

suite('many pushes at once to one signal', test => {
  const random = randomOf(seedFrom('PUSH_SEED'));

  test('in order of time: none is lost, and none is refused', async () => {
    const store = distant(memoryEventStore());
    const world = await signalsWorld({ store, leafPoints: 10 });
    const pushed = await together(AT_ONCE, n => push(world, [n * 2, n], [n * 2 + 1, n]));
    assert.equal(
      [sum(pushed, 'recorded'), sum(pushed, 'revised'), sum(pushed, 'duplicates')],
      [2 * AT_ONCE, 0, 0],
    );
    assert.is(store.refused(), 0);
    await world.project();
    assert.equal(
      await allOf(world, 'a'),
      Array.from({ length: 2 * AT_ONCE }, (_, i) => [i, i >> 1]),
    );
  });

  test('in no order: none is lost, and at most one append of each is refused', async () => {
    const store = distant(memoryEventStore());
    const world = await signalsWorld({ store, leafPoints: 10 });
    const times = Array.from({ length: AT_ONCE }, (_, n) => n).sort(() => random.next() - 0.5);
    const pushed = await together(AT_ONCE, n => push(world, [times[n]!, times[n]!]));
    assert.is(sum(pushed, 'recorded'), AT_ONCE);
    assert.ok(store.refused() < AT_ONCE, `${store.refused()} refused`);
    await world.project();
    assert.equal(
      await allOf(world, 'a'),
      Array.from({ length: AT_ONCE }, (_, i) => [i, i]),
    );
  });

  test('the very same: one records, the others are duplicates', async () => {
    const store = distant(memoryEventStore());
    const world = await signalsWorld({ store });
    const pairs = Array.from({ length: 10 }, (_, i) => [i, i] as const);
    const pushed = await together(AT_ONCE, () => push(world, ...pairs));
    assert.equal(
      [sum(pushed, 'recorded'), sum(pushed, 'revised'), sum(pushed, 'duplicates')],
      [10, 0, 10 * (AT_ONCE - 1)],
    );
    assert.is(await store.head(), 0);
    assert.ok(
      pushed.every(({ position }) => position === 0),
      'each may wait until what it repeats can be seen',
    );
    assert.ok(store.refused() < AT_ONCE, `${store.refused()} refused`);
  });

  test('other values at the same time: each but the first revises what stood before it', async () => {
    const store = distant(memoryEventStore());
    const world = await signalsWorld({ store });
    const pushed = await together(AT_ONCE, n => push(world, [0, n]));
    assert.equal([sum(pushed, 'recorded'), sum(pushed, 'revised')], [1, AT_ONCE - 1]);
    assert.is((await factsOf(store, Infinity)).get('w')!.signals.get('a')!.revisions.length, AT_ONCE - 1);
  });

  test('to many signals in each: every signal has all of its points', async () => {
    const store = distant(memoryEventStore());
    const world = await signalsWorld({ store });
    const keys = ['a', 'b', 'c', 'd'];
    const pushed = await together(AT_ONCE, n =>
      world.commands.push(
        'w',
        keys.map(key => aPush(key, [[random.below(1_000_000) * AT_ONCE + n, n]])),
        world.context('w'),
      ),
    );
    assert.is(sum(pushed, 'recorded'), keys.length * AT_ONCE);
    await world.project();
    for (const key of keys) assert.is((await allOf(world, key)).length, AT_ONCE);
  });
});

suite('with read models that are behind', test => {
  test('what was so, and is not any more, is written again', async () => {
    const world = await signalsWorld();
    const name = (text: string) => world.commands.name('w', 'a', text, world.context('w'));
    await push(world, [1, 1]);
    await name('x');
    await world.project();
    await push(world, [1, 2]);
    await name('y');
    assert.equal(
      (await push(world, [1, 1])).map(({ revised }) => revised),
      [1],
    );
    assert.is((await name('x')).facts.length, 1);
  });

  test('what is so by now is not written twice, and what was said already is waited for', async () => {
    const world = await signalsWorld();
    await push(world, [1, 1]);
    await world.project();
    const [written] = await push(world, [1, 2], [2, 2]);
    const [again] = await push(world, [1, 2], [2, 2]);
    assert.equal([again!.duplicates, again!.position], [2, written!.position]);
  });

  test('a signal deleted since then begins anew, and can be deleted again', async () => {
    const world = await signalsWorld();
    const remove = () => world.commands.delete('w', 'a', world.context('w'));
    await push(world, [1, 1]);
    await world.project();
    await remove();
    assert.equal(
      (await push(world, [1, 1])).map(({ recorded }) => recorded),
      [1],
    );
    await remove();
    await world.project(1, 2);
    assert.equal(
      (await push(world, [1, 1])).map(({ recorded }) => recorded),
      [1],
    );
    await world.project();
    assert.is((await world.queries.signal('w', 'a'))!.count, 1);
  });
});

suite('pushes to one signal from two processes', test => {
  const ways = [
    ['in order', (n: number) => n],
    ['at the same times', (n: number) => n >> 1],
  ] as const;
  for (const [name, timeOf] of ways)
    test(`${name}: none is lost, none fails`, async () => {
      const store = distant(memoryEventStore());
      const world = await signalsWorld({ store });
      let n = 0;
      const newId = () => `11111111-0000-4000-8000-${String(n++).padStart(12, '0')}`;
      const other = signalCommands(handler(store, newId), world.queries.known);
      const pushed = await together(2 * AT_ONCE, i =>
        push(i % 2 === 0 ? world : { ...world, commands: other }, [timeOf(i), i]),
      );
      const times = new Set(Array.from({ length: 2 * AT_ONCE }, (_, i) => timeOf(i)));
      assert.equal([sum(pushed, 'recorded'), sum(pushed, 'revised')], [times.size, 2 * AT_ONCE - times.size]);
      assert.is((await factsOf(store, Infinity)).get('w')!.signals.get('a')!.points.size, times.size);
      console.log(`${name}: ${store.refused()} appends of ${2 * AT_ONCE} refused`);
    });
});

suite('everything at once, from two processes, with read models that come after', test => {
  const random = randomOf(seedFrom('STORM_SEED'));
  for (const round of [1, 2, 3])
    test(`contradicts itself nowhere, and every answer is true (${round})`, async () => {
      const store = distant(memoryEventStore(), random);
      const world = await signalsWorld({ store, leafPoints: 4 });
      const keys = ['a', 'b', 'c'];
      let n = 0;
      let open = true;
      const other = signalCommands(
        handler(store, () => `11111111-0000-4000-8000-${String(n++).padStart(12, '0')}`),
        world.queries.known,
      );
      const projecting = (async () => {
        for (; open; await turn()) await world.project(1 + random.below(5), 1);
      })();
      const answers: Pushed[] = [];
      const one = async (i: number): Promise<void> => {
        await new Promise(resolve => setTimeout(resolve, random.below(400)));
        const commands = random.chance(0.5) ? world.commands : other;
        const key = random.pick(keys);
        const context = world.context('w');
        const time = () => (random.chance(0.3) ? i : random.below(40));
        const pairs = Array.from({ length: 1 + random.below(6) }, () => [time(), random.below(3)] as const);
        const ask = async (): Promise<unknown> => {
          if (random.chance(0.05)) return commands.delete('w', key, context);
          if (random.chance(0.1)) return commands.name('w', key, `${i}`, context);
          return answers.push(...(await commands.push('w', [aPush(key, pairs)], context)));
        };
        await ask().catch((error: unknown) => assert.instance(error, Rejected));
      };
      await Promise.all(Array.from({ length: 300 }, (_, i) => one(i)));
      open = false;
      await projecting;
      await world.project();
      const facts = await store.page(-1, 100_000);
      const naive = (await factsOf(store, Infinity)).get('w')!;
      const { recorded, revised } = pointsIn(facts);
      assert.equal([sum(answers, 'recorded'), sum(answers, 'revised')], [recorded, revised]);
      await sameSignals(world.queries, 'w', naive, keys, [[EARLIEST, LATEST, 1_000]]);
      assert.is(await textOf(world.models, world.projection), await replayed(world, 1_000));
    });
});

suite('one large push', test => {
  test('of 5,000 values at one time is written, whatever the key', async () => {
    const world = await signalsWorld();
    const key = '"嵐'.repeat(100);
    const values = Array.from({ length: 5_000 }, (_, i) => (-1 / (i + 3)) * 1e-300);
    const times = values.map(() => EARLIEST);
    const [pushed] = await world.commands.push(
      'w',
      [{ key, times, values, unit: 'x'.repeat(40), origin: 'api' }],
      world.context('w'),
    );
    assert.equal([pushed!.recorded, pushed!.revised, pushed!.duplicates], [1, 4_999, 0]);
    const signal = (await factsOf(world.store, Infinity)).get('w')!.signals.get(key)!;
    assert.equal(
      [...signal.points.values()].map(({ value }) => value),
      [values.at(-1)],
    );
    assert.is(signal.revisions.length, 4_999);
  });

  test('of 5,000 points, and all of them revised, is written', async () => {
    const world = await signalsWorld({ leafPoints: 1_000 });
    const key = '嵐'.repeat(200);
    const times = Array.from({ length: 5_000 }, (_, i) => EARLIEST + i * i * 10_000_000);
    const values = times.map((_, i) => (-1 / (i + 3)) * 1e-300);
    for (const n of [1, 2]) {
      world.clock.now += 1;
      const given = { key, times, values: values.map(v => v * n), unit: null, origin: 'api' } as const;
      const [pushed] = await world.commands.push('w', [given], world.context('w'));
      assert.is(n === 1 ? pushed!.recorded : pushed!.revised, 5_000);
      await world.project();
    }
    assert.is((await allOf(world, key)).length, 5_000);
  });
});
