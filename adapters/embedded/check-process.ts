import { existsSync, statSync } from 'node:fs';
import Libsql from 'libsql';
import { WHOLE_UP_TO_BYTES, type Checked } from './check.js';

/** A process of its own: libsql ends the whole process on some damaged pages, and only this one then. */
for (const file of process.argv.slice(2).filter(name => existsSync(name))) {
  const checked: Checked = { file, fault: faultOf(file) };
  process.stdout.write(`${JSON.stringify(checked)}\n`);
}

function faultOf(file: string): string | null {
  try {
    const db = new Libsql(file, { timeout: 2000 });
    const small = statSync(file).size <= WHOLE_UP_TO_BYTES;
    const fault = small ? wholeFault(db) : null;
    tablesOf(db);
    db.close();
    return fault;
  } catch (error) {
    return (error as Error).message;
  }
}

function wholeFault(db: Libsql.Database): string | null {
  const [row] = db.pragma('quick_check(1)') as Readonly<Record<string, unknown>>[];
  if (row?.['quick_check'] !== 'ok') return String(row?.['quick_check']);
  // SQLite looks at no text, and libsql ends the process on one that is not UTF-8
  for (const name of tablesOf(db)) for (const _ of db.prepare(`SELECT * FROM "${name}"`).raw().iterate());
  return null;
}

function tablesOf(db: Libsql.Database): string[] {
  const list = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table'");
  return (list.raw().all() as [string][]).map(([name]) => name);
}
