import type { TableFile } from '../../commands/ingestion/table-files.js';
import { MOST_CELLS, tooManyCells } from './limits.js';
import { textOf } from './text-file.js';

const NEWLINE = 0x0a;
const QUOTE = 0x22;

/**
 * Refuses a file of lines that has too many cells before anything of it is taken in: its lines are counted,
 * which takes a fraction of reading them. @throws Rejected
 */
export async function refuseTooMany({ path, format }: TableFile, columns: number): Promise<void> {
  if (format !== 'csv' && format !== 'ndjson') return;
  let lines = 0;
  let isQuoted = false;
  let isBlank = true;
  for await (const part of textOf(path)) {
    for (const byte of part) {
      if (byte === NEWLINE && !isQuoted) {
        if (!isBlank) lines++;
        isBlank = true;
      } else if (byte > 0x20) {
        isBlank = false;
        if (byte === QUOTE && format === 'csv') isQuoted = !isQuoted;
      }
    }
    // The names may take a line
    if ((lines - 1) * columns > MOST_CELLS) throw tooManyCells();
  }
}
