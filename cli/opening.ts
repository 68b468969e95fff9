import { join } from 'node:path';
import { DamagedFile, DERIVED, wholeFile } from '../adapters/embedded/check.js';
import { moveDerivedAside } from '../adapters/embedded/aside.js';
import { openLog } from '../adapters/open-log.js';
import type { Stores } from '../adapters/open.js';
import { WrongLog } from '../areas/same-log.js';
import type { Config } from '../config.js';
import { iso } from '../domain/time.js';
import type { Platform } from '../main.js';
import type { JobName } from './jobs/all.js';
import type { ReplayOptions } from './jobs/replay.js';
import { createLog } from './log.js';
import { embedded, ownerName } from './place.js';

export type Work = {
  readonly name: JobName;
  readonly options: unknown;
  readonly config: Config;
  readonly signal: AbortSignal;
};

/** The log, open by itself, for what asks nothing else. */
export type LogAlone = {
  readonly stores: Pick<Stores, 'events'>;
  readonly stop: () => Promise<void>;
};

/** Those that ask read models who there is, and those that need them kept up with the log. */
export const asking: readonly JobName[] = [
  'billing',
  'bootstrap',
  'marketplace',
  'model',
  'operate',
  'rescore',
];
const projecting: readonly JobName[] = [...asking, 'replay'];

/** Opens what a job needs, in this process. @throws FolderInUse while another has the data folder */
export async function openFor(work: Work): Promise<Platform | LogAlone> {
  const { config, name } = work;
  if (name === 'audit') return logAlone(config);
  // The one thing here that takes long to load: who asks a running platform does without it
  const { openPlatform } = await import('../main.js');
  // Alone with the data, nobody else brings the documents up to the log
  const running = embedded(config) && projecting.includes(name) ? (['projections'] as const) : [];
  const quiet = config.LOG_LEVEL === 'info' ? 'warn' : config.LOG_LEVEL;
  const opening = {
    ...{ config, running, owner: ownerName(name), anyLog: config.MONGODB_URL !== '' && buildsAnew(work) },
    log: createLog({ ...config, LOG_LEVEL: quiet }),
  };
  try {
    if (buildsAnew(work)) await wholeDerived(config);
    return await openPlatform(opening);
  } catch (error) {
    if (!buildsAnew(work) || config.MONGODB_URL || !isMended(error)) throw error;
    setDerivedAside(config, error);
    return openPlatform(opening);
  }
}

async function logAlone(config: Config): Promise<LogAlone> {
  const { events, shut, close } = await openLog(config, { clock: Date.now, owner: ownerName('audit') });
  if (shut !== null) process.stderr.write(`what is personal is shown as it is stored: ${shut}\n`);
  return { stores: { events }, stop: close };
}

/** A replay of everything trusts the log alone. */
const buildsAnew = ({ name, options }: Work): boolean => {
  const { verify, projection } = options as Partial<ReplayOptions>;
  return name === 'replay' && verify === false && projection === null;
};

/** What takes long need not hurry at its beginning. @throws DamagedFile */
async function wholeDerived({ MONGODB_URL, DATA_DIR }: Config): Promise<void> {
  if (MONGODB_URL) return;
  for (const name of DERIVED) {
    const damaged = await wholeFile(join(DATA_DIR, name));
    if (damaged) throw damaged;
  }
}

/** Whether what is wrong is gone when the derived files are made anew. */
const isMended = (error: unknown): error is Error =>
  (error instanceof WrongLog || error instanceof DamagedFile) && error.mendable;

function setDerivedAside({ DATA_DIR }: Config, { message }: Error): void {
  const owner = { command: ownerName('replay'), pid: process.pid, since: iso(Date.now()) };
  const files = moveDerivedAside(DATA_DIR, owner);
  process.stderr.write(`${message}\nmoved aside, and built anew: ${files.join(', ')}\n`);
}
