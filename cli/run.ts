import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { DamagedFile } from '../adapters/embedded/check.js';
import { FolderInUse } from '../adapters/embedded/lock.js';
import { moveDerivedAside } from '../adapters/embedded/aside.js';
import { WrongLog } from '../areas/same-log.js';
import { iso } from '../domain/time.js';
import type { ReplayOptions } from './jobs/replay.js';
import type { Config } from '../config.js';
import { openPlatform, type Platform } from '../main.js';
import { askOperator, connectOperator } from './ask.js';
import { codes, Failure } from './exit.js';
import { jobs, type JobName } from './jobs/all.js';
import type { Job, Output } from './jobs/job.js';
import { createLog } from './log.js';
import { outputClosed } from './output.js';
import { stopSignal } from './signals.js';
import { versionOf } from './version.js';
import { baseUrl } from './welcome.js';

/** Whether one process alone can have these stores, or a part of them. */
export const embedded = ({ EVENTSTORE_URL, MONGODB_URL }: Config): boolean => !EVENTSTORE_URL || !MONGODB_URL;
/** How this process is called where others ask who holds what. */
export const ownerName = (command: string): string => `presage ${command} on ${hostname()}`;
/** Where the API of this configuration would be reached, for a command that runs without it. */
export const configuredBase = ({ HOST, PORT }: Config): string => baseUrl(HOST, PORT);
export const hasData = (config: Config): boolean => !embedded(config) || existsSync(config.DATA_DIR);

type Work = {
  readonly name: JobName;
  readonly options: unknown;
  readonly config: Config;
  readonly signal: AbortSignal;
};

/** Those that ask read models who there is, and those that need them kept up with the log. */
const asking: readonly JobName[] = ['bootstrap', 'marketplace', 'operate', 'rescore'];
const projecting: readonly JobName[] = [...asking, 'replay'];
/** So long a platform that has just taken its data folder may need until it listens for operators. */
const PATIENCE_MS = 10_000;
const AGAIN_MS = 100;

/**
 * Does a job where it can be done: in the running platform where that holds the data folder, else here, over
 * the same stores. Whoever stops reading, or aborts, cancels it.
 */
export async function* run({ name, options, config, signal }: Work): AsyncGenerator<Output> {
  for (const until = Date.now() + PATIENCE_MS; ; ) {
    const socket = embedded(config) ? await connectOperator(config.DATA_DIR) : null;
    if (socket)
      return yield* askOperator(socket, { version: versionOf().service, job: name, options }, signal);
    const platform = await opened({ name, options, config, signal }, until);
    if (platform) return yield* here(platform, { name, options, config, signal });
    await pause(AGAIN_MS);
  }
}

/** Null when another process holds the data folder and there is time to ask again. */
async function opened(work: Work, until: number): Promise<Platform | null> {
  const { config, name: command } = work;
  // Alone with the data, nobody else brings the documents up to the log
  const running = embedded(config) && projecting.includes(command) ? (['projections'] as const) : [];
  const quiet = config.LOG_LEVEL === 'info' ? 'warn' : config.LOG_LEVEL;
  const opening = {
    ...{ config, running, owner: ownerName(command), anyLog: config.MONGODB_URL !== '' && buildsAnew(work) },
    log: createLog({ ...config, LOG_LEVEL: quiet }),
  };
  try {
    return await openPlatform(opening).catch(async (error: unknown) => {
      if (!buildsAnew(work) || config.MONGODB_URL || !isMended(error)) throw error;
      setDerivedAside(config, error);
      return openPlatform(opening);
    });
  } catch (error) {
    if (error instanceof FolderInUse && Date.now() < until) return null;
    throw error;
  }
}

/** A replay of everything trusts the log alone. */
const buildsAnew = ({ name, options }: Work): boolean => {
  const { verify, projection } = options as Partial<ReplayOptions>;
  return name === 'replay' && verify === false && projection === null;
};

/** Whether what is wrong is gone when the derived files are made anew. */
const isMended = (error: unknown): error is Error =>
  (error instanceof WrongLog || error instanceof DamagedFile) && error.mendable;

function setDerivedAside({ DATA_DIR }: Config, { message }: Error): void {
  const owner = { command: ownerName('replay'), pid: process.pid, since: iso(Date.now()) };
  const files = moveDerivedAside(DATA_DIR, owner);
  process.stderr.write(`${message}\nmoved aside, and built anew: ${files.join(', ')}\n`);
}

async function* here(platform: Platform, { name, options, config, signal }: Work): AsyncGenerator<Output> {
  try {
    if (embedded(config) && asking.includes(name)) await built(platform, signal);
    yield* (jobs[name] as Job)({ platform, base: configuredBase(config), signal }, options as never);
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    await platform.stop();
  }
}

/** Read models that are built for the first time know nobody yet: waits until they do. */
async function built({ unserved }: Platform, signal: AbortSignal): Promise<void> {
  while (unserved() !== null && !signal.aborted) await pause(AGAIN_MS);
}

/** What a command does with what its job says. */
export type Rendering = {
  readonly row?: (row: unknown) => void | Promise<void>;
  readonly progress?: (progress: unknown) => void;
  readonly result?: (result: unknown) => void | Promise<void>;
};

/** Runs a job and shows what it says; throws what went wrong there, and `Failure` when it was interrupted. */
export async function render(
  work: Omit<Work, 'signal'>,
  { row, progress, result }: Rendering,
): Promise<void> {
  const stop = stopSignal();
  const signal = AbortSignal.any([stop, outputClosed]);
  for await (const output of run({ ...work, signal })) {
    if (output.kind === 'row') await row?.(output.row);
    else if (output.kind === 'progress') progress?.(output.progress);
    else if (output.kind === 'result') await result?.(output.result);
    else throw new Failure(output.message, output.code);
  }
  if (stop.aborted) throw new Failure('interrupted', codes.interrupted);
}

/** For commands that look at what is there: they make no data folder. */
export function needData(config: Config): void {
  if (hasData(config)) return;
  throw new Failure(
    `there is no data folder ${config.DATA_DIR}; set DATA_DIR, or make one with: presage serve`,
    codes.usage,
  );
}
