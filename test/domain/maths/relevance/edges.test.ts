import fc from 'fast-check';
import * as assert from 'uvu/assert';
import { analyseRelevance, LEAST_ROWS, MOST_ROWS } from '../../../../domain/maths/relevance/analysis.js';
import type { Candidate, RelevanceInput } from '../../../../domain/maths/relevance/answer.js';
import { DAY } from '../../../../domain/time.js';
import { randomOf } from '../../../random.js';
import { suite } from '../../../suite.js';
import { projectOut, unit } from '../../../../domain/maths/relevance/vectors.js';
import { column, drivenBy, regressive, white } from './made.js';

const signal = (key: string, values: Float64Array): Candidate => ({ key, type: 'signal', values });
const asked = (
  target: Float64Array,
  candidates: readonly Candidate[],
  changes: Partial<RelevanceInput> = {},
) => analyseRelevance({ target, candidates, step: DAY, horizon: 1, season: null, ...changes });

suite('relevance of what is short', test => {
  const random = randomOf(1);
  const y = white(200, random);
  const x = white(200, random);
  const insufficient = { rows: [], baseline_error: null, warnings: [], error: 'insufficient_data' };
  test('no target, and one of fewer than 40 values', () => {
    assert.equal(asked(new Float64Array(), []), insufficient);
    assert.equal(
      asked(y.slice(0, LEAST_ROWS - 1), [signal('x', x.slice(0, LEAST_ROWS - 1))]).error,
      'insufficient_data',
    );
    assert.equal(
      asked(
        y.map((value, t) => (t % 6 ? NaN : value)),
        [],
      ).error,
      'insufficient_data',
    );
    assert.is(asked(y.slice(0, LEAST_ROWS), [signal('x', x.slice(0, LEAST_ROWS))]).error, null);
  });
  test('a horizon that leaves too little', () => {
    assert.is(asked(y.slice(0, 60), [], { horizon: 20 }).error, 'insufficient_data');
    assert.is(asked(y.slice(0, 60), [], { horizon: 10 }).error, null);
  });
  test('a key that shares too little with the target is left out and named', () => {
    const late = x.map((value, t) => (t < 170 ? NaN : value));
    const { rows, warnings, error } = asked(y, [signal('late', late), signal('x', x)]);
    assert.equal(
      rows.map(({ key }) => key),
      ['x'],
    );
    assert.equal(warnings, [{ code: 'insufficient_overlap', keys: ['late'] }]);
    assert.is(error, null);
    assert.is(asked(y, [signal('late', late)]).error, 'insufficient_data');
  });
  test('a key that begins later is judged by what both have', () => {
    const driver = white(300, random);
    const target = drivenBy(driver, 2, 1.5, random);
    const later = driver.map((value, t) => (t < 200 ? NaN : value));
    const [row] = asked(target, [signal('later', later)]).rows;
    assert.equal([row!.n, row!.lag_s], [100, (2 * DAY) / 1000]);
    assert.ok(row!.relevance > 0.2);
  });
  test('a season of which there are not three is passed over and said', () => {
    assert.equal(asked(y, [], { season: 100 }).warnings, [{ code: 'season_too_long', keys: [] }]);
    assert.equal(asked(y, [], { season: 12 }).warnings, []);
  });
});

suite('relevance of what hardly varies', test => {
  const random = randomOf(2);
  const y = regressive(0.7)(150, random);
  test('a constant key tells nothing', () => {
    const { rows, warnings } = asked(y, [
      signal(
        'five',
        column(150, () => 5),
      ),
    ]);
    const nothing = { relevance: 0, lift: 0, lag_s: null, method: null, stable: false, n: 150 };
    assert.equal(rows, [{ key: 'five', type: 'signal', ...nothing }]);
    assert.equal(warnings, [{ code: 'constant', keys: ['five'] }]);
  });
  test('a constant target needs no help', () => {
    const {
      rows,
      warnings,
      baseline_error: error,
    } = asked(
      column(150, () => 0.1),
      [signal('y', y)],
    );
    assert.equal([rows[0]!.relevance, error, warnings], [0, 0, [{ code: 'constant_target', keys: [] }]]);
  });
  test('nor does a straight line, or a pure season', () => {
    const line = asked(
      column(150, t => 3 * t),
      [signal('y', y)],
    );
    const wave = column(150, t => Math.sin((2 * Math.PI * t) / 12));
    assert.is(line.rows[0]!.relevance, 0);
    assert.ok(line.baseline_error! < 1e-9);
    assert.is(asked(wave, [signal('y', y)], { season: 12 }).rows[0]!.relevance, 0);
    assert.is(asked(y, [signal('wave', wave)], { season: 12 }).rows[0]!.lag_s, null);
  });
  test('a column without what it depends on is 0, not rounding', () => {
    const a = unit(column(50, t => Math.sin(t)));
    const b = unit(column(50, () => 1));
    const sum = a.map((x, t) => 3 * x + 1e6 * b[t]!);
    projectOut([b], a);
    projectOut([b, unit(a)], sum);
    assert.equal(sum, new Float64Array(50));
  });
  test('a key that is a line tells nothing beyond the trend', () =>
    assert.is(
      asked(y, [
        signal(
          'line',
          column(150, t => t),
        ),
      ]).rows[0]!.lift,
      0,
    ));
});

