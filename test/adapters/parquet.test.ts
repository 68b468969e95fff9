import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { parquetWriteBuffer } from 'hyparquet-writer';
import * as assert from 'uvu/assert';
import { batchesOf, previewOf } from '../../adapters/tables/read-table.js';
import { tableFiles } from '../../adapters/tables/table-files.js';
import { openTable } from '../../adapters/tables/table.js';
import { temporaryFolder } from '../platform.js';
import { suite } from '../suite.js';

suite('parquet', test => {
  const folder = temporaryFolder();
  test.after(() => folder.remove());
  const given = (content: ArrayBuffer | Uint8Array): string => {
    const path = join(folder.path, 'given.parquet');
    writeFileSync(path, Buffer.from(content as ArrayBuffer));
    return path;
  };
  const rowsOf = async (content: ArrayBuffer) => {
    const { names, rows } = await openTable(given(content), 'parquet');
    const all: (readonly string[])[] = [];
    for await (const some of rows) all.push(...(some as readonly string[][]));
    return { names, rows: all };
  };

  test('values of every plain kind come back as texts, from groups of any size', async () => {
    const row = fc.record({
      when: fc.date({ min: new Date('1970-01-01'), max: new Date('2100-01-01'), noInvalidDate: true }),
      double: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true }).map(v => (v === 0 ? 0 : v))),
      whole: fc.option(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })),
      text: fc.option(fc.string({ unit: 'grapheme' }).map(text => text.toWellFormed())),
      flag: fc.option(fc.boolean()),
    });
    const shown = (value: unknown): string =>
      value instanceof Date ? value.toISOString() : String(value ?? '');
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { minLength: 1, maxLength: 60 }),
        fc.integer({ min: 1, max: 70 }),
        fc.constantFrom('SNAPPY' as const, 'GZIP' as const, 'BROTLI' as const, 'UNCOMPRESSED' as const),
        async (rows, rowGroupSize, codec) => {
          const of = (name: keyof (typeof rows)[number]) => rows.map(each => each[name]) as unknown[];
          const content = parquetWriteBuffer({
            columnData: [
              { name: 'when', data: of('when'), type: 'TIMESTAMP' },
              { name: 'double', data: of('double'), type: 'DOUBLE' },
              { name: 'whole', data: of('whole'), type: 'INT64' },
              { name: 'text', data: of('text'), type: 'STRING' },
              { name: 'flag', data: of('flag'), type: 'BOOLEAN' },
            ],
            ...{ rowGroupSize, codec },
            compressors: {
              GZIP: bytes => new Uint8Array(gzipSync(bytes)),
              BROTLI: bytes => new Uint8Array(brotliCompressSync(bytes)),
            },
          });
          const read = await rowsOf(content);
          assert.equal(read.names, ['when', 'double', 'whole', 'text', 'flag']);
          assert.equal(
            read.rows,
            rows.map(each => Object.values(each).map(shown)),
          );
        },
      ),
      { numRuns: 60 },
    );
  });

  test('it is looked at and read like any other file', async () => {
    const count = 60_000;
    const when = Array.from({ length: count }, (_, i) => new Date(1_770_000_000_000 + i * 60_000));
    const path = given(
      parquetWriteBuffer({
        columnData: [
          { name: 'at', data: when, type: 'TIMESTAMP' },
          { name: 'load', data: when.map((_, i) => i / 4), type: 'DOUBLE' },
          { name: 'many', data: when.map((_, i) => [i]) },
        ],
      }),
    );
    const file = { path, format: 'parquet' } as const;
    const { mapping, columns, problems } = await previewOf(file, {});
    assert.equal(
      columns.map(({ name, type }) => [name, type]),
      [
        ['at', 'time'],
        ['load', 'number'],
        // Lists say nothing here
        ['many', 'empty'],
      ],
    );
    assert.equal(problems, []);
    const times: number[] = [];
    for await (const { series } of batchesOf(file, mapping!, { from: 50_000, most: null }))
      times.push(...series[0]!.times);
    assert.equal(
      times,
      when.slice(50_000).map(date => date.getTime()),
    );
  });

  test('what names more than it holds, or is damaged, is refused by name and ends nothing else', async () => {
    const column = Array.from({ length: 3_000 }, (_, i) => i);
    const whole = Buffer.from(parquetWriteBuffer({ columnData: [{ name: 'x', data: column }] }));
    const files = tableFiles();
    const { signal } = new AbortController();
    const asked = { time: 'x', layout: 'wide', columns: { x: 'x' } } as const;
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), fc.nat(255), async (at, byte) => {
        const damaged = Buffer.from(whole);
        damaged[at] = byte;
        const path = given(damaged);
        await files.preview({ path, format: 'parquet' }, asked, 'w', signal).then(
          ({ sample }) => assert.ok(sample.length > 0),
          (error: { kind?: string; message: string }) =>
            assert.is(error.kind, 'unprocessable', error.message),
        );
      }),
      { numRuns: 25 },
    );
  });

  test('pages that unpack to far more than a file may', async () => {
    const none = new Float64Array(6_000_000);
    const path = given(parquetWriteBuffer({ columnData: [{ name: 'x', data: none }] }));
    const said = await previewOf({ path, format: 'parquet' }, {}).then(
      () => 'it was read',
      (error: { code: string }) => error.code,
    );
    assert.is(said, 'too_many_cells');
  });

  test('a page that claims values without number ends the process that reads it alone', async () => {
    const count = 1_100_000;
    const data = Array.from({ length: count }, () => 'a');
    const content = Buffer.from(
      parquetWriteBuffer({ columnData: [{ name: 'x', data }], rowGroupSize: count, pageSize: 1e9 }),
    );
    // Its head, and the one run that it holds: as many values as four bytes can say
    const said = Buffer.from([0xc0, 0xa3, 0x86, 0x01]);
    for (let at = content.indexOf(said), n = 0; n < 3; at = content.indexOf(said, at + 1), n++)
      content.set([0xfe, 0xff, 0xff, 0x7f], at);
    const path = given(content);
    const { signal } = new AbortController();
    const refused = await tableFiles()
      .preview({ path, format: 'parquet' }, {}, 'w', signal)
      .catch((error: { code: string }) => error.code);
    assert.is(refused, 'file_too_complex');
  });
});
