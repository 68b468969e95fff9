import * as assert from 'uvu/assert';
import { memoryKeyValue } from '../../adapters/memory.js';
import type { KeyValue } from '../../commands/ports/key-value.js';
import { tokenUses } from '../../api/users/token-uses.js';
import { suite } from '../suite.js';

const MINUTE = 60_000;

function world() {
  const state = { now: 1_000 * MINUTE, broken: false, failures: 0 };
  const written: string[] = [];
  const clock = () => state.now;
  const store = memoryKeyValue(clock);
  const kv: KeyValue = {
    get: key => store.get(key),
    async set(key, ...rest) {
      if (state.broken) throw new Error('away');
      written.push(key);
      return store.set(key, ...rest);
    },
  };
  const open = () =>
    tokenUses({
      kv,
      clock,
      failed: () => {
        state.failures++;
      },
    });
  return { state, written, open, uses: open() };
}

suite('last uses of tokens', test => {
  test('are written in the background, at most once a minute for each', async () => {
    const { state, written, uses } = world();
    for (let second = 0; second < 60; second++) {
      for (const id of ['a', 'b']) uses.note(id, { ip: '1.2.3.4' });
      assert.is(written.length, second === 0 ? 0 : 2);
      await uses.flush();
      state.now += 1_000;
    }
    uses.note('a', { ip: '1.2.3.5' });
    await uses.flush();
    assert.equal(written, ['token-use/a', 'token-use/b', 'token-use/a']);
    assert.equal(
      await uses.last(['a', 'b', 'c']),
      new Map([
        ['a', { at: state.now, ip: '1.2.3.5' }],
        ['b', { at: state.now - MINUTE, ip: '1.2.3.4' }],
      ]),
    );
    await uses.stop();
  });
  test('are seen by other processes, the latest of all', async () => {
    const { state, open, uses } = world();
    const other = open();
    uses.note('a', { ip: 'first' });
    state.now += 10;
    other.note('a', { ip: 'second' });
    await other.flush();
    await uses.flush();
    for (const each of [uses, other, open()]) assert.is((await each.last(['a'])).get('a')?.ip, 'second');
    await uses.stop();
    await other.stop();
  });
  test('wait for a store that is away', async () => {
    const { state, written, uses } = world();
    for (const id of ['a', 'b', 'c']) uses.note(id, { ip: 'x' });
    state.broken = true;
    await uses.flush();
    assert.equal([state.failures, written], [1, []]);
    state.broken = false;
    await uses.stop();
    assert.equal(written.sort(), ['token-use/a', 'token-use/b', 'token-use/c']);
  });
  test('are forgotten for good', async () => {
    const { open, uses } = world();
    for (const id of ['a', 'b']) uses.note(id, { ip: 'x' });
    await uses.flush();
    await uses.forget(['a']);
    for (const each of [uses, open()]) assert.equal([...(await each.last(['a', 'b'])).keys()], ['b']);
    await uses.stop();
  });
});
