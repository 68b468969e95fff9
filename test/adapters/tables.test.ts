import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import * as assert from 'uvu/assert';
import { batchesOf, previewOf } from '../../adapters/tables/read-table.js';
import { tableFiles } from '../../adapters/tables/table-files.js';
import { openTable } from '../../adapters/tables/table.js';
import type { FileFormat } from '../../domain/ingestion/imports/formats.js';
import { mappingFor } from '../../domain/ingestion/imports/mapping.js';
import { temporaryFolder } from '../platform.js';
import { suite } from '../suite.js';

const asked = { time: 't', layout: 'wide' } as const;

suite('files as tables', test => {
  const folder = temporaryFolder();
  test.after(() => folder.remove());
  const given = (content: string | Buffer, name = 'given') => {
    const path = join(folder.path, name);
    writeFileSync(path, content);
    return path;
  };
  const rowsOf = async (content: string | Buffer, format: FileFormat = 'csv') => {
    const table = await openTable(given(content), format);
    const rows: unknown[] = [];
    for await (const some of table.rows) rows.push(...some);
    return { names: table.names, rows };
  };
  const refused = (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => 'it was read',
      (error: { code?: string; message: string }) => `${error.code}: ${error.message}`,
    );

  test('cells of any text come back, whatever surrounds them', async () => {
    const cell = fc.string({ unit: 'grapheme', maxLength: 12 }).map(text => text.trim());
    const table = fc
      .integer({ min: 1, max: 5 })
      .chain(width =>
        fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 30 }),
      );
    const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
    await fc.assert(
      fc.asyncProperty(table, fc.constantFrom(',', ';', '\t'), fc.boolean(), async (cells, by, windows) => {
        const rows = cells.map(row => row.map(text => text.replaceAll('\0', '').trim()));
        const full = rows.filter(row => row.some(text => text !== '') || row.length > 1);
        // A file of empty lines holds no rows, and is refused for it
        fc.pre(full.length > 0);
        const names = rows[0]!.map((_, i) => `name ${i}`);
        const lines = [names, ...rows].map(row => row.map(quoted).join(by));
        const read = await rowsOf(lines.join(windows ? '\r\n' : '\n'));
        assert.equal(read, { names, rows: full });
      }),
      { numRuns: 100 },
    );
  });

  test('characters that lie across parts of the file stay whole', async () => {
    const lines = Array.from({ length: 40_000 }, (_, i) => `${i},grüße 🌩 ${i}`);
    const { rows } = await rowsOf(['n,text', ...lines].join('\n'));
    assert.is(rows.length, 40_000);
    assert.ok(rows.every((row, i) => (row as string[])[1] === `grüße 🌩 ${i}`));
  });

  test('what a spreadsheet saves as Unicode text is read', async () => {
    const text = Buffer.from(`\ufefft\tx\n2026-01-01\t1,5\n`, 'utf16le');
    const found = await previewOf({ path: given(text), format: 'csv' }, asked);
    assert.equal(
      found.columns.map(({ name, type }) => [name, type]),
      [
        ['t', 'time'],
        ['x', 'number'],
      ],
    );
    assert.is(found.points, 1);
  });

  test('lines of JSON: own members only, and bad lines are rows that are none', async () => {
    const { names, rows } = await rowsOf(
      '{"t":"2026-01-01","x":1,"o":{"a":1}}\n{"constructor":2}\nno\n[1]\n',
      'ndjson',
    );
    assert.equal(names, ['t', 'x', 'o', 'constructor']);
    assert.equal(rows.slice(0, 2), [
      ['2026-01-01', '1', '', ''],
      ['', '', '', '2'],
    ]);
    assert.equal(
      (rows as { message?: string }[]).slice(2).map(({ message }) => message),
      ['is not JSON', 'is no JSON object'],
    );
  });

  test('whole numbers of 64 bits have all their digits', async () => {
    const { rows } = await rowsOf('{"t":1,"id":1234567890123456789}\n{"t":2,"id":0.5}\n', 'ndjson');
    assert.equal(rows, [
      ['1', '1234567890123456789'],
      ['2', '0.5'],
    ]);
  });

  test('all batches together are all rows, from wherever they go on', async () => {
    const lines = Array.from({ length: 130_000 }, (_, i) => `${1_700_000_000 + i},${i % 7 === 0 ? '' : i}`);
    const file = { path: given(['t,x', ...lines].join('\n')), format: 'csv' } as const;
    const mapping = mappingFor({ ...asked, columns: { x: 'x' } }, [], null)!;
    const all = async (from: number, most: number | null = null) => {
      const values: number[] = [];
      const ends: number[] = [];
      for await (const { series, upTo } of batchesOf(file, mapping, { from, most })) {
        for (const one of series) values.push(...one.values);
        ends.push(upTo);
      }
      return { values, ends };
    };
    const whole = await all(0);
    const expected = Array.from({ length: 130_000 }, (_, i) => i).filter(i => i % 7 !== 0);
    assert.equal(whole.values, expected);
    const few = await all(100_000, 1_000);
    assert.equal(
      few.values,
      expected.filter(i => i >= 100_000),
    );
    assert.is(few.ends.length, Math.ceil(few.values.length / 1_000));
    assert.ok(whole.ends.length > 1);
    assert.is(whole.ends.at(-1), 130_000);
    const [first] = whole.ends;
    assert.equal(
      (await all(first!)).values,
      expected.filter(i => i >= first!),
    );
  });

  const bombs: readonly [string, FileFormat, () => string | Buffer, RegExp][] = [
    ['one endless line', 'csv', () => 'x'.repeat(3_000_000), /^row_too_long: Row 1 is longer/],
    ['a quote that is never closed', 'csv', () => `t,x\n1,"${'y\n'.repeat(800_000)}`, /^row_too_long/],
    ['a short one', 'csv', () => 't,x\n1,"y', /A quote that is opened near line 2 is never closed/],
    ['many columns', 'csv', () => `t${',c'.repeat(20_000)}\n1`, /^too_many_columns: The file has 20001/],
    ['zeros', 'csv', () => Buffer.alloc(10), /is not text/],
    ['other bytes', 'csv', () => Buffer.from([0x74, 0x0a, 0xff, 0xfe]), /is not text in UTF-8/],
    ['nothing', 'csv', () => '', /^empty_file/],
    ['names alone', 'csv', () => 't,x\n', /^empty_file/],
    ['one endless object', 'ndjson', () => `{"a":"${'x'.repeat(3_000_000)}`, /^row_too_long/],
    ['no workbook', 'xlsx', () => 'PK no', /no xlsx workbook/],
    ['no parquet', 'parquet', () => 'PAR1 no PAR1', /no parquet file/],
    [
      'many cells',
      'csv',
      () => `t${',c'.repeat(99)}\n${`1${',1'.repeat(99)}\n`.repeat(51_000)}`,
      /^too_many_cells/,
    ],
  ];
  for (const [name, format, content, expected] of bombs)
    test(`${name}, as ${format}, is refused by name`, async () => {
      assert.match(await refused(previewOf({ path: given(content()), format }, asked)), expected);
    });

  test('a process of its own reads a file, says why it cannot, and ends with who asked', async () => {
    const files = tableFiles();
    const path = given('t,x\n2026-01-01,1\n2026-01-02,two\n2026-01-03,3\n', 'apart');
    const { signal } = new AbortController();
    const found = await files.preview({ path, format: 'csv' }, asked, 'w', signal);
    assert.equal(found.problems, [{ row: 2, column: 'x', message: 'is not a number' }]);
    assert.match(
      await refused(files.preview({ path, format: 'xlsx' }, asked, 'w', signal)),
      /^unreadable_file/,
    );
    const leaving = AbortSignal.abort();
    assert.match(await refused(files.preview({ path, format: 'csv' }, asked, 'w', leaving)), /./);
    for await (const { upTo } of files.rows(
      { path, format: 'csv' },
      found.mapping!,
      { from: 0, most: null },
      signal,
    ))
      assert.is(upTo, 3);
  });

  test('a workspace need not wait behind all that another one has read', async () => {
    const files = tableFiles();
    const path = given('t,x\n2026-01-01,1\n2026-01-02,2\n', 'turns');
    const { signal } = new AbortController();
    const order: string[] = [];
    const read = async (name: string, workspace: string) => {
      await files.preview({ path, format: 'csv' }, asked, workspace, signal);
      order.push(name);
    };
    const leaving = new AbortController();
    const all = ['a1', 'a2', 'a3', 'a4', 'a5', 'a6'].map(name => read(name, 'a'));
    const left = refused(files.preview({ path, format: 'csv' }, asked, 'c', leaving.signal));
    all.push(read('b1', 'b'));
    leaving.abort();
    assert.match(await left, /./);
    await Promise.all(all);
    assert.ok(order.indexOf('b1') < order.indexOf('a6'), String(order));
  });
});
