import { Rejected } from '../rejected.js';
import { isMissing, numbersIn, type NumberStyle } from './cells.js';
import { timesIn, type TimesRead } from './times.js';

/** A table of text: names of the columns, and rows of as many cells. */
export type Table = { readonly names: readonly string[]; readonly rows: readonly (readonly string[])[] };
/** Columns by name, where somebody says them; null: they are guessed. */
export type ColumnsAsked = {
  readonly time: string | null;
  readonly values: readonly string[] | null;
  readonly entity: string | null;
};

/** What the columns of a table are. `time` null: rows follow each other. `entity`: whose each row is. */
export type TableRead = {
  readonly time: (TimesRead & { readonly column: string }) | null;
  readonly entity: { readonly column: string; readonly names: readonly string[] } | null;
  readonly values: readonly { readonly column: string; readonly numbers: readonly number[] }[];
  /** Columns that are passed over, and why. */
  readonly ignored: readonly { readonly column: string; readonly why: string }[];
};

export const TIME_NAME = /^(ds|t|at|.*(time|date|day|week|month|quarter|year|period|stamp).*)$/i;
export const ENTITY_NAME =
  /^(unique_?id|id|key|series|entity|item|sku|store|shop|city|country|region|station|sensor)(_?(id|name))?$/i;
export const VALUE_NAME = /^(value|y|target)$/i;
export const ROW_NAME = /^(rownames?|row|index|no|nr|unnamed: 0|)$/i;

/**
 * What the columns of a table are: times, values, and in a long table whose each row is (each time is there
 * once for each).
 * @throws Rejected that names a column that is not there, or is not what it should be
 */
export function readTable(table: Table, asked: ColumnsAsked, style: NumberStyle): TableRead {
  const column = (name: string): readonly string[] => cellsOf(table, name);
  for (const name of [asked.time, asked.entity, ...(asked.values ?? [])]) if (name !== null) column(name);
  const time = timeOf(table, asked);
  const rest = table.names.filter(name => name !== time?.column);
  const entity = asked.entity ?? (time ? entityIn(table, time, rest) : null);
  const ignored: { column: string; why: string }[] = [];
  const values = (asked.values ?? rest.filter(name => name !== entity)).flatMap(name => {
    const numbers = numbersIn(column(name), style);
    if (!numbers && asked.values) throw unfit(name, 'does not hold numbers');
    const why = numbers ? rowNumbers(name, numbers, asked) : 'not numbers';
    if (why === null) return [{ column: name, numbers: numbers! }];
    ignored.push({ column: name, why });
    return [];
  });
  if (values.length === 0) throw new Rejected('unprocessable', 'no_values', 'No column holds numbers');
  const shown =
    entity === null || asked.values
      ? values
      : [values.find(({ column: c }) => VALUE_NAME.test(c)) ?? values[0]!];
  for (const { column: name } of values.filter(value => !shown.includes(value)))
    ignored.push({ column: name, why: 'one column of a long table is read; --value names another' });
  return {
    time,
    entity: entity === null ? null : { column: entity, names: column(entity) },
    values: shown,
    ignored,
  };
}

function cellsOf({ names, rows }: Table, name: string): readonly string[] {
  const at = names.indexOf(name);
  if (at >= 0) return rows.map(row => row[at] ?? '');
  throw new Rejected(
    'unprocessable',
    'unknown_column',
    `There is no column '${name}'; there are ${names.join(', ')}`,
  );
}

const unfit = (column: string, fault: string): Rejected =>
  new Rejected('unprocessable', 'unfit_column', `Column '${column}' ${fault}`);

function timeOf(table: Table, { time, values }: ColumnsAsked): TableRead['time'] {
  if (time !== null) {
    const cells = cellsOf(table, time);
    const read = timesIn(cells);
    if (read) return { ...read, column: time };
    const bad = cells.findIndex(cell => timesIn([cell]) === null);
    throw unfit(
      time,
      bad < 0 ? 'holds times in several forms' : `holds no time in row ${bad + 1}: '${cells[bad]}'`,
    );
  }
  const found = table.names
    .filter(name => !values?.includes(name))
    .flatMap(name => {
      const read = timesIn(cellsOf(table, name));
      // A column of numbers is one of times only where it is called so
      return read && (!read.isNumber || TIME_NAME.test(name)) ? [{ ...read, column: name }] : [];
    });
  return found.find(({ column }) => TIME_NAME.test(column)) ?? found[0] ?? null;
}

/** A column with which each time is there once; null: times are there once without one. */
export function entityIn(
  table: Table,
  { times }: Pick<TimesRead, 'times'>,
  rest: readonly string[],
): string | null {
  if (new Set(times).size === times.length) return null;
  const fits = rest.filter(name => {
    const cells = cellsOf(table, name);
    if (cells.some(isMissing) || (numbersIn(cells, 'point') && !ENTITY_NAME.test(name))) return false;
    return new Set(cells.map((cell, i) => `${times[i]!} ${cell}`)).size === cells.length;
  });
  return fits.find(name => ENTITY_NAME.test(name)) ?? fits[0] ?? null;
}

/** Why a column of numbers is none of values; null: it is. */
function rowNumbers(name: string, numbers: readonly number[], { values }: ColumnsAsked): string | null {
  if (values || !ROW_NAME.test(name)) return null;
  return numbers.every((number, i) => number === numbers[0]! + i) ? 'it counts the rows' : null;
}
