/** What people write where a value is missing. */
const MISSING = new Set(['', 'na', 'n/a', '#n/a', 'nan', 'null', 'nil', 'none', '-', '–', '.', '?']);

export const isMissing = (cell: string): boolean => MISSING.has(cell.trim().toLowerCase());

/** How numbers are written: with a point and commas between thousands, or the other way round. */
export type NumberStyle = 'point' | 'comma';

const PLAIN = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/;
const GROUPED = /^[+-]?\d{1,3}([, '\u00a0\u202f]\d{3})+(\.\d+)?$/;
const WITH_COMMA = /^[+-]?(\d{1,3}([. '\u00a0\u202f]\d{3})+|\d+)(,\d+)?$/;

/** The number that a cell says, NaN where a value is missing; null: it is something else. */
export function numberIn(cell: string, style: NumberStyle = 'point'): number | null {
  const text = cell.trim();
  if (style === 'comma' && WITH_COMMA.test(text))
    return finite(text.replace(/[. '\u00a0\u202f]/g, '').replace(',', '.'));
  if (PLAIN.test(text)) return finite(text);
  if (isMissing(text)) return NaN;
  return GROUPED.test(text) ? finite(text.replace(/[, '\u00a0\u202f]/g, '')) : null;
}

function finite(text: string): number | null {
  const value = Number(text);
  return Number.isFinite(value) ? value : null;
}

/** The numbers of a column; null: it holds something else too, or no number at all. */
export function numbersIn(cells: readonly string[], style: NumberStyle): number[] | null {
  const numbers: number[] = [];
  for (const cell of cells) {
    const number = numberIn(cell, style);
    if (number === null) return null;
    numbers.push(number);
  }
  return numbers.every(Number.isNaN) ? null : numbers;
}
