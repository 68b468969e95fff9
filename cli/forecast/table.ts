import { CsvError } from 'csv-parse';
import { parse } from 'csv-parse/sync';
import { isMissing, numberIn, type NumberStyle } from '../../domain/tables/cells.js';
import type { Table } from '../../domain/tables/guess.js';
import { timesIn } from '../../domain/tables/times.js';
import { codes, Failure } from '../exit.js';

const SEPARATORS = [',', ';', '\t', '|'];

/** A file of separated values: what separates them, and how its numbers are written. */
export type TableFile = { readonly table: Table; readonly separator: string; readonly style: NumberStyle };

/** @throws Failure that says what is wrong in which line */
export function tableOf(text: string): TableFile {
  const separator = separatorOf(text);
  const rows = rowsOf(text, separator).filter(row => row.some(cell => cell !== ''));
  const [first = [], ...rest] = rows;
  const hasNames = !first.some(
    cell => (!isMissing(cell) && numberIn(cell) !== null) || timesIn([cell]) !== null,
  );
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
  const table = { names: namesOf(hasNames ? first : [], width), rows: hasNames ? rest : rows };
  if (table.rows.length === 0) throw new Failure('the file holds no rows of values', codes.usage);
  const withComma =
    separator !== ',' && table.rows.some(row => row.some(cell => /^[+-]?\d+,\d+$/.test(cell)));
  return { table, separator, style: withComma ? 'comma' : 'point' };
}

/** That of the separators which the first line has most of. */
function separatorOf(text: string): string {
  const line = /[^\r\n]+/.exec(text)?.[0].replace(/"[^"]*"/g, '') ?? '';
  const count = (separator: string): number => line.split(separator).length;
  return SEPARATORS.reduce((best, each) => (count(each) > count(best) ? each : best));
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

/** Every column has a name of its own. */
function namesOf(given: readonly string[], width: number): string[] {
  const names: string[] = [];
  for (let i = 0; i < width; i++) {
    const name = given[i] || `column ${i + 1}`;
    names.push(names.includes(name) ? `${name} (column ${i + 1})` : name);
  }
  return names;
}
