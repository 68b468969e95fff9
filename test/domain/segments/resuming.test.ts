import { hash } from 'node:crypto';
import * as assert from 'uvu/assert';
import type { Checkpoint } from '../../../domain/segments/ports.js';
import type { Recipe } from '../../../domain/segments/recipe.js';
import { suite } from '../../suite.js';
import {
  built,
  feature,
  input,
  recipeOf,
  sourcesOf,
  type Known,
  type Measured,
  type Point,
} from './given.js';

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

const inShort = (checkpoints: readonly Checkpoint[]): string =>
  JSON.stringify(checkpoints.map(each => ({ ...each, state: hash('sha256', each.state) })));

/** Where a build goes on that knows the checkpoints of before; it must be as one from nothing. */
async function goesOnAt(own: Recipe, before: Known, after: Known): Promise<number> {
  const { checkpoints } = await built(own, sourcesOf(before, Infinity, 1_000));
  assert.ok(checkpoints.length > 0);
  const whole = await built(own, sourcesOf(after, Infinity, 900));
  const again = await built(own, sourcesOf(after, Infinity, 1_100), checkpoints);
  assert.is(again.table_hash, whole.table_hash);
  assert.ok(again.csv === whole.csv);
  assert.equal(again.quality, whole.quality);
  assert.equal(again.columns, whole.columns);
  assert.equal(again.row_count, whole.row_count);
  const { block, row } = again.from;
  // What is left to the next build; where the past ends with a block there may be one more
  const left = [...checkpoints.filter(each => each.block <= block), ...again.checkpoints];
  assert.is(inShort(left.slice(0, whole.checkpoints.length)), inShort(whole.checkpoints));
  return row;
}

