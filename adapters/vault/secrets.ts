import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../config.js';

export const SECRET_FILE = 'secret.key';

/**
 * The secrets of the configuration; without any, one in the data folder, made on first use and readable by
 * its owner alone.
 */
export function secretsOf({ SECRET_KEY, DATA_DIR }: Pick<Config, 'SECRET_KEY' | 'DATA_DIR'>): Uint8Array[] {
  const given = SECRET_KEY === '' ? [inFile(DATA_DIR)] : SECRET_KEY.split(',');
  return given.map(text => Buffer.from(text, 'base64'));
}

function inFile(folder: string): string {
  const file = join(folder, SECRET_FILE);
  mkdirSync(folder, { recursive: true });
  try {
    writeFileSync(file, `${randomBytes(32).toString('base64')}\n`, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return readFileSync(file, 'utf8').trim();
}
