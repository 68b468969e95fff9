import { iso } from '../time.js';
import type { Block } from './ports.js';

const cell = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** The first line of a table as CSV: `ts`, `entity` where there are entities, the columns. */
export const csvHead = (columns: readonly { readonly name: string }[], hasEntities: boolean): string =>
  `${['ts', ...(hasEntities ? ['entity'] : []), ...columns.map(({ name }) => cell(name))].join(',')}\n`;

/**
 * The rows of a block as lines of CSV, the one text of a table that its hash is made of: ISO times, numbers
 * in the shortest form that reads back to the same bits, nothing where there is no value, lines end with a
 * line feed. `from` and `to` (not included): rows of the block.
 */
export function csvLines({ entity, times, columns }: Block, from = 0, to = times.length): string {
  const whose = entity === null ? '' : `,${cell(entity)}`;
  let text = '';
  for (let row = from; row < to; row++) {
    text += iso(times[row]!) + whose;
    for (const column of columns) {
      const value = column[row]!;
      text += Number.isNaN(value) ? ',' : `,${value}`;
    }
    text += '\n';
  }
  return text;
}
