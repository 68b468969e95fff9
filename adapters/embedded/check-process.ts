import { existsSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import Libsql from 'libsql';
import { TABLES, WHOLE_UP_TO_BYTES, type Checked } from './check.js';

/**
 * A process of its own: libsql ends the whole process on some damaged pages, and only this one then. The
 * first argument says whether to read files from end to end whatever their size.
 */
const [mode, ...files] = process.argv.slice(2);
for (const file of files.filter(name => existsSync(name))) {
  const checked: Checked = { file, fault: faultOf(file) };
  process.stdout.write(`${JSON.stringify(checked)}\n`);
}

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
  // SQLite looks at no text, and libsql ends the process on one that is not UTF-8
  for (const name of tablesOf(db)) for (const _ of db.prepare(`SELECT * FROM "${name}"`).raw().iterate());
  return null;
}

function tablesOf(db: Libsql.Database): string[] {
  const list = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table'");
  return (list.raw().all() as [string][]).map(([name]) => name);
}
