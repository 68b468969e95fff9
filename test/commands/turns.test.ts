import * as assert from 'uvu/assert';
import { memoryEventStore } from '../../adapters/memory.js';
import { recordBatch } from '../../api/events/batch.js';
import { handler } from '../../commands/engine/handle.js';
import { begunInTurns } from '../../commands/engine/turns.js';
import { eventCommands } from '../../commands/events.js';
import type { EventStore } from '../../commands/ports/event-store.js';
import { aPush, signalsWorld } from '../projections/signals-world.js';
import { suite } from '../suite.js';

/** So many appends begin in a turn; two turns may fall between two looks at the count. */
const A_TURN = 25;
const MOST = 2 * A_TURN;

/** A store that tells how many appends began at once, at most, and how many in all. */
function counting(): EventStore & { readonly appends: { all: number; most: number } } {
  const store = memoryEventStore();
  const appends = { all: 0, most: 0 };
  let inRound = 0;
  return {
    ...store,
    appends,
    append(...asked) {
      if (inRound === 0)
        setImmediate(() => {
          inRound = 0;
        });
      inRound++;
      appends.all++;
      appends.most = Math.max(appends.most, inRound);
      return store.append(...asked);
    },
  };
}

suite('turns of long commands', test => {
  test('a push to many signals is done in parts, and others push between them', async () => {
    const store = counting();
    const { commands, context } = await signalsWorld({ store });
    const many = Array.from({ length: 200 }, (_, n) => aPush(`s${n}`, [[n, n]]));
    let done = false;
    const long = commands.push('loud', many, context('loud')).finally(() => {
      done = true;
    });
    let between = 0;
    while (!done) {
      await commands.push('quiet', [aPush(`q${between}`, [[1, 1]])], context('quiet'));
      between++;
      await new Promise(setImmediate);
    }
    const pushed = await long;
    assert.equal(
      pushed.map(({ key, recorded }) => [key, recorded]),
      many.map(({ key }) => [key, 1]),
    );
    assert.is(store.appends.all, many.length + between);
    assert.ok(store.appends.most <= MOST + 2, `${store.appends.most} appends at once`);
    assert.ok(between >= many.length / A_TURN, `${between} pushes between`);
  });

  test('so is a batch of events, whose items keep their order and numbers', async () => {
    const store = counting();
    const { context } = await signalsWorld({ store });
    const commands = eventCommands(handler(store, () => crypto.randomUUID()));
    const items = Array.from({ length: 120 }, (_, n) =>
      n === 70 ? { key: 'k' } : { key: 'k', text: `${n}` },
    );
    const { events, errors } = await recordBatch(commands, 'w', items, context('w'));
    assert.equal(
      events.map(({ index }) => index),
      items.flatMap((_, n) => (n === 70 ? [] : n)),
    );
    assert.equal(
      errors.map(({ index, code }) => [index, code]),
      [[70, 'event_text_required']],
    );
    assert.is(store.appends.all, 119);
    assert.ok(store.appends.most <= MOST, `${store.appends.most} appends at once`);
  });

  test('a part does not wait for the one before it, and a failure is told when all have begun', async () => {
    const begun: number[] = [];
    let release = () => {};
    const held = new Promise<void>(resolve => {
      release = resolve;
    });
    const all = begunInTurns('w', [1, 2, 3, 4, 5], 2, async (part, from) => {
      begun.push(from);
      if (begun.length === 3) release();
      await held;
      if (from === 0) throw new Error('the first failed');
      return part;
    });
    try {
      await all;
      assert.unreachable();
    } catch (error) {
      assert.is((error as Error).message, 'the first failed');
    }
    assert.equal(begun, [0, 2, 4]);
  });
});
