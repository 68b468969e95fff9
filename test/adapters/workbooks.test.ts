import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import * as assert from 'uvu/assert';
import { previewOf } from '../../adapters/tables/read-table.js';
import { openTable } from '../../adapters/tables/table.js';
import { Rejected } from '../../domain/rejected.js';
import { temporaryFolder } from '../platform.js';
import { suite } from '../suite.js';
import { archive, escaped, lettersOf, workbook, workbookParts, type Part } from './workbooks.js';

type Cell = { readonly value: string | number | boolean | null; readonly as: 'shared' | 'inline' | 'rich' };

suite('workbooks', test => {
  const folder = temporaryFolder();
  test.after(() => folder.remove());
  const given = (content: Buffer): string => {
    const path = join(folder.path, 'given.xlsx');
    writeFileSync(path, content);
    return path;
  };
  const rowsOf = async (content: Buffer) => {
    const { names, rows } = await openTable(given(content), 'xlsx');
    const all: (readonly string[])[] = [];
    for await (const some of rows) all.push(...(some as readonly string[][]));
    return { names, rows: all };
  };
  const refused = (content: Buffer): Promise<string> =>
    previewOf({ path: given(content), format: 'xlsx' }, {}).then(
      () => 'it was read',
      (error: { code?: string; message: string }) => `${error.code}: ${error.message}`,
    );

  const text = fc
    .string({ unit: 'grapheme', maxLength: 10 })
    .map(each => each.replace(/[\u0000-\u001f\u007f-\u009f\ufffe\uffff]/g, '').trim());
  const cell: fc.Arbitrary<Cell> = fc.record({
    value: fc.oneof(
      text,
      fc.double({ noNaN: true, noDefaultInfinity: true }).map(each => (each === 0 ? 0 : each)),
      fc.boolean(),
      fc.constant(null),
    ),
    as: fc.constantFrom('shared' as const, 'inline' as const, 'rich' as const),
  });

  test('cells come back, wherever they stand and however they are written', async () => {
    const table = fc.integer({ min: 1, max: 30 }).chain(width =>
      fc.array(fc.array(cell, { minLength: width, maxLength: width }), {
        minLength: 1,
        maxLength: 8,
      }),
    );
    await fc.assert(
      fc.asyncProperty(table, fc.boolean(), async (cells, hasPlaces) => {
        const shared: string[] = [];
        const written = ({ value, as }: Cell, place: string): string => {
          const r = hasPlaces ? ` r="${place}"` : '';
          if (value === null) return hasPlaces ? '' : '<c/>';
          if (typeof value === 'number') return `<c${r}><v>${value}</v></c>`;
          if (typeof value === 'boolean') return `<c${r} t="b"><v>${Number(value)}</v></c>`;
          if (as === 'shared') return `<c${r} t="s"><v>${shared.push(value) - 1}</v></c>`;
          const safe = escaped(value);
          if (as === 'inline') return `<c${r} t="inlineStr"><is><t>${safe}</t></is></c>`;
          const aloud = '<rPh sb="0" eb="1"><t>read aloud</t></rPh>';
          return `<c${r} t="inlineStr"><is><r><t>${safe}</t></r>${aloud}</is></c>`;
        };
        const names = cells[0]!.map((_, i): Cell => ({ value: `name ${i}`, as: 'shared' }));
        const rows = [names, ...cells]
          .map(
            (row, i) => `<row>${row.map((one, j) => written(one, `${lettersOf(j)}${i + 1}`)).join('')}</row>`,
          )
          .join('\n');
        const full = cells
          .map(row => row.map(({ value }) => (value === null ? '' : String(value))))
          .filter(row => row.some(value => value !== ''));
        if (full.length === 0) return;
        const read = await rowsOf(workbook({ rows, shared }));
        assert.equal(
          read.rows.map(row => names.map((_, i) => row[i] ?? '')),
          full,
        );
      }),
      { numRuns: 100 },
    );
  });

  test('dates are known by their formats, and counted from 1900 or 1904', async () => {
    const cells = ([a, b]: readonly [number, number], style: number): string =>
      `<row><c s="${style}"><v>${a}</v></c><c s="${style}"><v>${b}</v></c></row>`;
    const formats = [
      'yyyy\\-mm\\-dd hh:mm',
      '[$-409]d\\ mmm',
      '0.00" days"',
      '#,##0_h',
      '[h]:mm:ss',
      '[Red]0',
    ];
    const rows = formats.map((_, i) => cells([61.5, 1], i + 1)).join('');
    const head = '<row><c t="inlineStr"><is><t>a</t></is></c><c t="inlineStr"><is><t>b</t></is></c></row>';
    assert.equal((await rowsOf(workbook({ rows: head + rows, formats }))).rows, [
      ['1900-03-01T12:00:00.000', '1900-01-01'],
      ['1900-03-01T12:00:00.000', '1900-01-01'],
      ['61.5', '1'],
      ['61.5', '1'],
      ['1900-03-01T12:00:00.000', '1900-01-01'],
      ['61.5', '1'],
    ]);
    const { rows: later } = await rowsOf(workbook({ rows: head + rows, formats, from1904: true }));
    assert.equal(later[0], ['1904-03-02T12:00:00.000', '1904-01-02']);
  });

  test('faults in cells are missing values', async () => {
    const rows =
      '<row><c t="str"><v>t</v></c><c t="str"><v>x</v></c></row>'
      + '<row><c t="str"><v>2026-01-01</v></c><c t="e"><v>#DIV/0!</v></c></row>'
      + '<row><c t="str"><v>2026-01-02</v></c><c><f>A1+1</f><v>2</v></c></row>';
    const found = await previewOf({ path: given(workbook({ rows })), format: 'xlsx' }, {});
    assert.equal([found.points, found.rejected], [1, 0]);
  });

  const sheet = (rows: string): Part[] => workbookParts({ rows });
  const row = '<row><c><v>1</v></c></row>';
  const bombs: readonly [string, () => Buffer, RegExp][] = [
    ['a sheet that swells', () => workbook({ rows: row.repeat(800_000) }), /^file_bomb: .*times its size/],
    [
      'one that says less than it is',
      () => archive(sheet(row.repeat(30_000)).map(part => ({ ...part, says: 2_000 }))),
      /^unreadable_file: .*(bytes|size)/,
    ],
    [
      'parts without number',
      () => archive(Array.from({ length: 10_001 }, (_, i) => ({ name: `x${i}`, content: '' }))),
      /^file_bomb: The workbook has too many parts/,
    ],
    ['elements in each other', () => workbook({ rows: '<a>'.repeat(1_000) }), /too deep in each other/],
    [
      'a text without end',
      () => workbook({ rows: `<row><c t="str"><v>${'x'.repeat(5_000_000)}</v></c></row>` }),
      /^row_too_long/,
    ],
    [
      'an element without end',
      () => workbook({ rows: `<row ${'a="1" '.repeat(900_000)}/>` }),
      /^(row_too_long|unreadable_file)/,
    ],
    [
      'entities that double',
      () =>
        archive(
          sheet(row).map(part => ({
            ...part,
            content: String(part.content)
              .replace('?>', '?><!DOCTYPE x [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]>')
              .replace('<v>1<', '<v>&b;<'),
          })),
        ),
      /^unreadable_file: The workbook is damaged/,
    ],
    [
      'columns without number',
      () => workbook({ rows: '<row><c r="XFE1"><v>1</v></c></row>' }),
      /last column/,
    ],
    ['wide rows', () => workbook({ rows: '<row><c r="XFD1"><v>1</v></c></row>' }), /^too_many_columns/],
    ['no sheet', () => archive(sheet(row).slice(0, 4)), /lacks its first sheet/],
    ['no workbook', () => archive([{ name: 'a.txt', content: 'a' }]), /no xlsx workbook/],
    ['half of one', () => workbook({ rows: row.repeat(100) }).subarray(0, 500), /no xlsx workbook/],
    ['no rows', () => workbook({ rows: '' }), /^empty_file/],
  ];
  for (const [name, content, expected] of bombs)
    test(`${name}: refused by name`, async () => {
      assert.match(await refused(content()), expected);
    });

  test('a fault of the file system is no fault of the file, and is not told as one', async () => {
    const error = await openTable(join(folder.path, 'gone.xlsx'), 'xlsx').then(
      () => null,
      (failed: NodeJS.ErrnoException) => failed,
    );
    assert.equal([error?.code, error instanceof Rejected], ['ENOENT', false]);
  });
});
