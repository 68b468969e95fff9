import fc from 'fast-check';
import * as assert from 'uvu/assert';
import { Rejected } from '../../../domain/rejected.js';
import { numberIn, type NumberStyle } from '../../../domain/tables/cells.js';
import { readTable, type ColumnsAsked } from '../../../domain/tables/guess.js';
import { seriesIn } from '../../../domain/tables/series.js';
import { timesIn } from '../../../domain/tables/times.js';
import { suite } from '../../suite.js';

const nothing: ColumnsAsked = { time: null, values: null, entity: null };
/** A table as text: names, then rows, with spaces between cells. */
const table = (names: string, ...rows: string[]) => ({
  names: names.split(' '),
  rows: rows.map(row => row.split(' ')),
});
const read = (given: ReturnType<typeof table>, asked: Partial<ColumnsAsked> = {}) =>
  readTable(given, { ...nothing, ...asked }, 'point');
const columns = (given: ReturnType<typeof table>, asked: Partial<ColumnsAsked> = {}) => {
  const { time, entity, values, ignored } = read(given, asked);
  return {
    time: time?.column ?? null,
    entity: entity?.column ?? null,
    values: values.map(({ column }) => column),
    ignored: ignored.map(({ column }) => column),
  };
};
const fault = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    if (error instanceof Rejected) return error.message;
    throw error;
  }
  throw new Error('nothing was refused');
};

