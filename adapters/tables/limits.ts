import { Rejected } from '../../domain/rejected.js';

/** What a file may be made of; more is refused before it takes memory. */
export const MOST_CELLS = 5_000_000;
export const MOST_COLUMNS = 10_000;
/** Characters of one row, or of one text in a workbook. */
export const LONGEST_ROW = 1_000_000;
/** Rows that columns are judged by, and as many characters of them at most. */
export const SAMPLE_ROWS = 1_000;
export const SAMPLE_CHARACTERS = 8_000_000;

/** The file as a whole cannot be read, and why. */
export const unreadable = (message: string, code = 'unreadable_file'): Rejected =>
  new Rejected('unprocessable', code, message);

/** What a reader says of a file, after `what`. Faults of the file system are none of it, and name paths. */
export const misread = (error: Error, what: string): Error =>
  error instanceof Rejected || 'syscall' in error ? error : unreadable(`${what}: ${error.message}`);

export const tooLong = (row: number): Rejected =>
  unreadable(`Row ${row} is longer than ${LONGEST_ROW} characters`, 'row_too_long');

export const tooManyCells = (): Rejected =>
  unreadable(`The file has more than ${MOST_CELLS} cells`, 'too_many_cells');