suite('a build goes on from the last checkpoint before what changed', test => {
  const y = hours(0, 13_000);
  const x = hours(0, 13_000);
  const revised = (points: readonly Point[], hour: number): Point[] =>
    points.map(point => (point.time === START + hour * HOUR ? { ...point, value: 99 } : point));
  const without = (points: readonly Point[], hour: number): Point[] =>
    points.filter(({ time }) => time !== START + hour * HOUR);
  const before = { signals: { x, y } };

  test('a new day', async () => {
    const day = hours(13_000, 13_024);
    assert.is(
      await goesOnAt(recipe, before, { signals: { x: [...x, ...day], y: [...y, ...day] } }),
      3 * BLOCK,
    );
  });

  test('nothing changed', async () => assert.is(await goesOnAt(recipe, before, before), 3 * BLOCK));

  test('a value of the past is another, is gone or is new, to the hour', async () => {
    for (const key of ['x', 'y'])
      for (const [hour, row] of [
        [2 * BLOCK, 2 * BLOCK],
        [2 * BLOCK - 1, BLOCK],
        [5_000, BLOCK],
        [BLOCK - 1, 0],
      ] as const)
        for (const change of [revised, without]) {
          const signals = { ...before.signals, [key]: change(before.signals[key as 'x'], hour) };
          assert.is(await goesOnAt(recipe, before, { signals }), row, `${change.name} ${key} ${hour}`);
          assert.is(await goesOnAt(recipe, { signals }, before), row, `back: ${change.name} ${key} ${hour}`);
        }
  });

  test('of a signal that counts later, what counts only later is not looked at', async () => {
    const own = { ...recipe, inputs: [input('x', { lag_s: 7_200 })] };
    const after = (hour: number): Known => ({ signals: { y, x: revised(x, hour) } });
    assert.is(await goesOnAt(own, before, after(2 * BLOCK - 2)), 2 * BLOCK);
    assert.is(await goesOnAt(own, before, after(2 * BLOCK - 3)), BLOCK);
  });

  test('a value of all rows', async () => {
    const own = { ...recipe, inputs: [input('x'), input('size', { role: 'static' })] };
    const sized = (value: number): Known => ({ signals: { x, y, size: [at(50_000, value)] } });
    assert.is(await goesOnAt(own, sized(1), sized(1)), 3 * BLOCK);
    assert.is(await goesOnAt(own, sized(1), sized(2)), 0);
    assert.is(await goesOnAt(own, sized(1), before), 0);
    assert.is(await goesOnAt(own, before, before), 3 * BLOCK, 'it has none');
  });

  test('a table that begins or ends elsewhere', async () => {
    assert.is(await goesOnAt(recipe, before, { signals: { x, y: y.slice(1) } }), 0);
    assert.is(await goesOnAt(recipe, before, { signals: { x, y: [at(-1, 0), ...y] } }), 0);
    assert.is(await goesOnAt(recipe, before, { signals: { x, y: y.slice(0, 2 * BLOCK + 1) } }), 2 * BLOCK);
    assert.is(await goesOnAt(recipe, before, { signals: { x, y: y.slice(0, 2 * BLOCK) } }), 2 * BLOCK);
    assert.is(await goesOnAt(recipe, before, { signals: { x, y: y.slice(0, 2 * BLOCK - 1) } }), BLOCK);
  });

  for (const encoding of ['count', 'value', 'decay'] as const)
    test(`an event that is late, gone, or scored since (${encoding})`, async () => {
      const own = { ...recipe, event_streams: [{ stream: 'news', encoding, half_life_s: 20_000 }] };
      const events = (news: Point[]): Known => ({ ...before, events: { news } });
      const few = [at(-30, 1), at(100, 1), at(6_000, 2), at(6_000, 3), at(12_900, 1)];
      assert.is(await goesOnAt(own, events(few), events(few)), 3 * BLOCK);
      assert.is(await goesOnAt(own, events(few), events([...few, at(12_999, 1)])), 3 * BLOCK);
      assert.is(await goesOnAt(own, events(few), events([...few, at(9_000, 1)])), 2 * BLOCK);
      assert.is(await goesOnAt(own, events(few), events(few.toSpliced(2, 1))), BLOCK);
      assert.is(await goesOnAt(own, events(few), events(few.slice(1))), encoding === 'decay' ? 0 : 3 * BLOCK);
      const scored = few.toSpliced(3, 1, at(6_000, 8));
      assert.is(await goesOnAt(own, events(few), events(scored)), encoding === 'value' ? BLOCK : 3 * BLOCK);
    });

  test('what events do, by the curve and by what they weigh', async () => {
    const event_streams = [{ stream: 'news', encoding: 'response_curve', half_life_s: 1 }] as const;
    const own = { ...recipe, event_streams };
    const response = { stepS: 3_600, offsets: [0, 36_000], effects: [2, 1] };
    const events = (news: Point[], of: Partial<Measured> = {}): Known => ({
      ...{ ...before, events: { news } },
      responses: [{ stream: 'news', target: 'y', response, ...of }],
    });
    const few = [at(-5, 1), at(-30, 1), at(100, 1), at(2 * BLOCK - 4, 2), at(12_900, 1)];
    const valued = { weighing: { by: 'value', mean: 1 } } as const;
    assert.is(await goesOnAt(own, events(few), events(few)), 3 * BLOCK);
    assert.is(await goesOnAt(own, events(few), events([...few, at(9_000, 1)])), 2 * BLOCK);
    assert.is(await goesOnAt(own, events(few), events(few.slice(1))), 0, 'it acted in the first rows');
    assert.is(await goesOnAt(own, events(few), events(few.toSpliced(1, 1))), 3 * BLOCK, 'it was over');
    const scored = few.toSpliced(3, 1, at(2 * BLOCK - 4, 7));
    assert.is(await goesOnAt(own, events(few), events(scored)), 3 * BLOCK, 'all weigh alike');
    assert.is(await goesOnAt(own, events(few, valued), events(scored, valued)), BLOCK);
    assert.is(await goesOnAt(own, events(few), events(few, valued)), 0);
    const other = { ...response, effects: [2, 1.5] };
    assert.is(await goesOnAt(own, events(few), events(few, { response: other })), 0);
    assert.is(
      await goesOnAt(own, events(few), events(few, { edgeId: 'edg_2' })),
      3 * BLOCK,
      'the same curve',
    );
  });

  test('other holidays, also of the past', async () => {
    const own = { ...recipe, features: [feature('free', 'holiday', { country: 'DE' })] };
    const free = (...days: number[]): Known => ({ ...before, holidays: { DE: days } });
    assert.is(await goesOnAt(own, free(19_800), free(19_800)), 3 * BLOCK);
    assert.is(await goesOnAt(own, free(19_800), free(19_801)), 0);
  });

  for (const method of ['linear', 'zero', 'seasonal'] as const)
    test(`the past ends before a value that a hole was filled by (fill: ${method})`, async () => {
      const own = { ...recipe, fill: { method, max_gap_steps: 5 } };
      const holed = [...hours(0, BLOCK - 1), at(BLOCK + 2, 9)];
      const short = hours(0, BLOCK + 1);
      const long = [...short, at(BLOCK + 100, 1)];
      const told = { signals: { x: holed, y: long } };
      assert.is(await goesOnAt(own, told, { signals: { x: holed, y: short } }), 0);
      const other = { signals: { x: [...hours(0, BLOCK - 1), at(BLOCK + 2, 8)], y: long } };
      assert.is(await goesOnAt(own, told, other), 0, 'it was looked at before the checkpoint');
    });

  test('a state that is lost, or a signal that is', async () => {
    const { checkpoints } = await built(recipe, sourcesOf(before, Infinity, 1_000));
    const whole = await built(recipe, sourcesOf(before, Infinity, 1_000));
    const again = await built(recipe, sourcesOf(before, Infinity, 1_000), checkpoints, true);
    assert.equal([again.from.row, again.table_hash], [0, whole.table_hash]);
    assert.is(await goesOnAt(recipe, before, { signals: { y } }), 0);
  });
});

