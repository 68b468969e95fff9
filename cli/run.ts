import { setTimeout as pause } from 'node:timers/promises';
import { FolderInUse } from '../adapters/embedded/lock.js';
import type { Platform } from '../main.js';
import { askOperator, connectOperator } from './ask.js';
import { codes, Failure } from './exit.js';
import { jobs } from './jobs/all.js';
import type { Job, Output } from './jobs/job.js';
import { asking, openFor, type LogAlone, type Work } from './opening.js';
import { outputClosed } from './output.js';
import { configuredBase, embedded } from './place.js';
import { stopSignal } from './signals.js';
import { versionOf } from './version.js';

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
async function opened(work: Work, until: number): Promise<Platform | LogAlone | null> {
  try {
    return await openFor(work);
  } catch (error) {
    if (error instanceof FolderInUse && Date.now() < until) return null;
    throw error;
  }
}

async function* here(
  platform: Platform | LogAlone,
  { name, options, config, signal }: Work,
): AsyncGenerator<Output> {
  try {
    if (embedded(config) && 'unserved' in platform && asking.includes(name)) await built(platform, signal);
    const job = (await jobs[name]()) as Job<never, Platform | LogAlone>;
    yield* job({ platform, base: configuredBase(config), signal }, options as never);
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
