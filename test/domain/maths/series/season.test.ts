import * as assert from 'uvu/assert';
import { fixed, months } from '../../../../domain/maths/series/grid.js';
import { autocorrelation, periodsOf, seasonOf } from '../../../../domain/maths/series/season.js';
import { DAY, HOUR, MINUTE, SECOND } from '../../../../domain/time.js';
import { randomOf } from '../../../random.js';
import { suite } from '../../../suite.js';
import { gasoline, houses, housesAdjusted, MONTHLY, QUARTERLY, webSales } from './extracts.js';
import { near } from './some.js';

const column = (length: number, of: (t: number) => number) => Float64Array.from({ length }, (_, t) => of(t));
const wave = (t: number, period: number) => Math.sin((2 * Math.PI * t) / period);

suite('periods', test => {
  const expected = [
    [MONTHLY, [12]],
    [QUARTERLY, [4]],
    [months(12), []],
    [months(24), []],
    [fixed(DAY), [7, 365]],
    [fixed(7 * DAY), [52]],
    [fixed(HOUR), [24, 168]],
    [fixed(15 * MINUTE), [4, 96, 672]],
    [fixed(MINUTE), [60, 1440]],
    [fixed(SECOND), [60]],
    [fixed(7 * SECOND), []],
    [fixed(400 * DAY), []],
  ] as const;
  for (const [step, periods] of expected)
    test(`of ${step.months || step.ms / 1000} ${step.months ? 'months' : 's'}`, () =>
      assert.equal(periodsOf(step), periods));
});

suite('season', test => {
  test('housing starts and sales on the web have one, adjusted and gasoline prices none', () => {
    assert.is(seasonOf(Float64Array.from(houses.values), MONTHLY), 12);
    assert.is(seasonOf(Float64Array.from(webSales.values), QUARTERLY), 4);
    assert.is(seasonOf(Float64Array.from(housesAdjusted.values), MONTHLY), null);
    assert.is(seasonOf(Float64Array.from(gasoline.values), MONTHLY), null);
  });
  test('a day in hours, under noise and a trend, with a hole', () => {
    const { next } = randomOf(1);
    const values = column(400, t => t / 10 + 3 * wave(t, 24) + next());
    values.fill(NaN, 100, 130);
    assert.is(seasonOf(values, fixed(HOUR)), 24);
  });
  test('a week where it says more than the day', () => {
    const { next } = randomOf(2);
    const week = Array.from({ length: 168 }, () => 3 * next());
    assert.is(
      seasonOf(
        column(1000, t => wave(t, 24) + week[t % 168]!),
        fixed(HOUR),
      ),
      168,
    );
    const weekday = (t: number) => (t % 168 < 144 ? 3 : -3);
    assert.is(
      seasonOf(
        column(1000, t => weekday(t) * wave(t, 24) + next()),
        fixed(HOUR),
      ),
      168,
    );
    assert.is(
      seasonOf(
        column(1000, t => 3 * wave(t, 24) + next()),
        fixed(HOUR),
      ),
      24,
    );
  });
  test('one crisis does not hide it', () =>
    assert.is(
      seasonOf(
        column(120, t => wave(t, 12) + (t === 60 ? 500 : 0)),
        MONTHLY,
      ),
      12,
    ));
  test('none in what is short, constant, straight or slow', () => {
    assert.is(
      seasonOf(
        column(35, t => wave(t, 12)),
        MONTHLY,
      ),
      null,
    );
    assert.is(
      seasonOf(
        column(36, t => wave(t, 12)),
        MONTHLY,
      ),
      12,
    );
    for (const of of [() => 5, (t: number) => 0.1 * t, (t: number) => wave(t, 90), () => NaN])
      assert.is(seasonOf(column(200, of), MONTHLY), null);
    assert.is(seasonOf(new Float64Array(), MONTHLY), null);
    assert.is(
      seasonOf(
        column(1, () => 1),
        fixed(DAY),
      ),
      null,
    );
  });
  test('none in noise and random walks: at most 1 of 200', () => {
    const { next } = randomOf(3);
    let found = 0;
    for (let i = 0; i < 200; i++) {
      let level = 0;
      const noise = column(120, () => next());
      const walk = column(120, () => (level += next() - 0.5));
      if (seasonOf(i % 2 ? noise : walk, i % 4 < 2 ? MONTHLY : fixed(DAY)) !== null) found++;
    }
    assert.ok(found <= 1, `${found}`);
  });
});

suite('autocorrelation', test => {
  test('is that of numpy 2.4.6, corrcoef(x[k:], x[:-k])', () => {
    const values = Float64Array.of(3, -1, 4, 1, -5, 9, 2, 6, 5, 3.5);
    for (const [lag, expected] of [
      [1, -0.3040966374424496],
      [2, 0.11705304736618201],
      [4, -0.36350280437040355],
    ] as const)
      assert.ok(near(autocorrelation(values, lag), expected), `${lag}`);
  });
  test('is 0 where nothing varies or nothing is left', () => {
    assert.is(autocorrelation(Float64Array.of(1, 1, 1), 1), 0);
    assert.is(autocorrelation(Float64Array.of(1, 2), 5), 0);
    assert.is(autocorrelation(Float64Array.of(1, NaN, 2, NaN), 1), 0);
  });
});
