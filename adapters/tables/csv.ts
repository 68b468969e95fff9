import { CsvError, parse, type Parser } from 'csv-parse';
import { separatorOf } from '../../domain/tables/layout.js';
import { LONGEST_ROW, MOST_COLUMNS, tooLong, unreadable } from './limits.js';
import type { RawRow, RawTable } from './raw-table.js';
import { textOf } from './text-file.js';

/** Separated values; what separates them is seen in the first line. */
export async function openCsv(path: string): Promise<RawTable> {
  const parts = textOf(path);
  const { value: first } = await parts.next();
  const separator = separatorOf((first ?? Buffer.alloc(0)).toString().slice(0, LONGEST_ROW));
  return { names: null, separator, rows: rowsOf(first ?? Buffer.alloc(0), parts, separator) };
}

async function* rowsOf(
  first: Buffer,
  further: AsyncIterable<Buffer>,
  delimiter: string,
): AsyncGenerator<readonly RawRow[]> {
  let rows: string[][] = [];
  let count = 0;
  const parser = parse({
    ...{ delimiter, trim: true, relax_column_count: true, relax_quotes: true, skip_empty_lines: true },
    max_record_size: LONGEST_ROW,
  });
  parser.on('data', (record: string[]) => {
    if (record.length === 1 && record[0] === '') return;
    rows.push(record);
    count++;
  });
  parser.on('error', () => undefined);
  try {
    for await (const part of inOrder(first, further)) {
      await written(parser, part);
      if (rows.length > 0) yield rows;
      rows = [];
    }
    await ended(parser);
    if (rows.length > 0) yield rows;
  } catch (error) {
    throw error instanceof CsvError ? faultOf(error, count) : error;
  } finally {
    parser.destroy();
  }
}

async function* inOrder(first: Buffer, further: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  yield* further;
}

const written = (parser: Parser, part: Buffer): Promise<void> =>
  new Promise((resolve, reject) => {
    parser.write(part, error => (error ? reject(error) : resolve()));
  });
const ended = (parser: Parser): Promise<void> =>
  new Promise((resolve, reject) => {
    parser.once('error', reject).once('end', resolve).end();
  });

/** `count`: rows before it, the names among them. */
function faultOf({ code, message, lines }: CsvError & { lines?: number }, count: number): Error {
  if (code === 'CSV_MAX_RECORD_SIZE') return tooLong(Math.max(1, count));
  if (code === 'CSV_QUOTE_NOT_CLOSED')
    return unreadable(`A quote that is opened near line ${lines ?? '?'} is never closed`);
  return unreadable(`The file cannot be read as csv: ${message}`);
}

export const tooManyColumns = (count: number): Error =>
  unreadable(`The file has ${count} columns; there may be ${MOST_COLUMNS}`, 'too_many_columns');
