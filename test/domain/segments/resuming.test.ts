import * as assert from 'uvu/assert';
import { latestHolding } from '../../../domain/segments/resuming.js';
import type { Recipe } from '../../../domain/segments/recipe.js';
import { suite } from '../../suite.js';
import { built, feature, input, recipeOf, sourcesOf, type Known, type Point, type Table } from './given.js';

const HOUR = 3_600_000;
const START = Date.UTC(2024, 0, 1);
/** A checkpoint lies after so many rows. */
const BLOCK = 4_096;

const at = (hour: number, value: number): Point => ({ time: START + hour * HOUR, value });
const hours = (from: number, to: number): Point[] =>
  Array.from({ length: to - from }, (_, i) => at(from + i, Math.sin(from + i)));
const recipe = recipeOf({
  step_s: 3_600,
  inputs: [input('x')],
  features: [feature('f', 'rolling', { column: 'x', window: 5, fn: 'mean' })],
});

/** From nothing, and from the last checkpoint of before that holds after changes. */
async function bothWays(
  own: Recipe,
  before: Known,
  after: Known,
  changes: Readonly<Record<string, number>>,
): Promise<{ whole: Table; again: Table }> {
  const { checkpoints } = await built(own, sourcesOf(before, Infinity, 1_000));
  const signals = new Map(Object.entries(changes).map(([key, hour]) => [key, START + hour * HOUR]));
  const resume = latestHolding(own, checkpoints, { signals, streams: new Map() });
  assert.ok(resume, 'a checkpoint lies before what changed');
  const sources = sourcesOf(after, Infinity, 1_000);
  return { whole: await built(own, sources), again: await built(own, sources, resume) };
}

suite('a checkpoint that is none of the table is passed over', test => {
  test('the table begins elsewhere', async () => {
    const y = hours(0, 5_000);
    const own = recipeOf({ step_s: 3_600 });
    const before = { signals: { y } };
    const { whole, again } = await bothWays(own, before, { signals: { y: y.slice(1) } }, { y: 5_000 });
    assert.is(again.from.row, 0);
    assert.is(again.table_hash, whole.table_hash);
  });

  for (const method of ['linear', 'zero', 'seasonal'] as const)
    test(`the past ends before a value that a hole was filled by (fill: ${method})`, async () => {
      const own = { ...recipe, fill: { method, max_gap_steps: 5 } };
      const x = [...hours(0, BLOCK - 1), at(BLOCK + 2, 9)];
      const y = hours(0, BLOCK + 1);
      const before = { signals: { x, y: [...y, at(BLOCK + 100, 1)] } };
      const { whole, again } = await bothWays(own, before, { signals: { x, y } }, { y: BLOCK + 100 });
      assert.is(whole.row_count, BLOCK + 1);
      assert.is(again.from.row, 0);
      assert.is(again.table_hash, whole.table_hash);
    });

  test('an entity has an input of its own since, or has none any more', async () => {
    const own: Recipe = { ...recipe, entity_mode: 'per_entity' };
    const shared = { y__a: hours(0, 5_000), y__b: hours(0, 5_000), x: hours(0, 5_000) };
    const fresh = { ...shared, x__b: [at(4_900, 7)] };
    for (const [before, after] of [
      [shared, fresh],
      [fresh, shared],
    ] as const) {
      const { whole, again } = await bothWays(own, { signals: before }, { signals: after }, { x__b: 4_900 });
      assert.is(again.from.row, 0);
      assert.is(again.table_hash, whole.table_hash);
      assert.equal(again.rows, whole.rows);
    }
  });

  test('and one that is its own is gone on with', async () => {
    const x = hours(0, 5_000);
    const before = { signals: { x, y: hours(0, 5_000) } };
    const after = { signals: { x: [...x, ...hours(5_000, 5_024)], y: hours(0, 5_024) } };
    const { whole, again } = await bothWays(recipe, before, after, { x: 5_000, y: 5_000 });
    assert.is(again.from.row, BLOCK);
    assert.is(again.table_hash, whole.table_hash);
  });
});

suite('what a change touches', test => {
  const keys = { x: 'x', own: 'x__b' };
  const own: Recipe = { ...recipe, entity_mode: 'per_entity', inputs: [input('x'), input('x__b')] };
  const checkpoint = { entity: 'a', row: 10, block: 1, readTo: START, state: new Uint8Array() };
  const holds = (key: string): boolean =>
    latestHolding(own, [checkpoint], { signals: new Map([[key, START + HOUR]]), streams: new Map() })
    !== null;

  test('a signal may be that of an entity, and the plain one of another input', () => {
    assert.not.ok(holds(keys.own), 'as a plain key it stands in the rows of all entities');
    assert.not.ok(holds(keys.x));
    assert.ok(holds('x__c'));
    assert.ok(holds('y__b'));
  });
});
