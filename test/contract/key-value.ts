import { randomUUID } from 'node:crypto';
import * as assert from 'uvu/assert';
import type { KeyValue } from '../../commands/ports/key-value.js';
import { suite } from '../suite.js';
import type { Opened } from './opened.js';

const HOUR = 3_600_000;

/**
 * The contract of the key-value port. `open` is given the clock the store must go by: it starts at the
 * present and is moved forward by hours.
 */
export const keyValueContract = (
  name: string,
  open: (clock: () => number) => Promise<Opened<KeyValue>>,
): void =>
  suite(`key-value contract: ${name}`, test => {
    let opened: Opened<KeyValue>;
    let store: KeyValue;
    let now = Date.now();
    test.before(async () => {
      opened = await open(() => now);
      store = opened.store;
    });
    test.after(() => opened.close());
    const key = (): string => `contract/${randomUUID()}`;

    test('a key nobody has set is null, and only version 0 sets it', async () => {
      const k = key();
      assert.is(await store.get(k), null);
      assert.is(await store.set(k, 'x', 1, null), null);
      const version = await store.set(k, { a: [1] }, 0, now + HOUR);
      assert.ok(version !== null && Number.isSafeInteger(version) && version > 0);
      assert.equal(await store.get(k), { value: { a: [1] }, version, expiresAt: now + HOUR });
    });

    test('only who knows the version writes', async () => {
      const k = key();
      const first = (await store.set(k, 1, 0, null))!;
      for (const wrong of [0, first + 1, first - 1]) assert.is(await store.set(k, 2, wrong, null), null);
      const second = (await store.set(k, 2, first, now + HOUR))!;
      assert.ok(second > first);
      assert.is(await store.set(k, 3, first, null), null);
      assert.equal(await store.get(k), { value: 2, version: second, expiresAt: now + HOUR });
      const third = (await store.set(k, 3, second, null))!;
      assert.equal(await store.get(k), { value: 3, version: third, expiresAt: null });
    });

    test('of 64 at once exactly one wins, first and later', async () => {
      const k = key();
      for (let version = 0, round = 0; round < 3; round++) {
        const ends = await Promise.all(Array.from({ length: 64 }, (_, i) => store.set(k, i, version, null)));
        assert.is(ends.filter(end => end !== null).length, 1);
        const winner = ends.findIndex(end => end !== null);
        assert.equal(await store.get(k), { value: winner, version: ends[winner], expiresAt: null });
        version = ends[winner]!;
      }
    });

    test('an expired entry is gone, its version too, and the next is greater', async () => {
      const k = key();
      const first = (await store.set(k, 'a', 0, now + HOUR))!;
      now += HOUR - 1;
      assert.is((await store.get(k))!.version, first);
      now += 2;
      assert.is(await store.get(k), null);
      assert.is(await store.set(k, 'b', first, null), null);
      const second = (await store.set(k, 'b', 0, null))!;
      assert.ok(second > first);
      now += 1000 * HOUR;
      assert.equal(await store.get(k), { value: 'b', version: second, expiresAt: null });
    });

    test('an entry written as expired is a removal', async () => {
      const k = key();
      const first = (await store.set(k, 'a', 0, null))!;
      const removed = (await store.set(k, null, first, now - 1))!;
      assert.ok(removed > first);
      assert.is(await store.get(k), null);
      assert.is(await store.set(k, 'b', removed, null), null);
      assert.ok((await store.set(k, 'b', 0, null))! > removed);
    });

    test('versions grow after a long time and many other keys', async () => {
      const k = key();
      let last = 0;
      for (let round = 0; round < 5; round++) {
        const version = (await store.set(k, round, 0, now + HOUR))!;
        assert.ok(version > last);
        last = version;
        now += 100 * HOUR;
        await Promise.all(Array.from({ length: 20 }, () => store.set(key(), 1, 0, now + HOUR)));
      }
    });

    test('values and keys of any shape', async () => {
      const values = [
        null,
        false,
        0,
        '',
        'text',
        [],
        {},
        { deep: [{ a: null, b: '😀 שלום' }] },
        1e-7,
        2 ** 53 - 1,
        'x'.repeat(100_000),
      ];
      for (const value of values) {
        const k = `${key()} ü😀/%:'"`;
        const version = await store.set(k, value, 0, null);
        assert.equal(await store.get(k), { value, version, expiresAt: null });
      }
      const k = key();
      await store.set(k, 1, 0, null);
      assert.is(await store.get(k.toUpperCase()), null, 'keys keep their case');
    });

    test('reopening keeps entries and versions', async () => {
      if (!opened.reopen) return;
      const k = key();
      const gone = key();
      const version = (await store.set(k, { kept: true }, 0, now + HOUR))!;
      const past = (await store.set(gone, 1, 0, now - 1))!;
      store = await opened.reopen();
      assert.equal(await store.get(k), { value: { kept: true }, version, expiresAt: now + HOUR });
      assert.ok((await store.set(gone, 1, 0, null))! > past);
    });
  });
