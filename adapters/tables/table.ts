import type { NumberStyle } from '../../domain/tables/cells.js';
import { isNames, namesOf, styleOf } from '../../domain/tables/layout.js';
import { openCsv, tooManyColumns } from './csv.js';
import {
  MOST_CELLS,
  MOST_COLUMNS,
  SAMPLE_CHARACTERS,
  SAMPLE_ROWS,
  tooManyCells,
  unreadable,
} from './limits.js';
import { openNdjson } from './ndjson.js';
import { openParquet } from './parquet.js';
import { RowFault, type RawRow, type RawTable } from './raw-table.js';
import { openXlsx } from './xlsx.js';
import type { FileFormat } from '../../domain/ingestion/imports/formats.js';

const openers: Readonly<Record<FileFormat, (path: string) => Promise<RawTable>>> = {
  csv: openCsv,
  ndjson: openNdjson,
  xlsx: openXlsx,
  parquet: openParquet,
};

/** A file as a table: columns with names, and its rows as they are read. */
export type OpenTable = {
  readonly names: readonly string[];
  readonly style: NumberStyle;
  /** The first rows, by which columns are judged. */
  readonly sample: readonly (readonly string[])[];
  /** All of them, those of the sample too. */
  readonly rows: AsyncIterable<readonly RawRow[]>;
};

/** @throws Rejected for what cannot be read, also while the rows are read */
export async function openTable(path: string, format: FileFormat): Promise<OpenTable> {
  const raw = await openers[format](path);
  const further = raw.rows[Symbol.asyncIterator]();
  const begun: RawRow[] = [];
  let characters = 0;
  while (begun.length < SAMPLE_ROWS && characters < SAMPLE_CHARACTERS) {
    const { value, done } = await further.next();
    if (done) break;
    for (const row of value as readonly RawRow[]) {
      begun.push(row);
      if (!(row instanceof RowFault)) for (const cell of row) characters += cell.length + 1;
    }
  }
  const [first = []] = begun;
  const header = raw.names === null && !(first instanceof RowFault) && isNames(first) ? first : null;
  const rows = header ? begun.slice(1) : begun;
  const sample = rows.slice(0, SAMPLE_ROWS).flatMap(row => (row instanceof RowFault ? [] : [row]));
  const width = header ? header.length : sample.reduce((most, row) => Math.max(most, row.length), 0);
  const columns = raw.names?.length ?? width;
  if (columns > MOST_COLUMNS) throw tooManyColumns(columns);
  if (sample.length === 0) throw unreadable('The file holds no rows', 'empty_file');
  return {
    names: raw.names ?? namesOf(header ?? [], width),
    style: raw.separator === '' ? 'point' : styleOf(sample, raw.separator),
    sample,
    rows: counted(rows, further, columns),
  };
}

async function* counted(
  begun: readonly RawRow[],
  further: AsyncIterator<readonly RawRow[]>,
  width: number,
): AsyncGenerator<readonly RawRow[]> {
  let cells = 0;
  const count = (rows: readonly RawRow[]): readonly RawRow[] => {
    cells += rows.length * width;
    if (cells > MOST_CELLS) throw tooManyCells();
    return rows;
  };
  try {
    yield count(begun);
    for (let next = await further.next(); !next.done; next = await further.next()) yield count(next.value);
  } finally {
    await further.return?.();
  }
}
