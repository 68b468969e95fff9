import * as assert from 'uvu/assert';
import { months } from '../../../domain/maths/series/grid.js';
import type { Recipe } from '../../../domain/segments/recipe.js';
import { foldsOf } from '../../../domain/segments/splits.js';
import { stepLength, stepOf, stepsIn } from '../../../domain/segments/steps.js';
import { stepTimes } from '../../../domain/models/windowed/times.js';
import { randomOf, seedFrom } from '../../random.js';
import { suite } from '../../suite.js';
import { built, columnOf, feature, input, recipeOf, sourcesOf, type Point, type Table } from './given.js';

const BERLIN = 'Europe/Berlin';
const MONTH = 2_629_746;
const iso = (time: number): string => new Date(time).toISOString();
const datesOf = (table: Table): string[] => columnOf(table, 'ts').map(time => iso(time!).slice(0, 10));
const monthly = (count: number, every = 1): Point[] =>
  Array.from({ length: count }, (_, i) => ({ time: Date.UTC(2019, i * every, 1), value: (i * 7) % 12 }));
const sourceOf = (y: Point[]) => sourcesOf({ signals: { y } });

suite('steps of calendar months', test => {
  test('are asked for by the mean length of 1, 2, 3, 4, 6 or 12', () => {
    const asked = [1, 2, 3, 4, 6, 12].map(count => stepLength(count * MONTH).step_months);
    assert.equal(asked, [1, 2, 3, 4, 6, 12]);
    for (const step_s of [MONTH - 1, 5 * MONTH, 30 * 86_400, 86_400]) {
      assert.equal(stepLength(step_s), { step_s });
      assert.is(stepOf({ step_s }).months, 0);
    }
    assert.equal(stepOf(stepLength(3 * MONTH)), months(3));
  });

  test('begin with months, quarters and years of the zone', () => {
    const beginnings = (count: number, timezone: string, from: number): string[] => {
      const steps = stepsIn({ ...stepLength(count * MONTH), timezone });
      const first = steps.startOf(from);
      return [first, steps.next(first), steps.next(steps.next(first))].map(iso);
    };
    assert.equal(beginnings(1, BERLIN, Date.UTC(2024, 2, 10)), [
      ...['2024-02-29T23:00:00.000Z', '2024-03-31T22:00:00.000Z', '2024-04-30T22:00:00.000Z'],
    ]);
    assert.equal(beginnings(3, 'UTC', Date.UTC(2023, 10, 10)), [
      ...['2023-10-01T00:00:00.000Z', '2024-01-01T00:00:00.000Z', '2024-04-01T00:00:00.000Z'],
    ]);
    assert.equal(beginnings(12, 'America/New_York', Date.UTC(1970, 0, 1)), [
      ...['1969-01-01T05:00:00.000Z', '1970-01-01T05:00:00.000Z', '1971-01-01T05:00:00.000Z'],
    ]);
    assert.is(beginnings(1, 'UTC', Date.parse('0099-12-31'))[1], '0100-01-01T00:00:00.000Z');
  });

  test('every time lies in one, and they are counted', () => {
    const random = randomOf(seedFrom('MONTHS_SEED'));
    const zones = ['UTC', BERLIN, 'America/St_Johns', 'Pacific/Apia', 'Africa/Casablanca'];
    for (let round = 0; round < 500; round++) {
      const count = random.pick([1, 2, 3, 4, 6, 12]);
      const steps = stepsIn({ ...stepLength(count * MONTH), timezone: random.pick(zones) });
      const time = Math.floor(random.next() * Date.UTC(2030, 0, 1));
      const start = steps.startOf(time);
      assert.ok(start <= time && time < steps.next(start), `${time}`);
      assert.is(steps.startOf(steps.next(start) - 1), start);
      assert.is(steps.count(start, steps.next(steps.next(start))), 2);
    }
    const utc = stepsIn({ ...stepLength(MONTH), timezone: 'UTC' });
    assert.is(utc.count(Date.UTC(2000, 0, 1), Date.UTC(2025, 0, 1)), 300);
  });

  test('are counted as they follow each other, wherever the count begins', () => {
    for (const [count, timezone] of [
      ...[1, 2, 3, 4, 6, 12].map(each => [each, 'Pacific/Apia'] as const),
      ...[[1, 'America/Juneau'] as const, [1, BERLIN] as const],
    ]) {
      const steps = stepsIn({ ...stepLength(count * MONTH), timezone });
      const starts = [steps.startOf(Date.UTC(1840, 0, 1))];
      while (starts.at(-1)! < Date.UTC(2060, 0, 1)) starts.push(steps.next(starts.at(-1)!));
      for (let first = 0; first < starts.length; first += 97)
        for (let last = 0; last < starts.length; last++)
          assert.is(steps.count(starts[first]!, starts[last]!), last - first, `${count} ${timezone}`);
    }
    const far = stepsIn({ ...stepLength(MONTH), timezone: 'UTC' });
    assert.is(far.count(Date.UTC(-2, 11, 1), Date.UTC(9999, 11, 1)), 10_001 * 12);
  });

  test('a monthly series has one row a month, 12 a year, without gaps', async () => {
    const y = monthly(60);
    const features = [
      feature('year', 'lag', { column: 'y', steps: 12 }),
      feature('month', 'calendar', { part: 'month' }),
      feature('free', 'holiday', { country: 'DE' }),
    ];
    const split = { method: 'rolling_origin', folds: 2, horizon: 12, gap: 0 } as const;
    const recipe = recipeOf({ ...stepLength(MONTH), features, split });
    const day = (time: number): number => time / 86_400_000;
    const holidays = { DE: [day(Date.UTC(2020, 11, 25)), day(Date.UTC(2020, 11, 26))] };
    const table = await built(recipe, sourcesOf({ signals: { y }, holidays }));
    assert.equal(
      columnOf(table, 'ts'),
      y.map(({ time }) => time),
    );
    assert.equal(
      columnOf(table, 'y'),
      y.map(({ value }) => value),
    );
    assert.equal([table.quality.gaps, table.quality.duplicates, table.quality.warnings], [0, 0, undefined]);
    assert.equal(columnOf(table, 'year').slice(12), columnOf(table, 'y').slice(0, -12));
    assert.equal(
      columnOf(table, 'month'),
      y.map((_, i) => (i % 12) + 1),
    );
    assert.equal(
      columnOf(table, 'free'),
      y.map((_, i) => (i === 23 ? 2 : 0)),
    );
    assert.equal(
      foldsOf(recipe, table.span).map(({ test: { from, to } }) => [iso(from), iso(to)]),
      [
        ['2022-01-01T00:00:00.000Z', '2023-01-01T00:00:00.000Z'],
        ['2023-01-01T00:00:00.000Z', '2024-01-01T00:00:00.000Z'],
      ],
    );
  });

  test('days of a month make one row, and a hole is filled with the year before', async () => {
    const days = Array.from({ length: 366 }, (_, i) => ({ time: Date.UTC(2024, 0, 1 + i), value: 1 }));
    const daily = recipeOf({ ...stepLength(MONTH), aggregate: 'sum' });
    const sums = columnOf(await built(daily, sourceOf(days)), 'y');
    assert.equal(sums, [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]);
    const x = monthly(30).filter((_, i) => i !== 20);
    const fill = { method: 'seasonal', max_gap_steps: 2 } as const;
    const recipe = recipeOf({ ...stepLength(MONTH), fill, inputs: [input('x')] });
    const table = await built(recipe, sourcesOf({ signals: { y: monthly(30), x } }));
    assert.is(columnOf(table, 'x')[20], monthly(30)[8]!.value);
  });

  test('what events do is counted in months, long and short ones alike', async () => {
    const response = {
      ...{ stepS: MONTH, offsets: [0, MONTH, 2 * MONTH], effects: [10, 6, 2] },
    };
    const measured = { stream: 'news', target: 'y', response };
    const at = [Date.UTC(2019, 0, 20), Date.UTC(2019, 6, 31)];
    const events = { news: at.map(time => ({ time, value: 1 })) };
    const features = [feature('answer', 'event_response', { stream: 'news' })];
    const recipe = recipeOf({ ...stepLength(MONTH), features });
    const table = await built(
      recipe,
      sourcesOf({ signals: { y: monthly(12) }, events, responses: [measured] }),
    );
    assert.equal(columnOf(table, 'answer'), [10, 6, 2, 0, 0, 0, 10, 6, 2, 0, 0, 0]);
  });

  test('what an event does is the same wherever the table begins', async () => {
    // Over after 61 days: July and August have 62, and are 60.9 in the mean
    const response = { stepS: 1, offsets: [0, 61 * 86_400], effects: [10, 10] };
    const recipe = recipeOf({
      ...stepLength(MONTH),
      features: [feature('answer', 'event_response', { stream: 'news' })],
    });
    const answerFrom = async (first: number) => {
      const y = monthly(12).slice(first);
      const events = { news: [{ time: Date.UTC(2019, 6, 1, 6), value: 1 }] };
      const responses = [{ stream: 'news', target: 'y', response }];
      return columnOf(await built(recipe, sourcesOf({ signals: { y }, events, responses })), 'answer');
    };
    const whole = await answerFrom(0);
    assert.equal(whole.slice(6), [10, 10, 10, 0, 0, 0]);
    for (const first of [6, 7, 8, 9]) assert.equal(await answerFrom(first), whole.slice(first), `${first}`);
  });

  test('what was made before there were months has steps of the same length as ever', async () => {
    const table = await built(recipeOf({ step_s: MONTH }), sourceOf(monthly(60)));
    const times = columnOf(table, 'ts').map(Number);
    assert.ok(times.every((time, i) => i === 0 || time - times[i - 1]! === MONTH * 1_000));
    assert.is(datesOf(table)[0], '2018-12-05');
  });
});

