import fc from 'fast-check';
import * as assert from 'uvu/assert';
import { firstFrom } from '../../domain/maths/series/series.js';
import { lastTime, packed, runsOf, unpacked, valuesOf, type Columns } from '../../domain/signals/points.js';
import { EARLIEST, LATEST } from '../../domain/time.js';
import { suite } from '../suite.js';

const value = fc.double({ noNaN: true, noDefaultInfinity: true });
const near = fc
  .record({
    from: fc.integer({ min: -100, max: 100 }),
    steps: fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 30 }),
  })
  .map(({ from, steps }) => {
    const times = [from];
    for (const step of steps) times.push(times.at(-1)! + step);
    return times;
  });
const far = fc
  .uniqueArray(fc.integer({ min: EARLIEST, max: LATEST }), { minLength: 1, maxLength: 30 })
  .map(times => times.sort((a, b) => a - b));
const regular = fc
  .record({
    from: fc.integer(),
    step: fc.integer({ min: 1, max: 1e9 }),
    length: fc.integer({ min: 1, max: 50 }),
  })
  .map(({ from, step, length }) => Array.from({ length }, (_, i) => from + i * step));
const times = fc.oneof(near, far, regular);
const columns: fc.Arbitrary<Columns> = times.chain(ts =>
  fc.array(value, { minLength: ts.length, maxLength: ts.length }).map(values => ({ times: ts, values })),
);
const plus = (column: readonly number[]) => column.map(v => v + 0);

suite('points as columns', test => {
  test('come back as they were, also through JSON', () =>
    fc.assert(
      fc.property(columns, given => {
        const points = packed(given);
        const back = unpacked(points);
        const throughJson = unpacked(JSON.parse(JSON.stringify(points)));
        assert.equal(back, given);
        assert.equal(
          { times: throughJson.times, values: throughJson.values },
          { times: given.times, values: plus(given.values) },
        );
        assert.is(lastTime(points), given.times.at(-1));
        assert.is(points.from, given.times[0]);
      }),
    ));

  test('have one step when they are regular, and only then', () =>
    fc.assert(
      fc.property(columns, ({ times: ts, values }) => {
        const { steps } = packed({ times: ts, values });
        const gaps = new Set(ts.slice(1).map((time, i) => time - ts[i]!));
        assert.is(typeof steps === 'number', gaps.size === 1);
        if (typeof steps !== 'number') assert.is(steps.length, ts.length - 1);
      }),
    ));

  test('a regular one costs its value and a comma', () => {
    const many = {
      times: Array.from({ length: 1_000 }, (_, i) => i * 60_000),
      values: Array.from({ length: 1_000 }, () => 7),
    };
    assert.ok(JSON.stringify(packed(many)).length < 2_050);
  });
});

suite('runs', test => {
  const few = fc.array(fc.constantFrom(0, 1, 1, 1, 2, 1e15), { maxLength: 40 });
  test('come back as they were', () =>
    fc.assert(
      fc.property(few, values => {
        assert.equal(valuesOf(runsOf(values)), values);
      }),
    ));
  test('are as few as can be', () =>
    fc.assert(
      fc.property(few, values => {
        const changes = values.filter((v, i) => i > 0 && v !== values[i - 1]).length;
        assert.is(runsOf(values).length, values.length === 0 ? 0 : changes + 1);
      }),
    ));
});

suite('the first time that is not below', test => {
  const asked = fc.integer({ min: -110, max: 150 });
  test('is found as by looking at each', () =>
    fc.assert(
      fc.property(times, asked, (ts, time) => {
        const found = ts.findIndex(t => t >= time);
        assert.is(firstFrom(ts, time), found === -1 ? ts.length : found);
      }),
    ));
});
