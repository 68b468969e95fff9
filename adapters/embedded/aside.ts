import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { DERIVED } from './check.js';
import { lockFolder, type Owner } from './lock.js';

/** SQLite's own, beside each file. */
const BESIDE = ['', '-wal', '-shm'];

/**
 * Moves the derived files of a data folder aside, so that they are made anew at the next opening; answers
 * where they lie now.
 * @throws FolderInUse while another process has the folder
 */
export function moveDerivedAside(folder: string, owner: Owner): string[] {
  const unlock = lockFolder(folder, owner);
  try {
    const suffix = `aside-${owner.since.replace(/\W/g, '')}`;
    return DERIVED.flatMap(name => moved(join(folder, name), suffix));
  } finally {
    unlock();
  }
}

function moved(file: string, suffix: string): string[] {
  if (!existsSync(file)) return [];
  const to = `${file}.${suffix}`;
  for (const beside of BESIDE)
    if (existsSync(`${file}${beside}`)) renameSync(`${file}${beside}`, `${to}${beside}`);
  return [to];
}