suite('a build of entities goes on', test => {
  const own: Recipe = { ...recipe, entity_mode: 'per_entity' };
  const signals = { y__a: hours(0, 5_000), y__c: hours(0, 5_000), x__c: hours(0, 5_000), x: hours(0, 5_000) };
  const last = 5_000 + BLOCK;

  test('at the last of them, if those before are as they were', async () => {
    assert.is(await goesOnAt(own, { signals }, { signals }), last);
    const more = (key: keyof typeof signals): Known => ({
      signals: { ...signals, [key]: [...signals[key], ...hours(5_000, 5_010)] },
    });
    assert.is(await goesOnAt(own, { signals }, more('y__c')), last);
    assert.is(await goesOnAt(own, { signals }, more('y__a')), BLOCK);
    assert.is(await goesOnAt(own, { signals }, more('x__c')), last);
    assert.is(await goesOnAt(own, { signals }, more('x')), last, 'after the rows of all who have it');
  });

  test('not beyond one that is new or gone', async () => {
    const b = { signals: { ...signals, y__b: hours(0, 10) } };
    assert.is(await goesOnAt(own, { signals }, b), BLOCK);
    assert.is(await goesOnAt(own, b, { signals }), BLOCK);
    const d = { signals: { ...signals, y__d: hours(0, 10) } };
    assert.is(await goesOnAt(own, { signals }, d), last);
    assert.is(await goesOnAt(own, d, { signals }), last);
    const first = { signals: { ...signals, y__0: hours(0, 10) } };
    assert.is(await goesOnAt(own, { signals }, first), 0);
    assert.is(await goesOnAt(own, first, { signals }), 0);
  });

  test('not where an input has become its own, or is none any more', async () => {
    const plain = { y__a: signals.y__a, y__c: signals.y__c, x: signals.x };
    assert.is(await goesOnAt(own, { signals }, { signals: plain }), BLOCK);
    assert.is(await goesOnAt(own, { signals: plain }, { signals }), BLOCK);
    const early = { signals: { ...signals, x__a: [at(4_900, 7)] } };
    assert.is(await goesOnAt(own, { signals }, early), 0);
    assert.is(await goesOnAt(own, early, { signals }), 0);
  });
});
