import { accessSync, constants, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Libsql from 'libsql';
import { DamagedFile } from './check.js';

/** Who holds a data folder: what was started, and since when (ISO 8601). */
export type Owner = { readonly command: string; readonly pid: number; readonly since: string };

/**
 * Takes a data folder, made if it is missing, for this process alone; answers the way to give it back.
 * Throws, naming the owner, when another holds it, and when it cannot be written.
 *
 * The lock is the operating system's, taken through SQLite on `lock.db`: it ends with the process, however
 * that ends, so that nothing is ever left behind to clean up. `owner.json` beside it only says who it is.
 */
export const lockFolder = (folder: string, owner: Owner): (() => void) => {
  makeWritable(folder);
  const db = new Libsql(join(folder, 'lock.db'));
  try {
    db.exec('BEGIN EXCLUSIVE');
    writeFileSync(join(folder, 'owner.json'), `${JSON.stringify(owner)}\n`);
  } catch (error) {
    db.close();
    if ((error as { code?: unknown }).code === 'SQLITE_BUSY') throw new FolderInUse(folder, ownerOf(folder));
    if (/not a database|malformed/.test((error as Error).message))
      throw new DamagedFile({ file: join(folder, 'lock.db'), fault: (error as Error).message });
    throw cannotWrite(folder, error);
  }
  return () => db.close();
};

/** Another process works on the data folder. */
export class FolderInUse extends Error {
  constructor(
    readonly folder: string,
    readonly owner: Owner | null,
  ) {
    const who = owner ? `${owner.command} (process ${owner.pid}, since ${owner.since})` : 'another process';
    super(`data folder ${folder} is in use by ${who}`);
  }
}

const makeWritable = (folder: string): void => {
  try {
    makeFolder(folder);
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw cannotWrite(folder, error);
  }
};

/**
 * Makes a folder for this user alone, with those above it.
 *
 * One after the other by hand: where a file system says ENOENT of whatever is made in it, as /proc does,
 * Node's `recursive` never ends.
 */
export const makeFolder = (folder: string): void => {
  if (!existsSync(dirname(folder))) makeFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // It was there, or another process was first; a file in its place is no folder
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !statSync(folder).isDirectory()) throw error;
  }
};

const cannotWrite = (folder: string, cause: unknown): Error =>
  new Error(`data folder ${folder} cannot be written: ${(cause as Error).message}`, { cause });

/** Null in the moment between the lock and the file. */
const ownerOf = (folder: string): Owner | null => {
  try {
    return JSON.parse(readFileSync(join(folder, 'owner.json'), 'utf8')) as Owner;
  } catch {
    return null;
  }
};
