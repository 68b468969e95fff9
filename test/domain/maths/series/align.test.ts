import fc from 'fast-check';
import * as assert from 'uvu/assert';
import {
  align,
  latestCommonRows,
  MAX_CELLS,
  MAX_STEPS,
  type Aligned,
} from '../../../../domain/maths/series/align.js';
import { fixed } from '../../../../domain/maths/series/grid.js';
import { DAY, HOUR, MINUTE } from '../../../../domain/time.js';
import { suite } from '../../../suite.js';
import { gasoline, harbour, MONTHLY, webSales } from './extracts.js';
import { anySeries, every, firstsOfMonths } from './some.js';

const columns = ({ variables }: Aligned) =>
  variables.map(values => Array.from(values, x => (Number.isNaN(x) ? null : x)));
const at = (times: readonly number[]) => ({ times, values: times.map((_, i) => i) });

suite('alignment', test => {
  test('the value of a step is the mean of its points', () => {
    const aligned = align([every(MINUTE, [1, 2, 3, 6]), every(2 * MINUTE, [10, 20])]);
    assert.equal(aligned.step, fixed(2 * MINUTE));
    assert.equal(columns(aligned), [
      [1.5, 4.5],
      [10, 20],
    ]);
    assert.equal([...aligned.times], [0, 2 * MINUTE]);
  });
  test('a value stands for three empty steps, and then is missing, as before the first', () => {
    const holed = { times: [0, 6, 7].map(h => h * HOUR), values: [1, 2, 3] };
    const aligned = align([holed, every(HOUR, [5, 6, 7], HOUR)], { step: fixed(HOUR) });
    assert.equal(columns(aligned), [
      [1, 1, 1, 1, null, null, 2, 3],
      [null, 5, 6, 7, 7, 7, 7, null],
    ]);
  });
  test('how long it stands can be said', () => {
    const series = [{ times: [0, 4 * HOUR], values: [1, 2] }];
    const step = fixed(HOUR);
    assert.equal(columns(align(series, { step, carry: 0 })), [[1, null, null, null, 2]]);
    assert.equal(columns(align(series, { step, carry: 9 })), [[1, 1, 1, 1, 2]]);
  });
  test('months: one point in each step for decades, be it of the first, the middle or the last day', () => {
    for (const day of [1, 15, 28]) {
      const series = at(Array.from({ length: 600 }, (_, i) => Date.UTC(1970, i, day, 12)));
      const aligned = align([series], { carry: 0 });
      assert.equal(aligned.step, MONTHLY);
      assert.equal([...aligned.variables[0]!], series.values);
    }
    const ends = at(Array.from({ length: 600 }, (_, i) => Date.UTC(1970, i + 1, 0)));
    assert.equal([...align([ends], { carry: 0 }).variables[0]!], ends.values);
  });
  test('quarters and years likewise, also of a fiscal year', () => {
    for (const [month, step] of [
      [1, 3],
      [2, 3],
      [11, 3],
      [7, 12],
      [10, 12],
    ] as const) {
      const series = at(firstsOfMonths(1950, month, 80, step));
      assert.equal([...align([series], { carry: 0 }).variables[0]!], series.values);
    }
  });
  test('real monthly and quarterly series meet in quarters', () => {
    const aligned = align([gasoline, webSales], { span: 'common' });
    assert.is(aligned.step.months, 3);
    assert.is(new Date(aligned.from).toISOString(), '2000-07-01T00:00:00.000Z');
    assert.is(aligned.times.length, 41);
    const [second] = aligned.variables[0]!.subarray(1);
    const mean = [...gasoline.values].slice(1, 4).reduce((sum, x) => sum + x, 0) / 3;
    assert.ok(Math.abs(second! - mean) < 1e-12);
    assert.not(aligned.variables.some(values => values.includes(NaN)));
  });
  test('the common span is where all have begun and none has ended', () => {
    const series = [every(DAY, [1, 2, 3, 4]), every(DAY, [5, 6, 7, 8], 2 * DAY)];
    assert.equal(columns(align(series)), [
      [1, 2, 3, 4, 4, 4],
      [null, null, 5, 6, 7, 8],
    ]);
    assert.equal(columns(align(series, { span: 'common' })), [
      [3, 4],
      [5, 6],
    ]);
    assert.equal(columns(align([every(DAY, [1]), every(DAY, [1], 9 * DAY)], { span: 'common' })), [[], []]);
    assert.equal(columns(align([every(DAY, [1]), every(DAY, [])], { span: 'common' })), [[], []]);
  });
  test('nothing, one point, constants', () => {
    assert.equal(columns(align([])), []);
    assert.equal(columns(align([every(1, [])])), [[]]);
    assert.equal(columns(align([every(1, [7]), every(1, [])])), [[7], [null]]);
    assert.equal(columns(align([every(7, Array<number>(9).fill(0.1))], { step: fixed(21) })), [
      [0.1, 0.1, 0.1],
    ]);
  });
});

