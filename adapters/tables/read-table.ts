import type { AskedRows, RowsBatch, TableFile } from '../../commands/ingestion/table-files.js';
import {
  faultsIn,
  mappingFor,
  type Mapping,
  type MappingAsked,
} from '../../domain/ingestion/imports/mapping.js';
import { SAMPLE_SHOWN, type Preview } from '../../domain/ingestion/imports/preview.js';
import { MOST_PROBLEMS, RowReader, type Problem } from '../../domain/ingestion/imports/rows.js';
import { timeReader } from '../../domain/ingestion/imports/times.js';
import { guessColumns, guessEntity } from '../../domain/tables/sample.js';
import { refuseTooMany } from './count-rows.js';
import { unreadable } from './limits.js';
import { RowFault, type RawRow } from './raw-table.js';
import { strftime } from './strftime.js';
import { openTable, type OpenTable } from './table.js';

/** Points and events of a batch; more where there are many series, so that each gets some. */
const BATCH = 50_000;
const LARGEST_BATCH = 200_000;
const POINTS_A_SERIES = 20;
/** Rows after which a batch is told of all the same. */
const ROWS_A_BATCH = 100_000;
const CELL_SHOWN = 200;
/** Characters of all rows that are shown. */
const MOST_SHOWN = 2_000_000;
/** Cells that a preview looks at. */
const CELLS_LOOKED_AT = 200_000;

/** Reads all of a file, and what it would come to. @throws Rejected */
export async function previewOf({ path, format }: TableFile, asked: MappingAsked): Promise<Preview> {
  const table = await openTable(path, format);
  const { names, sample, style } = table;
  const judged = { names, rows: sample };
  const columns = guessColumns(judged, style);
  const mapping = mappingFor(asked, columns, guessEntity(judged, columns));
  const faults = mapping ? faultsIn(mapping, names) : [noTime];
  const reader = mapping && faults.length === 0 ? readerOf(table, mapping) : null;
  const problems: Problem[] = [];
  const counts = { read: 0, points: 0, events: 0, rejected: 0 };
  const take = (): void => {
    const batch = reader!.take();
    counts.points += batch.series.reduce((sum, { times }) => sum + times.length, 0);
    counts.events += batch.events.length;
    counts.rejected += batch.rejected;
    problems.push(...batch.problems.slice(0, MOST_PROBLEMS - problems.length));
  };
  const most = Math.max(sample.length, Math.ceil(CELLS_LOOKED_AT / Math.max(1, names.length)));
  let isWhole = true;
  for await (const rows of table.rows) {
    for (const row of rows.slice(0, most - counts.read)) {
      counts.read++;
      if (reader) added(reader, counts.read, row);
    }
    if (reader && reader.size >= BATCH) take();
    isWhole = counts.read < most;
    if (!isWhole) break;
  }
  if (reader) take();
  if (!isWhole) await refuseTooMany({ path, format }, names.length);
  return {
    ...{ columns, mapping, faults, problems, isWhole, ...counts },
    sample: shownOf(sample, names.length),
  };
}

/** The first rows, fewer where they are long. */
function shownOf(sample: OpenTable['sample'], width: number): string[][] {
  const shown: string[][] = [];
  let left = MOST_SHOWN;
  for (const row of sample.slice(0, SAMPLE_SHOWN)) {
    const cells = Array.from({ length: width }, (_, i) => (row[i] ?? '').slice(0, CELL_SHOWN));
    left -= cells.reduce((sum, cell) => sum + cell.length + 3, 0);
    if (left < 0 && shown.length > 0) break;
    shown.push(cells);
  }
  return shown;
}

const noTime = { member: 'time', message: 'is required: no column of the file seems to hold times' };

/** What rows come to, about `batch` points at a time where no fewer are asked for. @throws Rejected */
export async function* batchesOf(
  { path, format }: TableFile,
  mapping: Mapping,
  { from, most }: AskedRows,
  batch = BATCH,
): AsyncGenerator<RowsBatch> {
  const table = await openTable(path, format);
  const [fault] = faultsIn(mapping, table.names);
  if (fault) throw unreadable(`The mapping does not fit the file: ${fault.member} ${fault.message}`);
  const reader = readerOf(table, mapping);
  let upTo = 0;
  let told = from;
  for await (const rows of table.rows)
    for (const row of rows) {
      upTo++;
      if (upTo <= from) continue;
      added(reader, upTo, row);
      const wanted = Math.min(LARGEST_BATCH, Math.max(batch, POINTS_A_SERIES * reader.seriesCount));
      if (reader.size < Math.min(wanted, most ?? Infinity) && upTo - told < ROWS_A_BATCH) continue;
      told = upTo;
      yield { ...reader.take(), upTo };
    }
  if (upTo > told) yield { ...reader.take(), upTo };
}

const readerOf = ({ names, style }: OpenTable, mapping: Mapping): RowReader =>
  new RowReader(mapping, { names, style }, timeReader(mapping.timeFormat, mapping.timezone, strftime));

function added(reader: RowReader, number: number, row: RawRow): void {
  if (row instanceof RowFault) reader.refuse(number, row.message);
  else reader.add(number, row);
}
