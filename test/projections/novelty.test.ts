import * as assert from 'uvu/assert';
import { suite } from '../suite.js';
import { world } from './world.js';

const STORY = 'Storm cuts power to 40,000 homes';
const T = 1_800_000_000_000;

/**
 * A stream where the story is told at first and at last; between them others, recorded in that order or after
 * both.
 */
async function toldTwice(between: readonly string[], after: readonly string[] = []): Promise<number | null> {
  const w = await world();
  const record = (text: string, occurredAt: number) =>
    w.commands.record('w', { key: 'news', text, occurredAt, details: {} }, w.context('w'));
  await record(STORY, T);
  for (const [i, text] of between.entries()) await record(text, T + 1 + i);
  const { eventId } = await record(STORY, T + 1_000);
  for (const [i, text] of after.entries()) await record(text, T + 500 + i);
  await w.project(1_000);
  return w.queries.novelty('w', eventId);
}
const others = (count: number, length = 0) =>
  Array.from({ length: count }, (_, i) => `Other news ${i}`.padEnd(length, ' and more of it'));

suite('the recent texts that an event is held against', test => {
  test('are the newest 64', async () => {
    assert.is(await toldTwice(others(63)), 0);
    assert.is(await toldTwice(others(64)), 1);
  });
  test('are fewer where they are long: 100,000 characters, 10,000 of each', async () => {
    assert.is(await toldTwice(others(9, 10_000)), 0);
    assert.is(await toldTwice(others(10, 9_999)), 0);
    assert.is(await toldTwice(others(10, 50_000)), 1);
  });
  test('are not crowded out by a few hundred that were recorded after it', async () => {
    assert.is(await toldTwice([], others(150)), 0);
    assert.is(await toldTwice(others(63), others(150)), 0);
    assert.is(await toldTwice([], others(256)), 1, 'so far it is looked, and no further');
  });
  test('there is none for an event that has gone', async () =>
    assert.is(await (await world()).queries.novelty('w', 'evt_none'), null));
});
