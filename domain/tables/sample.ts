import { isMissing, numberIn, type NumberStyle } from './cells.js';
import { entityIn, TIME_NAME, type Table } from './guess.js';
import { timeFormats, type TimeFormat } from './times.js';

/** What a column seems to hold. */
export type ColumnType = 'time' | 'number' | 'boolean' | 'text' | 'empty';
export type ColumnGuess = {
  readonly name: string;
  readonly type: ColumnType;
  /** How its times are written, and another way that would do, too; null for all but times. */
  readonly timeFormat: string | null;
  readonly otherFormat: string | null;
  /** Cells of the sample that say nothing. */
  readonly missing: number;
};

/** A column is of the type that more than half of its cells have, of those that say something. */
const isMost = (count: number, of: number): boolean => 2 * count > of;

/** What the columns of a table hold, judged by some of its rows. */
export const guessColumns = ({ names, rows }: Table, style: NumberStyle): ColumnGuess[] =>
  names.map((name, at) => {
    const cells = rows.map(row => row[at] ?? '');
    const said = cells.filter(cell => !isMissing(cell)).map(cell => cell.trim());
    return { name, ...typeOf(name, said, style), missing: cells.length - said.length };
  });

type Typed = Pick<ColumnGuess, 'type' | 'timeFormat' | 'otherFormat'>;
const plain = (type: ColumnType): Typed => ({ type, timeFormat: null, otherFormat: null });

function typeOf(name: string, cells: readonly string[], style: NumberStyle): Typed {
  if (cells.length === 0) return plain('empty');
  const holds = (is: (cell: string) => boolean): boolean => isMost(cells.filter(is).length, cells.length);
  const times = timesOf(name, cells);
  if (times) return times;
  if (holds(cell => numberIn(cell, style) !== null)) return plain('number');
  return plain(holds(cell => booleanIn(cell) !== null) ? 'boolean' : 'text');
}

/** The first of the formats that most cells have. */
function timesOf(name: string, cells: readonly string[]): Typed | null {
  let best: { readonly format: TimeFormat; readonly count: number } | null = null;
  let other: string | null = null;
  for (const format of timeFormats) {
    // A column of numbers is one of times only where it is called so
    if (format.isNumber && !TIME_NAME.test(name)) continue;
    const count = cells.filter(cell => format.read(cell) !== null).length;
    if (!isMost(count, cells.length)) continue;
    if (best?.format.name === 'DD/MM/YYYY' && format.name === 'MM/DD/YYYY' && count === best.count)
      other = format.name;
    if (!best || count > best.count) best = { format, count };
  }
  return best && { type: 'time', timeFormat: best.format.name, otherFormat: other };
}

/** 1 and 0 for the words true and false; null: the cell says something else. */
export function booleanIn(cell: string): 0 | 1 | null {
  const word = cell.trim().toLowerCase();
  if (word === 'true') return 1;
  return word === 'false' ? 0 : null;
}

/** The column that seems to say whose each row is, where times are there several times; null: none does. */
export function guessEntity({ names, rows }: Table, columns: readonly ColumnGuess[]): string | null {
  const time = columns.find(({ type }) => type === 'time');
  const format = timeFormats.find(({ name }) => name === time?.timeFormat);
  if (!time || !format) return null;
  const at = names.indexOf(time.name);
  const timed = rows.flatMap(row => {
    const read = format.read((row[at] ?? '').trim());
    return read === null ? [] : [{ row, read }];
  });
  const rest = columns.filter(({ type }) => type === 'text' || type === 'number').map(({ name }) => name);
  return entityIn(
    { names, rows: timed.map(({ row }) => row) },
    { times: timed.map(({ read }) => read) },
    rest,
  );
}
