import { CsvError } from 'csv-parse';
import { parse } from 'csv-parse/sync';
import type { NumberStyle } from '../../domain/tables/cells.js';
import type { Table } from '../../domain/tables/guess.js';
import { isNames, namesOf, separatorOf, styleOf } from '../../domain/tables/layout.js';
import { codes, Failure } from '../exit.js';

/** A file of separated values: what separates them, and how its numbers are written. */
export type TableFile = { readonly table: Table; readonly separator: string; readonly style: NumberStyle };

/** @throws Failure that says what is wrong in which line */
export function tableOf(text: string): TableFile {
  const separator = separatorOf(text);
  const rows = rowsOf(text, separator).filter(row => row.some(cell => cell !== ''));
  const [first = [], ...rest] = rows;
  const hasNames = isNames(first);
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
  const table = { names: namesOf(hasNames ? first : [], width), rows: hasNames ? rest : rows };
  if (table.rows.length === 0) throw new Failure('the file holds no rows of values', codes.usage);
  return { table, separator, style: styleOf(table.rows, separator) };
}

function rowsOf(text: string, delimiter: string): string[][] {
  try {
    return parse(text, {
      delimiter,
      bom: true,
      trim: true,
      relax_column_count: true,
      skip_empty_lines: true,
    });
  } catch (error) {
    if (error instanceof CsvError)
      throw new Failure(`the file cannot be read: ${error.message}`, codes.usage);
    throw error;
  }
}
