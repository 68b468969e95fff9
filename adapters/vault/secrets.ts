import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../config.js';
import { makeFolder } from '../embedded/lock.js';

export const SECRET_FILE = 'secret.key';

export type Where = Pick<Config, 'SECRET_KEY' | 'DATA_DIR'>;

/** The vault cannot be opened with what is at hand; the message names what is wrong and what to do. */
export class VaultShut extends Error {}

/**
 * The secrets of the configuration; without any, the one in the data folder, readable by its owner alone. A
 * vault in which nothing lies yet gets one made (`fresh`); for any other a new one would open nothing.
 * @throws VaultShut where the file is missing or damaged
 */
export function secretsOf(where: Where, fresh: boolean): Uint8Array[] {
  if (where.SECRET_KEY !== '') return where.SECRET_KEY.split(',').map(text => Buffer.from(text, 'base64'));
  return [fromFile(where, fresh)];
}

function fromFile({ DATA_DIR }: Where, fresh: boolean): Uint8Array {
  const file = join(DATA_DIR, SECRET_FILE);
  if (fresh) make(DATA_DIR, file);
  if (!existsSync(file))
    throw new VaultShut(
      `${file} is missing, and it alone opens the vault of personal data: put its copy back, `
        + 'or set SECRET_KEY to what it held',
    );
  const text = readFileSync(file, 'utf8').trim();
  if (!/^[A-Za-z0-9+/]{43}=$/.test(text))
    throw new VaultShut(`${file} is damaged: it must hold 32 bytes in base64; put its copy back`);
  return Buffer.from(text, 'base64');
}

function make(folder: string, file: string): void {
  makeFolder(folder);
  try {
    writeFileSync(file, `${randomBytes(32).toString('base64')}\n`, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** What holds the secret, for messages. */
export const sourceOf = ({ SECRET_KEY, DATA_DIR }: Where): string =>
  SECRET_KEY === '' ? join(DATA_DIR, SECRET_FILE) : 'SECRET_KEY';