suite('tables of values', test => {
  const numbers: [string, number | null, NumberStyle?][] = [
    ['12', 12],
    [' -1.5e3 ', -1500],
    ['1,234,567.5', 1234567.5],
    ["1'234", 1234],
    ['.5', 0.5],
    ['', NaN],
    ['N/A', NaN],
    ['12,5', null],
    ['12,5', 12.5, 'comma'],
    ['1.234,5', 1234.5, 'comma'],
    ['1.5', 1.5, 'comma'],
    ['0x10', null],
    ['1e999', null],
    ['12 km', null],
    ['Infinity', null],
  ];
  for (const [cell, number, style] of numbers)
    test(`the number of '${cell}'${style ? ` (${style})` : ''}`, () =>
      assert.equal(numberIn(cell, style), number));

  const times: [string, string, ...string[]][] = [
    ['1949-01', 'YYYY-MM', '1949-01-01T00:00Z'],
    ['1949M12', 'YYYYMmm', '1949-12-01T00:00Z'],
    ['2020-Q3', 'YYYY-Qn', '2020-07-01T00:00Z'],
    ['Q4 2020', 'Qn YYYY', '2020-10-01T00:00Z'],
    ['Jan 1949', 'Mon YYYY', '1949-01-01T00:00Z'],
    ['3-Mar-2021', 'D Mon YYYY', '2021-03-03T00:00Z'],
    ['March 3, 2021', 'Mon D, YYYY', '2021-03-03T00:00Z'],
    ['2026-03-01T05:00:00+02:00', 'ISO 8601', '2026-03-01T03:00Z'],
    ['2026-03-01 05:30', 'ISO 8601', '2026-03-01T05:30Z'],
    ['20260301T053000Z', 'ISO 8601', '2026-03-01T05:30Z'],
    ['2026-W09-7', 'ISO 8601', '2026-03-01T00:00Z'],
    ['2026-060T05:30', 'ISO 8601', '2026-03-01T05:30Z'],
    ['2026/3/1', 'YYYY/MM/DD', '2026-03-01T00:00Z'],
    ['31/12/2025 23:59', 'DD/MM/YYYY', '2025-12-31T23:59Z'],
    ['31.12.2025', 'DD/MM/YYYY', '2025-12-31T00:00Z'],
    ['12/31/2025', 'MM/DD/YYYY', '2025-12-31T00:00Z'],
    ['20260301', 'YYYYMMDD', '2026-03-01T00:00Z'],
    ['202603', 'YYYYMM', '2026-03-01T00:00Z'],
    ['1949', 'YYYY', '1949-01-01T00:00Z'],
    ['1949.0833', 'year and months as a fraction', '1949-02-01T00:00Z'],
    ['1767225600', 'epoch', '2026-01-01T00:00Z'],
    ['1767225600000', 'epoch', '2026-01-01T00:00Z'],
  ];
  for (const [text, format, time] of times)
    test(`the time of '${text}'`, () => {
      const found = timesIn([text])!;
      assert.equal([found.format, found.times], [format, [Date.parse(time!)]]);
    });
  for (const text of [
    '',
    'soon',
    '2026-13',
    '2025-02-29',
    '30/02/2025',
    '1949.04',
    '1949.5.',
    'Foo 1949',
    '12:00',
  ])
    test(`'${text}' is no time`, () => assert.is(timesIn([text]), null));

  test('days and months that could be either way are said to be so', () => {
    assert.is(timesIn(['01/02/2020', '02/02/2020'])!.ambiguous, 'MM/DD/YYYY');
    assert.is(timesIn(['01/02/2020', '13/02/2020'])!.ambiguous, null);
    assert.is(timesIn(['01/02/2020', '01/13/2020'])!.format, 'MM/DD/YYYY');
  });

  test('a wide table: a column of times, and every column of numbers', () => {
    const wide = table('day note a b', '2026-01-01 x 1 2', '2026-01-02 y 3 NA');
    assert.equal(columns(wide), { time: 'day', entity: null, values: ['a', 'b'], ignored: ['note'] });
    assert.equal(columns(wide, { values: ['b'] }).values, ['b']);
    assert.equal(
      seriesIn(read(wide)).map(({ id, columns: { values } }) => [id, values]),
      [
        ['a', [1, 3]],
        ['b', [2]],
      ],
    );
  });

  test('a long table: a series for each whose rows they are', () => {
    const long = table(
      'ds unique_id y price',
      '2026-01-02 A 2 9',
      '2026-01-01 A 1 9',
      '2026-01-01 B 5 9',
      '2026-01-02 B NA 9',
    );
    assert.equal(columns(long), { time: 'ds', entity: 'unique_id', values: ['y'], ignored: ['price'] });
    assert.equal(
      seriesIn(read(long)).map(({ id, columns: { values } }) => [id, values]),
      [
        ['A', [1, 2]],
        ['B', [5]],
      ],
    );
    const byNumber = table('year store sales', '2020 1 5', '2020 2 6', '2021 1 7', '2021 2 8');
    assert.equal(columns(byNumber), { time: 'year', entity: 'store', values: ['sales'], ignored: [] });
  });

  test('columns of numbers are times only where they are called so', () => {
    assert.is(columns(table('year x', '1990 5', '1991 6')).time, 'year');
    assert.equal(columns(table('load x', '1990 5', '1991 6')), {
      time: null,
      entity: null,
      values: ['load', 'x'],
      ignored: [],
    });
  });

  test('numbers of rows are no values', () =>
    assert.equal(columns(table('rownames v', '1 5', '2 9', '3 1')), {
      time: null,
      entity: null,
      values: ['v'],
      ignored: ['rownames'],
    }));

  test('a time that comes again counts as it came last', () => {
    const [only] = seriesIn(read(table('t v', '2026-01-02 1', '2026-01-01 2', '2026-01-02 3')));
    assert.equal([only!.columns.values, only!.repeated], [[2, 3], 1]);
  });

  test('what does not fit is refused by name', () => {
    const some = table('day a', '2026-01-01 1', 'tomorrow 2');
    assert.is(
      fault(() => read(some, { time: 'noon' })),
      "There is no column 'noon'; there are day, a",
    );
    assert.is(
      fault(() => read(some, { time: 'day' })),
      "Column 'day' holds no time in row 2: 'tomorrow'",
    );
    assert.is(
      fault(() => read(some, { values: ['day'] })),
      "Column 'day' does not hold numbers",
    );
    assert.is(
      fault(() => read(table('a b', 'x y'))),
      'No column holds numbers',
    );
  });

  test('any months, in any order, come out in theirs', () =>
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 0, max: 2_000 }), { minLength: 1 }), given => {
        const text = (month: number): string =>
          `${1900 + Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}`;
        const [only] = seriesIn(read(table('month v', ...given.map(month => `${text(month)} ${month}`))));
        assert.equal(
          only!.columns.values,
          [...given].sort((a, b) => a - b),
        );
        assert.ok(only!.columns.times.every((time, i, all) => i === 0 || time > all[i - 1]!));
      }),
    ));
});
