import { asyncBufferFromFile } from 'hyparquet/src/node.js';
import { parquetMetadataAsync, parquetReadObjects, parquetSchema } from 'hyparquet';
import { misread, MOST_CELLS, MOST_COLUMNS, tooManyCells, unreadable } from './limits.js';
import type { RawRow, RawTable } from './raw-table.js';
import { tooManyColumns } from './csv.js';
import { compressors } from './parquet-codecs.js';

/** Cells of a group that are read at a time; all pages of a group are read for them. */
const CELLS_AT_ONCE = 1_000_000;
/** What all columns of one group unpack to, bytes. */
const MOST_OF_GROUP = 400_000_000;

type File = Awaited<ReturnType<typeof asyncBufferFromFile>>;
type Metadata = Awaited<ReturnType<typeof parquetMetadataAsync>>;

/** A file of columns; those that hold lists or objects say nothing here. */
export async function openParquet(path: string): Promise<RawTable> {
  const file = await asyncBufferFromFile(path);
  const metadata = await parquetMetadataAsync(file).catch((error: Error) => {
    throw misread(error, 'The file is no parquet file');
  });
  const names = parquetSchema(metadata)
    .children.filter(({ children }) => children.length === 0)
    .map(({ element }) => element.name);
  if (names.length === 0) throw unreadable('The file has no column of plain values', 'empty_file');
  if (names.length > MOST_COLUMNS) throw tooManyColumns(names.length);
  if (Number(metadata.num_rows) * names.length > MOST_CELLS) throw tooManyCells();
  return { names, separator: '', rows: rowsOf(file, metadata, names) };
}

async function* rowsOf(
  file: File,
  metadata: Metadata,
  columns: readonly string[],
): AsyncGenerator<readonly RawRow[]> {
  const rowsAtOnce = Math.ceil(CELLS_AT_ONCE / columns.length);
  let from = 0;
  for (const { num_rows, total_byte_size } of metadata.row_groups) {
    const to = from + Number(num_rows);
    if (Number(total_byte_size) > MOST_OF_GROUP)
      throw unreadable('A part of the file unpacks to too many bytes', 'file_bomb');
    for (let rowStart = from; rowStart < to; rowStart += rowsAtOnce) {
      const rowEnd = Math.min(to, rowStart + rowsAtOnce);
      const read = await parquetReadObjects({
        ...{ file, metadata, rowStart, rowEnd, compressors },
        columns: [...columns],
      }).catch((error: Error) => {
        throw misread(error, 'The file cannot be read as parquet');
      });
      yield read.map(row => columns.map(name => textIn(row[name])));
    }
    from = to;
  }
}

function textIn(value: unknown): string {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? '' : value.toISOString();
  if (typeof value === 'string') return value;
  return ['number', 'bigint', 'boolean'].includes(typeof value) ? String(value) : '';
}
