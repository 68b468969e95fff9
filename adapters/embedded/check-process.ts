import { existsSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import Libsql from 'libsql';
import type { Value } from './database.js';
import { summed } from './sums.js';
import { TABLES, WHOLE_UP_TO_BYTES, type Checked } from './check.js';

/** What these columns hold is JSON in every table. */
const JSON_COLUMNS = ['data', 'meta', 'doc', 'value'];

/**
 * A process of its own: libsql ends the whole process on some damaged pages, and only this one then. The
 * first argument says whether to read files from end to end whatever their size.
 */
const [mode, ...files] = process.argv.slice(2);
for (const file of files.filter(name => existsSync(name))) {
  const checked: Checked = { file, fault: faultOf(file) };
  process.stdout.write(`${JSON.stringify(checked)}\n`);
}

type Sum = [upto: number, since: number, sum: number];

function faultOf(file: string): string | null {
  try {
    const db = new Libsql(file, { timeout: 2000 });
    try {
      const small = statSync(file).size <= WHOLE_UP_TO_BYTES;
      return otherFault(file, tablesOf(db)) ?? (mode === 'whole' || small ? wholeFault(db) : null);
    } finally {
      db.close();
    }
  } catch (error) {
    return (error as Error).message;
  }
}

/** Another file in its place: to make the tables that are missing would hide it. */
function otherFault(file: string, tables: readonly string[]): string | null {
  const own = TABLES[basename(file)];
  if (!own || tables.length === 0 || tables.includes(own)) return null;
  return `it is another file: it has tables, but none is ${own}`;
}

function wholeFault(db: Libsql.Database): string | null {
  // Unlike quick_check it compares indexes with tables
  const [row] = db.pragma('integrity_check(1)') as Readonly<Record<string, unknown>>[];
  if (row?.['integrity_check'] !== 'ok') return String(row?.['integrity_check']);
  const tables = tablesOf(db);
  for (const name of tables) {
    const fault = textFault(db, name);
    if (fault !== null) return fault;
  }
  return tables.includes('sums') ? sumFault(db) : null;
}

/** SQLite looks at no text, and libsql ends the process on one that is not UTF-8. */
function textFault(db: Libsql.Database, table: string): string | null {
  const rows = db.prepare(`SELECT * FROM "${table}"`).raw();
  const held = rows.columns().flatMap(({ name }, i) => (JSON_COLUMNS.includes(name) ? [i] : []));
  let row = 0;
  for (const values of rows.iterate() as Iterable<string[]>) {
    row++;
    if (!held.every(i => isJson(values[i]!))) return `row ${row} of ${table} is no JSON`;
  }
  return null;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Facts of before there were sums have none. */
function sumFault(db: Libsql.Database): string | null {
  const facts = db.prepare('SELECT * FROM facts WHERE position > ? AND position <= ?').raw();
  for (const [upto, since, kept] of db.prepare('SELECT * FROM sums').raw().all() as Sum[]) {
    let sum = 0;
    for (const row of facts.all(since, upto) as Value[][]) sum = summed(sum, row);
    if (sum !== kept)
      return `the facts at the positions ${since + 1} to ${upto} are not as they were written`;
  }
  return null;
}

function tablesOf(db: Libsql.Database): string[] {
  const list = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table'");
  return (list.raw().all() as [string][]).map(([name]) => name);
}
