import { iso } from '../time.js';
import type { Block } from './ports.js';

const utf8 = new TextEncoder();
const cell = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** The first line of a table as CSV: `ts`, `entity` where there are entities, the columns. */
export const csvHead = (columns: readonly { readonly name: string }[], hasEntities: boolean): Uint8Array =>
  utf8.encode(
    `${['ts', ...(hasEntities ? ['entity'] : []), ...columns.map(({ name }) => cell(name))].join(',')}\n`,
  );

/** Characters at most of a time, and of a number (`-0.0000012345678901234567`) with its comma. */
const TIME = 27;
const NUMBER = 26;
const COMMA = 44;
const LINE_FEED = 10;

/**
 * The rows of a block as lines of CSV in UTF-8, the one text of a table that its hash is made of: ISO times,
 * numbers in the shortest form that reads back to the same bits, nothing where there is no value, lines end
 * with a line feed. `from` and `to` (not included): rows of the block.
 */
export function csvLines({ entity, times, columns }: Block, from = 0, to = times.length): Uint8Array {
  const whose = utf8.encode(entity === null ? '' : `,${cell(entity)}`);
  const bytes = new Uint8Array((to - from) * (TIME + whose.length + NUMBER * columns.length + 1));
  let at = 0;
  const ascii = (text: string): void => {
    for (let i = 0; i < text.length; i++) bytes[at++] = text.charCodeAt(i);
  };
  for (let row = from; row < to; row++) {
    ascii(iso(times[row]!));
    bytes.set(whose, at);
    at += whose.length;
    for (let c = 0; c < columns.length; c++) {
      const value = columns[c]![row]!;
      bytes[at++] = COMMA;
      if (!Number.isNaN(value)) ascii(String(value));
    }
    bytes[at++] = LINE_FEED;
  }
  return bytes.subarray(0, at);
}
