import * as assert from 'uvu/assert';
import { foldsOf } from '../../../domain/segments/splits.js';
import { suite } from '../../suite.js';
import { built, input, pointsOf, recipeOf, sourcesOf, type Point } from './given.js';

const START = Date.UTC(2024, 0, 1);
const HOUR = 3_600_000;
const noise = (i: number): number => ((i * 7_919) % 101) / 101;
const series = (of: (i: number) => number | null, count = 30) =>
  pointsOf(Array.from({ length: count }, (_, i) => of(i)));

suite('the quality of a table', test => {
  const told = async (signals: Record<string, Point[]>) => {
    const inputs = Object.keys(signals)
      .filter(key => key !== 'y')
      .map(key => input(key));
    return (await built(recipeOf({ inputs }), sourcesOf({ signals }))).quality;
  };

  test('gaps are runs of empty steps between values', async () => {
    const y = series(noise, 8);
    const holes = pointsOf([null, 1, null, null, 4, null, 6, null]);
    assert.is((await told({ y, holes })).gaps, 2);
    assert.is((await told({ y: series(i => (i % 3 === 1 ? null : noise(i)), 8) })).gaps, 2);
  });

  test('duplicates are further points where steps mostly have one', async () => {
    const y = series(noise, 6);
    const again = [...y, { time: START + HOUR, value: 1 }, { time: START + 2 * HOUR, value: 1 }];
    assert.is((await told({ y: again })).duplicates, 2);
    const finer = pointsOf(
      Array.from({ length: 48 }, (_, i) => noise(i)),
      START,
      HOUR,
    );
    assert.is((await told({ y, finer })).duplicates, 0);
  });

  test('constant columns, without a word of likeness', async () => {
    // Sums of 0.1 are not exact
    const { constant_columns, leakage_warnings } = await told({
      y: series(() => 0.1),
      flat: series(() => 0.7),
      empty: [{ time: START - 365 * 24 * HOUR, value: 1 }],
    });
    assert.equal(constant_columns, ['y', 'empty', 'flat']);
    assert.equal(leakage_warnings, []);
  });

  test('an input like the target of now, of the next step, turned over; not one of before', async () => {
    const { leakage_warnings } = await told({
      y: series(noise),
      now: series(i => 1e9 + 3 * noise(i)),
      next: series(i => -noise(i + 1)),
      before: series(i => (i === 0 ? null : noise(i - 1))),
      nearly: series(i => noise(i) + noise(3 * i + 5) / 30),
    });
    assert.equal(leakage_warnings, [
      { column: 'next', reason: 'correlates with the target of the next step: -1.000000' },
      { column: 'now', reason: 'correlates with the target of the same step: 1.000000' },
    ]);
  });
});

suite('folds of a table', test => {
  test('lie at its end, also where entities lie millions of steps apart', async () => {
    const split = { method: 'rolling_origin', folds: 2, horizon: 3, gap: 1 } as const;
    const recipe = recipeOf({ step_s: 1, entity_mode: 'per_entity', split });
    const late = START + 10_000_000_000;
    const signals = {
      y__a: pointsOf([1, 2, 3], START, 1_000),
      y__b: pointsOf([1, 2, 3, 4, 5, 6, 7, 8, 9], late, 1_000),
    };
    const { span, row_count } = await built(recipe, sourcesOf({ signals }));
    assert.equal([row_count, span.steps], [12, 10_000_009]);
    assert.equal(
      foldsOf(recipe, span).map(({ train, test: tested }) => [train, tested]),
      [
        [
          { from: START, to: late + 2_000, steps: 10_000_002 },
          { from: late + 3_000, to: late + 6_000, steps: 3 },
        ],
        [
          { from: START, to: late + 5_000, steps: 10_000_005 },
          { from: late + 6_000, to: late + 9_000, steps: 3 },
        ],
      ],
    );
  });

  test('of days are cut where days of the zone begin', async () => {
    const split = { method: 'rolling_origin', folds: 1, horizon: 1, gap: 1 } as const;
    const recipe = recipeOf({ timezone: 'Europe/Berlin', split });
    // 2024-03-31 had 23 hours
    const y = pointsOf([1, 2, 3, 4], Date.UTC(2024, 2, 29, 12));
    const { span } = await built(recipe, sourcesOf({ signals: { y } }));
    const iso = (time: number): string => new Date(time).toISOString().slice(0, 13);
    const [fold] = foldsOf(recipe, span);
    assert.equal([fold!.train.from, fold!.train.to].map(iso), ['2024-03-28T23', '2024-03-30T23']);
    assert.equal([fold!.test.from, fold!.test.to].map(iso), ['2024-03-31T22', '2024-04-01T22']);
  });
});