suite('alignment is bounded', test => {
  const far = { times: [0, 1000, Date.UTC(2026, 0, 1), Date.UTC(2026, 0, 1) + 1000], values: [1, 2, 3, 4] };
  test('in steps: a point in 1970 and one in 2026, every second', () => {
    const aligned = align([far], { step: fixed(1000) });
    assert.is(aligned.times.length, MAX_STEPS);
    assert.equal([...aligned.variables[0]!.slice(-2)], [3, 4]);
    assert.is(align([far], { step: fixed(1000), maxSteps: 10 }).times.length, 10);
  });
  test('in steps times series', () => {
    const aligned = align(Array<typeof far>(500).fill(far), { step: fixed(1000) });
    assert.is(aligned.times.length, MAX_CELLS / 500);
  });
  test('one wrong date far ahead does not hide what the series have in common', () => {
    const hours = Array.from({ length: 50 }, (_, i) => i * HOUR);
    const wrong = { times: [...hours, Date.UTC(9999, 0)], values: Array<number>(51).fill(1) };
    const aligned = align([wrong, every(HOUR, Array<number>(50).fill(2))], { span: 'common' });
    assert.is(latestCommonRows(aligned, 100).times.length, 50);
  });
});

suite('alignment, any series', test => {
  test('every value lies between those of its points, and every step without one near is missing', () => {
    const steps = fc.constantFrom(undefined, fixed(10), MONTHLY);
    fc.assert(
      fc.property(fc.array(anySeries(), { maxLength: 4 }), steps, (series, step) => {
        const aligned = align(series, { ...(step && { step }), maxSteps: 500 });
        assert.is(aligned.variables.length, series.length);
        aligned.variables.forEach((column, i) => {
          assert.is(column.length, aligned.times.length);
          const { times, values } = series[i]!;
          const slack = 1e-12 * Math.max(0, ...Array.from(values, Math.abs));
          column.forEach((value, k) => {
            const near = Array.from(values).filter(
              (_, p) =>
                times[p]! >= aligned.times[Math.max(0, k - 3)]!
                && times[p]! < (aligned.times[k + 1] ?? aligned.to),
            );
            if (Number.isNaN(value)) assert.is(near.length, 0);
            else assert.ok(value >= Math.min(...near) - slack && value <= Math.max(...near) + slack);
          });
        });
      }),
    );
  });
});

suite('latest common rows', test => {
  const aligned = (...variables: number[][]): Aligned => ({
    step: fixed(10),
    from: 0,
    to: variables[0]!.length * 10,
    times: Float64Array.from(variables[0]!, (_, k) => k * 10),
    variables: variables.map(values => Float64Array.from(values)),
  });
  const some = aligned([NaN, 1, 2, 3, NaN, 5, 6, NaN], [0, 1, 2, 3, 4, 5, 6, 7]);
  test('are the newest block without a missing value', () => {
    const rows = latestCommonRows(some, 10);
    assert.equal(columns(rows), [
      [5, 6],
      [5, 6],
    ]);
    assert.equal([rows.from, rows.to, ...rows.times], [50, 70, 50, 60]);
  });
  test('no more than asked for, the newest', () =>
    assert.equal(columns(latestCommonRows(some, 1)), [[6], [6]]));
  test('an older block where the newest is too short, the longest where all are', () => {
    assert.equal(columns(latestCommonRows(some, 10, 3)), [
      [1, 2, 3],
      [1, 2, 3],
    ]);
    assert.equal(columns(latestCommonRows(some, 10, 4)), [
      [1, 2, 3],
      [1, 2, 3],
    ]);
    assert.equal(columns(latestCommonRows(some, 2, 3)), [
      [5, 6],
      [5, 6],
    ]);
  });
  test('none where one variable has nothing', () => {
    assert.equal(columns(latestCommonRows(aligned([1, 2], [NaN, NaN]), 5)), [[], []]);
    assert.equal(columns(latestCommonRows(align([]), 5)), []);
  });
  test('all of two real series', () => {
    const rows = latestCommonRows(align([gasoline, harbour]), 1000);
    assert.is(rows.times.length, 120);
    assert.equal([...rows.variables[1]!], harbour.values);
  });
});
