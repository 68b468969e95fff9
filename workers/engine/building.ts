import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '../../commands/ports/log.js';
import { START } from '../../domain/fact.js';
import type { Projection } from '../../projections/engine/projection.js';
import type { Running } from './follow.js';
import type { ActiveGenerations } from './generations.js';
import type { Projectors } from './projectors.js';
import type { Versions } from './versions.js';

export type Building = Running & {
  /** Which projections nothing serves yet, and how far each is: `identity 45 %`; null: all are served. */
  readonly unserved: () => string | null;
};
type Deps = {
  readonly versions: Versions;
  readonly generations: ActiveGenerations;
  readonly projectors: Pick<Projectors, 'caughtUp' | 'positionOf' | 'retire'>;
  readonly head: () => Promise<number>;
  /** After another version of a projection has begun to serve. */
  readonly served: () => Promise<void>;
  readonly log: Log;
};

/** A version that reaches the end of the log within this time is close behind it. */
const NEAR_MS = 1_000;
const AGAIN_MS = 100;
const AFTER_FAILING_MS = 1_000;
const TELL_EVERY_MS = 5_000;

/**
 * Watches over the versions that are built for the first time, by whichever process does it, and lets each
 * serve when it has caught up with the log and with the one that serves.
 */
export function building(deps: Deps): Building {
  const { versions, generations, projectors, head, served, log } = deps;
  const shares = new Map<Projection, string>();
  const ending = new AbortController();
  const { signal } = ending;
  const ended = new Promise<false>(resolve => signal.addEventListener('abort', () => resolve(false)));
  let told = performance.now();

  const isReady = async (p: Projection): Promise<boolean> => {
    if (generations.isComplete(p)) return true;
    const end = await head();
    if (await Promise.race([projectors.caughtUp(p, end, NEAR_MS), ended])) return isAhead(p);
    shares.set(p, shareOf(await projectors.positionOf(p), end));
    return false;
  };
  /** What was visible in the version that serves stays visible. */
  const isAhead = async (p: Projection): Promise<boolean> => {
    const serving = versions.serving(p);
    return serving === p || (await projectors.positionOf(p)) >= (await projectors.positionOf(serving));
  };
  const look = async (p: Projection): Promise<void> => {
    if (!(await isReady(p)) || signal.aborted) return;
    const before = versions.serving(p);
    versions.serve(p);
    await generations.complete(p);
    if (before !== p) await projectors.retire(before);
    log.info({ projection: p.name, version: p.version }, 'a projection serves in this version now');
    await served();
  };
  const unserved = (): string | null => {
    const words = versions.unserved().map(p => `${p.name} ${shares.get(p) ?? '0 %'}`);
    return words.length > 0 ? words.join(', ') : null;
  };
  const tell = (): void => {
    if (performance.now() - told < TELL_EVERY_MS) return;
    told = performance.now();
    const projections = versions.incomplete().map(p => `${p.name} ${shares.get(p) ?? '0 %'}`);
    log.info({ projections }, 'read models are being built for the first time');
  };
  const rest = (ms: number): Promise<void> => pause(ms, undefined, { signal }).catch(() => undefined);
  const run = async (): Promise<void> => {
    while (!signal.aborted && versions.incomplete().length > 0) {
      const looked = await Promise.allSettled(versions.incomplete().map(look));
      const failed = looked.find(each => each.status === 'rejected');
      if (failed) log.warn({ err: failed.reason as unknown }, 'versions under way were not looked at');
      else tell();
      await rest(failed ? AFTER_FAILING_MS : AGAIN_MS);
    }
  };
  const ran = run();
  return {
    unserved,
    async stop() {
      ending.abort();
      await ran;
    },
  };
}

const shareOf = (position: number, head: number): string =>
  `${Math.floor((100 * (Math.max(position, START) - START)) / Math.max(1, head - START))} %`;
