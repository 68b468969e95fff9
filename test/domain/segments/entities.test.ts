import * as assert from 'uvu/assert';
import { suite } from '../../suite.js';
import { built, columnOf, feature, input, pointsOf, recipeOf, sourcesOf, type Known } from './given.js';

const HOUR = 3_600_000;
const START = Date.UTC(2024, 0, 1);
const series = (steps: number, factor: number) =>
  pointsOf(
    Array.from({ length: steps }, (_, i) => (i % 7 === 3 ? null : factor * Math.sin(i))),
    START,
    HOUR,
  );

suite('tables of several entities', test => {
  const recipe = recipeOf({
    entity_mode: 'per_entity',
    inputs: [input('price'), input('size', { role: 'static' })],
    features: [feature('before', 'lag', { column: 'y', steps: 1 })],
  });
  const signals = {
    y__b: pointsOf([10, 20, 30]),
    y__a: pointsOf([1, 2]),
    price: pointsOf([5, 6, 7]),
    price__b: pointsOf([8, null, 9]),
    size__a: pointsOf([100]),
  };

  test('rows stand by entity, then by time', async () => {
    const table = await built(recipe, sourcesOf({ signals }));
    assert.equal(table.entities, ['a', 'b']);
    assert.equal(
      table.rows.map(({ entity, y }) => [entity, y]),
      [
        ['a', 1],
        ['a', 2],
        ['b', 10],
        ['b', 20],
        ['b', 30],
      ],
    );
    assert.equal(table.csv.split('\n').slice(0, 2), [
      'ts,entity,y,price,size,before',
      '2024-01-01T00:00:00.000Z,a,1,5,100,',
    ]);
    assert.is(table.span.steps, 3);
  });

  test('an entity has its own inputs, and those of the plain key where it has none', async () => {
    const table = await built(recipe, sourcesOf({ signals }));
    assert.equal(columnOf(table, 'price'), [5, 6, 8, null, 9]);
    assert.equal(columnOf(table, 'size'), [100, 100, null, null, null]);
  });

  test('nothing goes from one entity to the next', async () => {
    const table = await built(recipe, sourcesOf({ signals }));
    assert.equal(columnOf(table, 'before'), [null, 1, null, 10, 20]);
    assert.is(table.quality.gaps, 1);
  });

  test('one without points in the window is left out', async () => {
    const table = await built(
      { ...recipe, from: START + 2 * 24 * HOUR, split: { ...recipe.split, folds: 0 } },
      sourcesOf({ signals }),
    );
    assert.equal(table.entities, ['b']);
  });
});

suite('going on from a checkpoint', test => {
  test('a table of entities goes on in the middle of one', async () => {
    const recipe = recipeOf({
      ...{
        step_s: 3_600,
        entity_mode: 'per_entity',
        inputs: [input('x')],
        fill: { method: 'linear', max_gap_steps: 2 },
      },
      features: [
        feature('s', 'rolling', { column: 'x', window: 9, fn: 'std' }),
        feature('e', 'ewm', { column: 'y', alpha: 0.1 }),
      ],
    });
    const known: Known = {
      signals: {
        y__a: series(5_000, 1),
        y__b: series(9_000, 2),
        y__c: series(100, 3),
        x__a: series(5_000, 4),
        x__b: series(9_000, 5),
      },
    };
    const before = await built(recipe, sourcesOf(known, Infinity, 1_000));
    assert.equal(
      before.checkpoints.map(({ entity, row }) => [entity, row]),
      [
        ['a', 4_096],
        ['b', 9_096],
        ['b', 13_192],
      ],
    );
    const time = START + 8_500 * HOUR;
    const more = [...series(8_500, 5), { time, value: 1e3 }, { time: time + 700 * HOUR, value: 7 }];
    const signals = {
      ...known.signals,
      x__b: more,
      y__b: [...series(9_000, 2), { time: START + 9_100 * HOUR, value: 3 }],
    };
    const sources = sourcesOf({ signals }, Infinity, 1_000);
    const [whole, rest] = [await built(recipe, sources), await built(recipe, sources, before.checkpoints)];
    assert.is(rest.from.row, 13_192);
    assert.equal(rest.rows, whole.rows.slice(13_192));
    assert.is(rest.table_hash, whole.table_hash);
    assert.equal(
      [rest.quality, rest.columns, rest.row_count],
      [whole.quality, whole.columns, whole.row_count],
    );
  });
});