suite('relevance, always', test => {
  const random = randomOf(3);
  const x = white(160, random);
  const y = drivenBy(x, 2, 1, random);
  const reference = asked(y, [signal('x', x)]);
  test('place and scale of the series leave no trace, up to the largest numbers', () => {
    for (const [scale, shift] of [
      [1e6, 5],
      [-1, 0],
      [1e-200, 0],
      [1e307, 0],
    ] as const) {
      const [row] = asked(
        y.map(value => (value * scale) / 100 + shift),
        [
          signal(
            'x',
            x.map(value => value * scale + shift),
          ),
        ],
      ).rows;
      assert.ok(
        Math.abs(row!.relevance - reference.rows[0]!.relevance) < 1e-6,
        `${scale}: ${row!.relevance}`,
      );
      assert.equal([row!.lag_s, row!.stable], [reference.rows[0]!.lag_s, true]);
    }
    const scaled = asked(
      y.map(value => (value * 1e307) / 100),
      [],
    ).baseline_error!;
    assert.ok(Math.abs(scaled / 1e305 - asked(y, []).baseline_error!) < 1e-9);
  });
  test('the order of keys and what else is asked leave no trace', () => {
    const keys = [signal('x', x), signal('a', white(160, random)), signal('b', white(160, random))];
    assert.equal(asked(y, keys), asked(y, [...keys].reverse()));
    assert.equal(asked(y, keys).rows[0], reference.rows[0]);
  });
  test('of long series the newest steps count', () => {
    const long = regressive(0.5)(MOST_ROWS + 500, random);
    const key = white(MOST_ROWS + 500, random);
    const all = asked(long, [signal('x', key)]);
    const newest = asked(long.slice(500), [signal('x', key.slice(500))]);
    assert.equal(all, newest);
    assert.is(all.rows[0]!.n, MOST_ROWS);
  });
  test('numbers are in their ranges and rows in order, whatever comes', () => {
    const value = fc.oneof(
      { weight: 8, arbitrary: fc.double({ min: -100, max: 100, noNaN: true }) },
      { weight: 1, arbitrary: fc.constantFrom(NaN, 0, 1e300, -1e300) },
    );
    const some = (length: number) =>
      fc.array(value, { minLength: length, maxLength: length }).map(values => Float64Array.from(values));
    const columns = fc
      .integer({ min: 30, max: 90 })
      .chain(length => fc.tuple(some(length), fc.array(some(length), { maxLength: 3 })));
    const horizons = fc.integer({ min: 1, max: 20 });
    const seasons = fc.constantFrom(null, 2, 7, 12);
    fc.assert(
      fc.property(columns, horizons, seasons, ([target, keys], horizon, season) => {
        const { rows, error } = asked(
          target,
          keys.map((values, i) => signal(`k${i}`, values)),
          { horizon, season },
        );
        assert.is(error !== null && rows.length > 0, false);
        rows.forEach(({ relevance, lift, lag_s, n }, i) => {
          assert.ok(
            relevance >= 0 && relevance <= 1 && lift <= 1 && Number.isFinite(lift) && n >= LEAST_ROWS,
          );
          assert.ok(relevance === 0 || (lag_s !== null && lag_s * 1000 >= horizon * DAY && lift > 0));
          assert.ok(i === 0 || rows[i - 1]!.relevance >= relevance);
        });
      }),
    );
  });
});
