import { isMissing, numberIn, type NumberStyle } from './cells.js';
import { timesIn } from './times.js';

const SEPARATORS = [',', ';', '\t', '|'];

/** That of the separators which the first line of a text has most of. */
export function separatorOf(text: string): string {
  const line = /[^\r\n]+/.exec(text)?.[0].replace(/"[^"]*"/g, '') ?? '';
  const count = (separator: string): number => line.split(separator).length;
  return SEPARATORS.reduce((best, each) => (count(each) > count(best) ? each : best));
}

/** Whether a first row names the columns: it holds neither numbers nor times. */
export const isNames = (row: readonly string[]): boolean =>
  !row.some(cell => (!isMissing(cell) && numberIn(cell) !== null) || timesIn([cell]) !== null);

/** Names of so many columns, each one of its own; `given`: those that a first row has, as far as it goes. */
export function namesOf(given: readonly string[], width: number): string[] {
  const names = new Set<string>();
  for (let i = 0; i < width; i++) {
    let name = given[i] || `column ${i + 1}`;
    while (names.has(name)) name = `${name} (column ${i + 1})`;
    names.add(name);
  }
  return [...names];
}

/** `7,5` and `1.234,5`. */
const WITH_COMMA = /^[+-]?(\d+|\d{1,3}(\.\d{3})+),\d+$/;

/** How the numbers of some rows are written. */
export const styleOf = (rows: readonly (readonly string[])[], separator: string): NumberStyle =>
  separator !== ',' && rows.some(row => row.some(cell => WITH_COMMA.test(cell))) ? 'comma' : 'point';
