import * as assert from 'uvu/assert';
import { memoryKeyValue } from '../../adapters/memory.js';
import type { KeyValue } from '../../commands/ports/key-value.js';
import { lease } from '../../workers/engine/lease.js';
import { rejection } from '../contract/opened.js';
import { suite } from '../suite.js';

const TTL = 10_000;

/** Two processes, of the same name even, and a clock that is moved by hand. */
const world = () => {
  const time = { now: 1_790_000_000_000 };
  const clock = () => time.now;
  const kv = memoryKeyValue(clock);
  const process = (store: KeyValue = kv) => lease(store, 'job', { holder: 'host:1', ttlMs: TTL, clock });
  return { time, kv, process };
};

suite('lease', test => {
  test('one holds it, the other stands by', async () => {
    const { process } = world();
    const a = process();
    const b = process();
    assert.type(await a.acquire(), 'number');
    assert.is(await b.acquire(), null);
    assert.is(await b.renew(), false);
    assert.is(await a.renew(), true);
  });

  test('of many at once one gets it', async () => {
    const { process } = world();
    const terms = await Promise.all(Array.from({ length: 20 }, () => process().acquire()));
    assert.is(terms.filter(term => term !== null).length, 1);
  });

  test('renewed in time it is kept for ever, and the other waits', async () => {
    const { time, process } = world();
    const a = process();
    const b = process();
    await a.acquire();
    for (let i = 0; i < 20; i++) {
      time.now += TTL - 1;
      assert.is(await a.renew(), true);
      assert.is(await b.acquire(), null);
    }
  });

  test('who falls silent loses it to the next, whose number is higher, and cannot renew', async () => {
    const { time, process } = world();
    const a = process();
    const b = process();
    const first = (await a.acquire())!;
    await a.renew();
    time.now += TTL;
    const second = (await b.acquire())!;
    assert.ok(second > first);
    assert.is(await a.renew(), false);
    assert.is(await a.acquire(), null);
    assert.is(await b.renew(), true);
  });

  test('a term that has run out does not go on, also when nobody came', async () => {
    const { time, process } = world();
    const a = process();
    const first = (await a.acquire())!;
    time.now += TTL;
    assert.is(await a.renew(), false);
    assert.ok((await a.acquire())! > first);
  });

  test('released, the next has it at once, with a higher number', async () => {
    const { process } = world();
    const a = process();
    const b = process();
    const first = (await a.acquire())!;
    await a.release();
    assert.is(await a.renew(), false);
    assert.ok((await b.acquire())! > first);
    await a.release();
    assert.is(await b.renew(), true, 'a release of a term that is over takes nothing from the one after');
  });

  test('leases of other names are other leases', async () => {
    const { time, kv, process } = world();
    await process().acquire();
    assert.type(
      await lease(kv, 'other job', { holder: 'host:2', ttlMs: TTL, clock: () => time.now }).acquire(),
      'number',
    );
  });

  test('a set that was written although its answer was lost leaves the lease with its holder', async () => {
    const { kv, process } = world();
    let lose = true;
    const lossy: KeyValue = {
      get: kv.get,
      async set(...entry) {
        const version = await kv.set(...entry);
        if (lose) throw new Error('connection lost');
        return version;
      },
    };
    const a = process(lossy);
    await rejection(a.acquire());
    await rejection(a.renew());
    assert.is(await process().acquire(), null);
    lose = false;
    assert.is(await a.renew(), true);
    assert.type(await a.acquire(), 'number');
  });
});
