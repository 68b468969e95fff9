import { once } from 'node:events';

/** Aborted when whoever reads stdout has had enough (`presage audit | head`): no fault, only an end. */
const closed = new AbortController();
let lost = false;
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  closed.abort();
  if (error.code === 'EPIPE' || lost) return;
  lost = true;
  process.stderr.write(`presage: ${error.message}\n`);
});
process.stderr.on('error', () => undefined);

export const outputClosed: AbortSignal = closed.signal;
/** Whether something that was to be shown could not be written, as on a full disk. */
export const outputLost = (): boolean => lost;

/** Writes to stdout and waits while it is full. */
export async function print(text: string): Promise<void> {
  if (closed.signal.aborted || process.stdout.write(text)) return;
  await once(process.stdout, 'drain', { signal: closed.signal }).catch(() => undefined);
}

/**
 * What people see of a text from outside: control characters, also those that turn the direction of writing,
 * as codes.
 */
export const visible = (text: string): string =>
  text.replace(
    /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** One line of a table whose columns have these widths; what is longer pushes the rest to the right. */
export const columns = (widths: readonly number[], cells: readonly string[]): string =>
  `${cells
    .map((cell, i) => visible(cell).padEnd(widths[i] ?? 0))
    .join('  ')
    .trimEnd()}\n`;
