import { randomUUID } from 'node:crypto';
import * as assert from 'uvu/assert';
import { memoryEventStore } from '../../adapters/memory.js';
import { START, type Fact } from '../../domain/fact.js';
import { follow } from '../../workers/engine/follow.js';
import { until } from '../platform.js';
import { meta } from '../spec.js';
import { quiet } from '../projections/world.js';
import { suite } from '../suite.js';

const append = (store: ReturnType<typeof memoryEventStore>) =>
  store.append(`event-${randomUUID()}`, START, [
    { id: randomUUID(), type: 'EventRecorded', at: 0, data: {}, meta },
  ]);

/** Follows a log with `work`; the pauses it says it makes after failures. */
function following(
  store: ReturnType<typeof memoryEventStore>,
  work: (page: readonly Fact[]) => Promise<number>,
) {
  const pauses: number[] = [];
  let at = START;
  const running = follow({
    name: 'it',
    store,
    room: () => 10,
    from: async () => at,
    log: {
      ...quiet,
      error: (data: object) => {
        pauses.push((data as { retryInMs: number }).retryInMs);
      },
    },
    async work(page) {
      at = await work(page);
      return at;
    },
  });
  return { ...running, pauses, position: () => at };
}

suite('following the log', test => {
  test('pauses grow while a page fails, whatever is written, and start again after a success', async () => {
    const store = memoryEventStore();
    let failing = true;
    const { pauses, position, stop } = following(store, async page => {
      if (failing) throw new Error('not now');
      return page.at(-1)!.position;
    });
    await append(store);
    const writing = setInterval(() => {
      void append(store);
    }, 5);
    await until(async () => pauses.length === 3);
    clearInterval(writing);
    assert.equal(pauses, [50, 200, 1_000]);
    failing = false;
    const head = await store.head();
    await until(async () => position() === head);
    failing = true;
    await append(store);
    await until(async () => pauses.length === 4);
    assert.is(pauses[3], 50);
    await stop();
  });

  test('is stopped also while the store fails', async () => {
    const store = memoryEventStore();
    let fail: () => void = () => assert.unreachable('it asked where to go on');
    const { stop } = follow({
      name: 'it',
      store,
      room: () => 10,
      log: quiet,
      work: async () => START,
      from: () =>
        new Promise((_, reject) => {
          fail = () => reject(new Error('no store'));
        }),
    });
    const stopped = stop().then(() => 'stopped');
    fail();
    assert.is(
      await Promise.race([stopped, new Promise(resolve => setTimeout(resolve, 2_000, 'still running'))]),
      'stopped',
    );
  });

  test('is stopped at once also in a long pause', async () => {
    const store = memoryEventStore();
    await append(store);
    const { pauses, stop } = following(store, async () => {
      throw new Error('never');
    });
    await until(async () => pauses.length === 4);
    const late = new Promise(resolve => setTimeout(resolve, 2_000, 'still running'));
    assert.is(await Promise.race([stop().then(() => 'stopped'), late]), 'stopped');
  });
});
