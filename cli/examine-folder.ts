import { accessSync, constants, existsSync, readdirSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { wholeFile } from '../adapters/embedded/check.js';
import { filesOf } from '../adapters/open.js';
import type { Config } from '../config.js';
import { ok, problem, warning, type Finding } from './jobs/finding.js';

const GIB = 1024 ** 3;
const MIB = 1024 ** 2;

/** The folder itself: whether it can be used, its size, the room that is left, who can read it. */
export function dataFolder({ DATA_DIR }: Config): Finding[] {
  const part = 'data folder';
  try {
    const found = statSync(DATA_DIR);
    if (!found.isDirectory())
      return [problem(part, `${DATA_DIR} is not a folder`, 'set DATA_DIR to a folder')];
    accessSync(DATA_DIR, constants.R_OK | constants.W_OK | constants.X_OK);
    return [
      ok(part, `${DATA_DIR} holds ${size(bytesIn(DATA_DIR))}`),
      space(DATA_DIR),
      ...privacy(DATA_DIR, found.mode),
    ];
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return [warning(part, `${DATA_DIR} is not there yet`, 'presage serve makes it')];
    return [problem(part, message, `let this user read and write ${DATA_DIR}, or set DATA_DIR`)];
  }
}

const bytesIn = (folder: string): number =>
  readdirSync(folder, { withFileTypes: true })
    .filter(entry => entry.isFile())
    .reduce((sum, { name }) => sum + statSync(join(folder, name)).size, 0);

function space(folder: string): Finding {
  const { bavail, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  const part = 'data folder';
  const text = `${size(free)} free`;
  if (free < 100 * MIB) return problem(part, text, 'make room; nothing can be recorded on a full disk');
  return free < GIB ? warning(part, text, 'make room soon') : ok(part, text);
}

/** Whoever can read the folder can read every text. */
function privacy(folder: string, mode: number): Finding[] {
  if ((mode & 0o077) === 0) return [];
  const text = `other users of this machine can read it (mode ${(mode & 0o777).toString(8)})`;
  return [warning('data folder', text, `chmod 700 ${folder}`)];
}

/** Reads the files of the data folder from end to end; may take a minute for each gigabyte. */
export async function* wholeFiles(config: Config): AsyncGenerator<Finding> {
  for (const name of filesOf(config)) {
    const file = join(config.DATA_DIR, name);
    if (!existsSync(file)) continue;
    const damaged = await wholeFile(file);
    yield damaged
      ? problem('files', damaged.what, damaged.todo)
      : ok('files', `${name} is whole: ${size(statSync(file).size)} read from end to end`);
  }
}

const size = (bytes: number): string =>
  bytes >= GIB ? `${(bytes / GIB).toFixed(1)} GiB` : `${(bytes / MIB).toFixed(1)} MiB`;
