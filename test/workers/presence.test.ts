import * as assert from 'uvu/assert';
import { memoryKeyValue } from '../../adapters/memory.js';
import type { KeyValue } from '../../commands/ports/key-value.js';
import { leader } from '../../workers/engine/leader.js';
import { isHeld, lease } from '../../workers/engine/lease.js';
import { bePresent } from '../../workers/engine/presence.js';
import { eventually, pause } from '../contract/opened.js';
import { quiet } from '../projections/world.js';
import { suite } from '../suite.js';

const TTL_MS = 300;
const LONG_MS = 60_000;

/** A store that one process can be cut off from, as if its network were gone; it counts what is written. */
const network = (kv: KeyValue) => {
  let cut = false;
  const written: string[] = [];
  const seen: KeyValue = {
    async get(key) {
      if (cut) throw new Error('no network');
      return kv.get(key);
    },
    async set(key, ...rest) {
      if (cut) throw new Error('no network');
      written.push(key);
      return kv.set(key, ...rest);
    },
  };
  const reach = (now: boolean): void => {
    cut = !now;
  };
  return { seen, written, reach };
};

suite('presence', test => {
  const clock = Date.now;
  const there = (kv: KeyValue, holder: string) =>
    bePresent({ kv, holder, clock, log: quiet, ttlMs: TTL_MS, everyMs: 30 });
  const leads = (kv: KeyValue, holder: string, presence: Awaited<ReturnType<typeof bePresent>>) => {
    const fences: number[] = [];
    const leading = leader({
      ...{ name: 'job', kv, holder, presence, clock, log: quiet, tryEveryMs: 20 },
      start: fence => {
        fences.push(fence!());
        return { stop: async () => {} };
      },
    });
    return { ...leading, fences };
  };

  test('many leases go on with one write at a time', async () => {
    const { seen, written } = network(memoryKeyValue(clock));
    const presence = await there(seen, 'one');
    const names = Array.from({ length: 50 }, (_, i) => `job ${i}`);
    const held = names.map(name => lease(seen, name, { holder: 'one', ttlMs: LONG_MS, clock, presence }));
    for (const each of held) assert.ok(await each.acquire());
    written.length = 0;
    for (let i = 0; i < 10; i++) {
      await pause(60);
      for (const each of held) assert.ok(await each.renew());
    }
    assert.ok(held.every(each => each.left() > 0));
    assert.equal([...new Set(written)].length, 1, 'its own entry');
    await presence.close();
    assert.ok(held.every(each => each.left() <= 0));
  });

  test('who is cut off ends its work before another begins, and comes back as a new one', async () => {
    const kv = memoryKeyValue(clock);
    const net = network(kv);
    const [mine, other] = [await there(net.seen, 'one'), await there(kv, 'two')];
    const before = mine.id();
    const one = leads(net.seen, 'one', mine);
    await eventually('the first leads', () => one.active() !== null);
    const two = leads(kv, 'two', other);
    await pause(2 * TTL_MS);
    assert.is(two.active(), null, 'as long as the first is there');
    net.reach(false);
    let both = false;
    await eventually('the second leads', () => {
      both ||= one.active() !== null && two.active() !== null;
      return two.active() !== null;
    });
    assert.is(both, false);
    assert.is(one.active(), null);
    net.reach(true);
    await eventually('the first is back', () => mine.id() !== null);
    assert.is.not(mine.id(), before);
    assert.ok(await mine.isGone(before!));
    await two.stop();
    await eventually('the first leads again', () => one.active() !== null);
    const fences = [one.fences[0]!, two.fences[0]!, one.fences[1]!];
    assert.equal(
      fences.toSorted((a, b) => a - b),
      fences,
    );
    await one.stop();
    await Promise.all([mine.close(), other.close()]);
  });

  test("what a process held that was killed is nobody's when it is no more there", async () => {
    const kv = memoryKeyValue(clock);
    const net = network(kv);
    const killed = await there(net.seen, 'one');
    await lease(net.seen, 'job', { holder: 'one', ttlMs: LONG_MS, clock, presence: killed }).acquire();
    assert.ok(await isHeld(kv, 'job'));
    net.reach(false);
    await eventually('it is not held', async () => !(await isHeld(kv, 'job')));
    const presence = await there(kv, 'two');
    await eventually('it is taken', async () => {
      const next = lease(kv, 'job', { holder: 'two', ttlMs: LONG_MS, clock, presence });
      return (await next.acquire()) !== null;
    });
    await Promise.all([killed.close(), presence.close()]);
  });
});
