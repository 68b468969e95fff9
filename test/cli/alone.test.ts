import * as assert from 'uvu/assert';
import { memoryKeyValue } from '../../adapters/memory.js';
import { alone } from '../../cli/jobs/alone.js';
import { progress, type Output } from '../../cli/jobs/job.js';
import { lease } from '../../workers/engine/lease.js';
import { eventually, rejection } from '../contract/opened.js';
import { suite } from '../suite.js';

suite('work that is done by one alone', test => {
  const world = (ttlMs: number) => {
    const kv = memoryKeyValue(Date.now);
    return () => lease(kv, 'work', { holder: 'a test', ttlMs, clock: Date.now });
  };
  const all = async (work: AsyncGenerator<Output>): Promise<number> => {
    let outputs = 0;
    for await (const _ of work) outputs++;
    return outputs;
  };
  async function* steps(): AsyncGenerator<Output> {
    yield progress(1);
    yield progress(2);
  }

  test('is refused while another does it, and free when that has ended', async () => {
    const held = world(60_000);
    const other = held();
    await other.acquire();
    const refused = await rejection(all(alone(held(), 'the work', steps)));
    assert.match(refused.message, /the work is under way already/);
    await other.release();
    assert.is(await all(alone(held(), 'the work', steps)), 2);
    assert.is(await all(alone(held(), 'the work', steps)), 2);
  });

  test('is broken off at the next step when its lease has run out', async () => {
    const held = world(50)();
    let reached = 0;
    async function* slow(): AsyncGenerator<Output> {
      yield progress(++reached);
      await eventually('the lease is over', () => held.left() <= 0);
      yield progress(++reached);
      yield progress(++reached);
    }
    const broken = await rejection(all(alone(held, 'the work', slow)));
    assert.match(broken.message, /broken off/);
    assert.is(reached, 2);
  });
});