suite('fixed steps of a target that comes by months', test => {
  const warned = async (step: number | Partial<Recipe>, y: Point[]) =>
    (
      await built(recipeOf(typeof step === 'number' ? { step_s: step } : step), sourceOf(y))
    ).quality.warnings?.map(({ message }) => message) ?? [];

  test('are warned of, with the step to take', async () => {
    for (const days of [28, 30, 31]) {
      const [message] = await warned(days * 86_400, monthly(60));
      assert.match(message!, `steps of ${days * 86_400} seconds`);
      assert.match(message!, `A step_s of ${MONTH} is such a step`);
    }
    assert.match((await warned(91 * 86_400, monthly(60)))[0]!, 'A step_s of 7889238');
    assert.match((await warned(365 * 86_400, monthly(20, 3)))[0]!, 'A step_s of 31556952');
  });

  test('and so are those of a month from before there were months, until they are saved again', async () => {
    const [message] = await warned(MONTH, monthly(60));
    assert.match(
      message!,
      `steps of ${MONTH} seconds are not: some hold two points, others none. Once the recipe is saved`,
    );
    assert.equal(await warned(stepLength(MONTH), monthly(60)), []);
  });

  test('and others are not', async () => {
    const days = Array.from({ length: 400 }, (_, i) => ({ time: Date.UTC(2024, 0, 1 + i), value: i }));
    assert.equal(await warned(30 * 86_400, days), []);
    const even = Array.from({ length: 40 }, (_, i) => ({ time: Date.UTC(2024, 0, 1 + 30 * i), value: i }));
    assert.equal(await warned(30 * 86_400, even), []);
    assert.equal(await warned(86_400, monthly(20)), []);
    assert.equal(await warned(30 * 86_400, monthly(20, 3)), []);
  });
});

suite('what a model that learnt months is told of time', test => {
  const told = (start: number, timezone: string, learnt = months(1)) => {
    const timeOf = stepTimes(
      { values: new Float64Array(1), period: 12, times: { start, step: months(1) } },
      { kind: 'numbers', step: learnt, timezone },
    );
    return [0, 1, 2, 7].map(k => iso(timeOf(k)));
  };

  test('is each month where the first one begins by its clocks, and else as far into a month of UTC', () => {
    assert.equal(told(Date.parse('2023-12-31T23:00:00Z'), BERLIN), [
      ...['2023-12-31T23:00:00.000Z', '2024-01-31T23:00:00.000Z', '2024-02-29T23:00:00.000Z'],
      '2024-07-31T22:00:00.000Z',
    ]);
    for (const zone of ['UTC', BERLIN, 'America/New_York'])
      assert.equal(told(Date.UTC(2024, 0, 1), zone), [
        ...['2024-01-01T00:00:00.000Z', '2024-02-01T00:00:00.000Z', '2024-03-01T00:00:00.000Z'],
        '2024-08-01T00:00:00.000Z',
      ]);
  });
});
