import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runApart } from '../apart.js';

/** What a file was found to be; `fault` null: nothing wrong. */
export type Checked = { readonly file: string; readonly fault: string | null };

/**
 * Larger files are not read from end to end at every start: cold, that takes a minute for each gigabyte on a
 * slow disk. Of these only the header and the schema are looked at.
 */
export const WHOLE_UP_TO_BYTES = 32 * 1024 * 1024;

const todos: Readonly<Record<string, string>> = {
  'lock.db': 'delete it; it holds nothing',
  'facts.db': 'put a backup back; it is built from nothing else',
  'vault.db':
    'put a backup back; without one move it away, and go on without the personal data that it opens with: '
    + 'presage vault forget --yes',
};

/** A file of the data folder is damaged; the message names it and says what to do. */
export class DamagedFile extends Error {
  /** What is wrong, without what to do about it. */
  readonly what: string;
  readonly todo: string;
  /** Whether it is derived from the log, and can be built anew. */
  readonly mendable: boolean;

  constructor({ file, fault }: Checked) {
    const what = `${file} is damaged (${fault})`;
    const todo = todos[basename(file)] ?? 'have it built anew with: presage replay';
    super(`${what}: ${todo}`);
    this.what = what;
    this.todo = todo;
    this.mendable = DERIVED.includes(basename(file));
  }
}

/** Files that can be built anew from the log. */
export const DERIVED: readonly string[] = ['models.db', 'state.db'];

/** The table that each file has when it has any. */
export const TABLES: Readonly<Record<string, string>> = {
  'facts.db': 'facts',
  'vault.db': 'keys',
  'models.db': '_checkpoints',
  'state.db': 'entries',
};

const script = fileURLToPath(new URL('./check-process.js', import.meta.url));

/**
 * Looks whether SQLite can read files, in a process of its own: some damage ends the process that meets it.
 * Files that are missing are passed over.
 * @throws DamagedFile for the first that is damaged
 */
export async function checkFiles(files: readonly string[]): Promise<void> {
  const there = files.filter(file => existsSync(file));
  if (there.length === 0) return;
  const found = await firstDamaged('bounded', there);
  if (found) throw new DamagedFile(found);
}

/**
 * Reads a file from end to end, whatever its size; the message of what is wrong, null: nothing. Each in a
 * process of its own, so that one hides no other.
 */
export async function wholeFile(file: string): Promise<DamagedFile | null> {
  const found = existsSync(file) ? await firstDamaged('whole', [file]) : null;
  return found && new DamagedFile(found);
}

type Mode = 'bounded' | 'whole';

async function firstDamaged(mode: Mode, there: readonly string[]): Promise<Checked | null> {
  const { lines, end, said } = await runApart<Checked>(script, [mode, ...there]);
  const found = lines.find(({ fault }) => fault !== null);
  if (found) return found;
  // Where it ended early, it was the file after the last it told of
  const fatal = there[lines.length];
  return fatal ? { file: fatal, fault: `reading it ends the process: ${end} ${said}` } : null;
}
