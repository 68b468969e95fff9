import { createHash } from 'node:crypto';
import * as assert from 'uvu/assert';
import { Rejected } from '../../../domain/rejected.js';
import { LIMITS, type Recipe } from '../../../domain/segments/recipe.js';
import { suite } from '../../suite.js';
import { assertClose, built, columnOf, feature, input, pointsOf, recipeOf, sourcesOf } from './given.js';

const DAY = 86_400_000;
const START = Date.UTC(2024, 0, 1);
const refused = async (work: Promise<unknown>): Promise<Rejected> => {
  const found = await work.then(
    () => null,
    (error: unknown) => error,
  );
  assert.instance(found, Rejected);
  return found as Rejected;
};

suite('rows of a table', test => {
  const signals = {
    y: pointsOf([1, 2, 3]),
    plan: pointsOf([10, 20, 30, 40, 50, 60]),
    other: pointsOf([5, 5, 5, 6, 6]),
    past: pointsOf([7, 8, 9, 10, 11, 12]),
  };
  const ahead = (parts: Partial<Recipe> = {}): Recipe =>
    recipeOf({
      inputs: [
        input('plan', { role: 'known_future' }),
        input('other', { role: 'known_future' }),
        input('past'),
      ],
      event_streams: [{ stream: 'news', encoding: 'count', half_life_s: 1 }],
      features: [
        feature('before', 'lag', { column: 'y', steps: 1 }),
        feature('planned', 'diff', { column: 'plan', steps: 1 }),
      ],
      ...parts,
    });
  const events = { news: [{ time: START + 4 * DAY, value: 1 }] };

  test('go on as far as the shortest input that is known ahead', async () => {
    const table = await built(ahead(), sourcesOf({ signals, events }));
    assert.equal([table.row_count, table.ahead], [5, 2]);
    assert.equal(columnOf(table, 'y'), [1, 2, 3, null, null]);
    assert.equal(columnOf(table, 'plan'), [10, 20, 30, 40, 50]);
    assert.equal(columnOf(table, 'past'), [7, 8, 9, null, null]);
    assert.equal(columnOf(table, 'before'), [null, 1, 2, 3, null]);
    assert.equal(columnOf(table, 'planned'), [null, 10, 10, 10, 10]);
    assert.equal(columnOf(table, 'news:count'), [0, 0, 0, 0, 1]);
    assert.equal(table.span, { from: START, to: START + 3 * DAY, steps: 3 });
    assert.is(table.data_cutoff, START + 2 * DAY);
  });

  test('of the past have what has happened alone, those ahead what is to happen, too', async () => {
    const dayOf = (day: number): number => START + day * DAY;
    const news = [1, 2.25, 2.75, 4].map(day => ({ time: dayOf(day), value: 3 }));
    const encodings = ['count', 'value', 'decay'] as const;
    const recipe = ahead({
      event_streams: encodings.map(encoding => ({ stream: 'news', encoding, half_life_s: 86_400 })),
    });
    const known = { signals, events: { news } };
    const now = await built(recipe, sourcesOf(known, dayOf(2.5)));
    assert.equal(columnOf(now, 'news:count'), [0, 1, 1, 0, 1]);
    assert.equal(columnOf(now, 'news:value'), [0, 3, 3, 0, 3]);
    const later = await built(recipe, sourcesOf(known, dayOf(2.75)));
    assert.equal(columnOf(later, 'news:count'), [0, 1, 2, 0, 1]);
    assert.is.not(later.table_hash, now.table_hash);
    const [decay, all] = [columnOf(now, 'news:decay'), columnOf(later, 'news:decay')];
    assert.equal(decay.slice(0, 2), all.slice(0, 2));
    assertClose([decay[2]! + 2 ** -0.25], [all[2]!], 'the past without it');
    assertClose(decay.slice(3), all.slice(3), 'ahead of it');
  });

  test('ahead of the past are not in its hash, nor in its quality', async () => {
    const table = await built(ahead(), sourcesOf({ signals, events }));
    const other = { ...signals, plan: pointsOf([10, 20, 30, 400]), other: pointsOf([5, 5, 5, 6, 6, 6]) };
    const changed = await built(ahead(), sourcesOf({ signals: other, events }));
    assert.is(changed.ahead, 1);
    assert.is(changed.table_hash, table.table_hash);
    assert.equal(changed.columns, table.columns);
    assert.is(table.columns.find(({ name }) => name === 'before')!.missing_ratio, 1 / 3);
    assert.is(table.table_hash, createHash('sha256').update(table.csv).digest('hex'));
    assert.is(table.csv.split('\n').length, 1 + 3 + 1);
  });

  test('a past input that comes late is known ahead for as long as it comes late', async () => {
    const inputs = [input('plan', { role: 'known_future' }), input('past', { lag_s: 86_400 })];
    const table = await built(
      ahead({ inputs, fill: { method: 'zero', max_gap_steps: 9 } }),
      sourcesOf({ signals }),
    );
    assert.equal(columnOf(table, 'past'), [0, 7, 8, 9, null, null]);
  });

  test('there are none ahead where an input that is known ahead ends sooner, or `to` does', async () => {
    const short = { ...signals, plan: pointsOf([10]) };
    assert.is((await built(ahead(), sourcesOf({ signals: short }))).ahead, 0);
    assert.is((await built(ahead({ to: START + 3 * DAY }), sourcesOf({ signals }))).ahead, 0);
    assert.is((await built(ahead({ to: START + 4 * DAY }), sourcesOf({ signals }))).ahead, 1);
  });

  test('from and to cut points, and `to` is not included', async () => {
    const table = await built(
      recipeOf({ from: START + 1, to: START + 3 * DAY }),
      sourcesOf({ signals: { y: signals.past } }),
    );
    assert.equal(columnOf(table, 'y'), [8, 9]);
  });

  test('what never changes has its first value in all rows', async () => {
    const own = { ...signals, size: pointsOf([null, 4, 5]) };
    const table = await built(
      recipeOf({ inputs: [input('size', { role: 'static' })] }),
      sourcesOf({ signals: own }),
    );
    assert.equal(columnOf(table, 'size'), [4, 4, 4]);
    assert.equal(table.quality.constant_columns, []);
  });

  test('too few or too many are refused', async () => {
    const split = { method: 'rolling_origin', folds: 2, horizon: 1, gap: 0 } as const;
    const few = await refused(built(recipeOf({ split: { ...split, gap: 1 } }), sourcesOf({ signals })));
    assert.equal([few.code, few.details], ['segment_too_short', { needed: 4, got: 3 }]);
    await built(recipeOf({ split }), sourcesOf({ signals }));
    const none = await refused(built(recipeOf({ to: START }), sourcesOf({ signals })));
    assert.is(none.code, 'segment_too_short');
    const long = {
      y: [
        { time: 0, value: 1 },
        { time: LIMITS.rows * 1_000, value: 1 },
      ],
    };
    const many = await refused(built(recipeOf({ step_s: 1 }), sourcesOf({ signals: long })));
    assert.equal([many.kind, many.code], ['unprocessable', 'segment_too_large']);
  });
});
