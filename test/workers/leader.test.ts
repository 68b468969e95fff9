import { randomUUID } from 'node:crypto';
import * as assert from 'uvu/assert';
import { memoryReadModels } from '../../adapters/memory-read-models.js';
import { memoryEventStore, memoryKeyValue } from '../../adapters/memory.js';
import { handler, loader } from '../../commands/engine/handle.js';
import type { KeyValue } from '../../commands/ports/key-value.js';
import { Overtaken, type ReadModels } from '../../projections/engine/read-models.js';
import { leader } from '../../workers/engine/leader.js';
import { lease } from '../../workers/engine/lease.js';
import { checkpointOf, react, type Reactor } from '../../workers/engine/reactor.js';
import { SET_ASIDE } from '../../workers/engine/set-aside-facts.js';
import { eventually, pause, rejection } from '../contract/opened.js';
import { quiet } from '../projections/world.js';
import { suite } from '../suite.js';

const TTL_MS = 300;

/** A store that others reach at once, while one process hears its answers only when the test lets it. */
const hanging = (kv: KeyValue) => {
  let open: (() => void) | null = null;
  let gate = Promise.resolve();
  const slow: KeyValue = {
    get: kv.get,
    async set(...entry) {
      await gate;
      return kv.set(...entry);
    },
  };
  return {
    slow,
    hang() {
      gate = new Promise(resolve => {
        open = resolve;
      });
    },
    goOn: () => open?.(),
  };
};

/** Work that tells how many do it at a time. */
const work = () => {
  const seen = { active: 0, most: 0, fences: [] as number[] };
  const start = (fence?: () => number) => {
    seen.fences.push(fence!());
    seen.most = Math.max(seen.most, ++seen.active);
    return { stop: async () => void seen.active-- };
  };
  return { seen, start };
};

suite('leading', test => {
  const options = { name: 'job', clock: Date.now, log: quiet, ttlMs: TTL_MS, tryEveryMs: 20 };

  test('a renewal that hangs for longer than the lease ends the work before another begins', async () => {
    const kv = memoryKeyValue(Date.now);
    const { seen, start } = work();
    const { slow, hang, goOn } = hanging(kv);
    const one = leader({ ...options, start, kv: slow, holder: 'one' });
    await eventually('the first leads', () => one.active() !== null);
    const two = leader({ ...options, start, kv, holder: 'two' });
    hang();
    await eventually('the second leads', () => two.active() !== null);
    assert.is(one.active(), null);
    assert.is(seen.most, 1);
    goOn();
    await two.stop();
    await eventually('the first leads again', () => one.active() !== null);
    assert.is(seen.most, 1);
    assert.equal(
      seen.fences,
      [...seen.fences].sort((a, b) => a - b),
    );
    assert.is(seen.fences.length, 3);
    await one.stop();
    assert.is(seen.active, 0);
  });

  test('a lease whose answer comes when it is over starts nothing', async () => {
    const kv = memoryKeyValue(Date.now);
    const { seen, start } = work();
    const late: KeyValue = {
      get: kv.get,
      async set(...entry) {
        const version = await kv.set(...entry);
        await pause(TTL_MS);
        return version;
      },
    };
    const one = leader({ ...options, start, kv: late, holder: 'one' });
    const two = leader({ ...options, start, kv, holder: 'two' });
    await eventually('the second leads', () => two.active() !== null);
    assert.is(seen.fences.length, 1);
    await Promise.all([one.stop(), two.stop()]);
  });

  test('a term counts from before it was asked for', async () => {
    const kv = memoryKeyValue(Date.now);
    const { slow, hang, goOn } = hanging(kv);
    const held = lease(slow, 'job', { holder: 'one', ttlMs: 50, clock: Date.now });
    hang();
    const acquired = held.acquire();
    await pause(50);
    goOn();
    await acquired;
    assert.ok(held.left() <= 0);
  });

  test('the next leader has the lease at once when the work of the one before ended in order', async () => {
    const kv = memoryKeyValue(Date.now);
    const { seen, start } = work();
    const forLong = { ...options, ttlMs: 1_000_000, start, kv };
    const one = leader({ ...forLong, holder: 'one' });
    await eventually('the first leads', () => one.active() !== null);
    const two = leader({ ...forLong, holder: 'two' });
    await one.stop();
    await eventually('the second leads', () => two.active() !== null);
    assert.is(seen.most, 1);
    await two.stop();
  });
});

const recorded = {
  type: 'ThingRecorded',
  at: 0,
  data: {},
  meta: { workspace: null, actor: 'test', request: null, correlation: 'c', causation: null },
};

suite('a reactor of a former leader', test => {
  const reactor: Reactor = { name: 'job', on: { ThingRecorded: async () => {} }, concurrency: 1 };
  const running = (models: ReadModels, fence: number) => {
    const store = memoryEventStore();
    const deps = { handle: handler(store, randomUUID), load: loader(store) };
    const failures: unknown[] = [];
    const log = { ...quiet, error: (said: object) => failures.push((said as { err: unknown }).err) };
    const reacts = react(reactor, {
      ...{ store, models, deps, clock: () => 0, log },
      kv: memoryKeyValue(() => 0),
      fence: () => fence,
    });
    return { store, reacts, failures };
  };

  test('does not move the checkpoint once another has taken over, even an idle one', async () => {
    const models = memoryReadModels();
    await models.prepare([SET_ASIDE]);
    const former = running(models, 1);
    await former.store.append('thing-1', -1, [{ ...recorded, id: randomUUID() }]);
    await eventually('the first works', async () => (await models.checkpoint(checkpointOf(reactor))) === 0);
    await models.checkpoint(checkpointOf(reactor), 2);
    await former.store.append('thing-1', 0, [{ ...recorded, id: randomUUID() }]);
    await eventually('the first was refused', () => former.failures.length > 0);
    await former.reacts.stop();
    assert.instance(former.failures[0], Overtaken);
    assert.is(await models.checkpoint(checkpointOf(reactor)), 0);
    assert.instance(await rejection(models.checkpoint(checkpointOf(reactor), 1)), Overtaken);
  });
});
