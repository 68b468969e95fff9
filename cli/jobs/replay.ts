import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { projections, type Platform } from '../../main.js';
import type { Projection } from '../../projections/engine/projection.js';
import type { Progress, Rebuilding } from '../../workers/engine/filling.js';
import { lease, type Lease } from '../../workers/engine/lease.js';
import { rebuild } from '../../workers/engine/rebuild.js';
import { verify, type Verified } from '../../workers/engine/verify.js';
import { codes, Failure } from '../exit.js';
import { alone } from './alone.js';
import { progress, result, row, type Job, type JobContext, type Output } from './job.js';

/** `projection` null: all. `verify`: compare only. */
export type ReplayOptions = { readonly projection: string | null; readonly verify: boolean };
/** Rows are differences, at most `SHOWN` for each projection. */
export type Replayed = {
  readonly projection: string;
  readonly facts: number;
  readonly documents: number;
  readonly differences: number;
  readonly ms: number;
};

const SHOWN = 20;
const LEASE_MS = 30_000;
/** Tells this process apart from all others. */
const HOLDER = `presage replay ${randomUUID()}`;
/** Longer than it takes another process to become the leader after one that ended by force. */
const STUCK_MS = 15_000;
const WAIT_MS = 50;
/** Other processes look up what serves once a second. */
const GRACE_MS = { alone: 0, shared: 5_000 };

/** Builds read models anew beside those that serve, one projection after the other. */
export const replayJob: Job<ReplayOptions> = async function* (context, { projection: name, verify: only }) {
  for (const p of chosen(name)) {
    const held = leaseOn(context.platform, p);
    yield* alone(held, `the replay of ${p.name}`, () => (only ? verified(context, p) : rebuilt(context, p)));
  }
};

/**
 * Embedded stores are open in one process at a time, so a lease there that another process took was left by
 * one that was killed. On servers such a lease runs out by itself.
 */
function leaseOn({ stores, clock }: Pick<Platform, 'stores' | 'clock'>, { name }: Projection): Lease {
  const ended = (other: string): boolean => !stores.shared && other !== HOLDER;
  return lease(stores.kv, `replay ${name}`, { holder: HOLDER, ttlMs: LEASE_MS, clock, ended });
}

function chosen(name: string | null): readonly Projection[] {
  const found = projections.filter(p => name === null || p.name === name);
  if (found.length > 0) return found;
  throw new Failure(
    `there is no projection '${name}'; there are ${projections.map(p => p.name).join(', ')}`,
    codes.usage,
  );
}

async function* rebuilt(context: JobContext, p: Projection): AsyncGenerator<Output> {
  const start = context.platform.clock();
  const { facts } = yield* told(rebuild(inputOf(context, p)));
  const done: Replayed = {
    projection: p.name,
    facts,
    documents: 0,
    differences: 0,
    ms: context.platform.clock() - start,
  };
  yield result(done);
}

async function* verified(context: JobContext, p: Projection): AsyncGenerator<Output> {
  const start = context.platform.clock();
  await upToDate(context, p);
  const { facts, value } = yield* told<Verified>(verify(inputOf(context, p)));
  for (const difference of value.differences.slice(0, SHOWN)) yield row(difference);
  const {
    documents,
    differences: { length: differences },
  } = value;
  const done: Replayed = {
    projection: p.name,
    facts,
    documents,
    differences,
    ms: context.platform.clock() - start,
  };
  yield result(done);
}

/**
 * Documents behind the log would differ for no fault of theirs: waits until they hold what had happened when
 * this was asked.
 */
async function upToDate(
  { platform: { stores, projectors, clock }, signal }: JobContext,
  p: Projection,
): Promise<void> {
  const head = await stores.events.head();
  for (let position = await projectors.positionOf(p), moved = clock(); position < head && !signal.aborted; ) {
    await pause(WAIT_MS);
    const now = await projectors.positionOf(p);
    if (now > position) [position, moved] = [now, clock()];
    if (clock() - moved > STUCK_MS)
      throw new Failure(`${p.name} is behind the log: no process with the role projections runs`);
  }
}

const inputOf = ({ platform, signal }: JobContext, projection: Projection): Rebuilding => ({
  store: platform.stores.events,
  models: platform.stores.models,
  generations: platform.generations,
  projection,
  projector: platform.projectors.of(projection),
  graceMs: platform.stores.shared ? GRACE_MS.shared : GRACE_MS.alone,
  signal,
});

/** Passes on how far it is; answers how many facts were read, and what came of it. */
async function* told<R>(
  steps: AsyncGenerator<Progress, R>,
): AsyncGenerator<Output, { facts: number; value: R }> {
  let facts = 0;
  try {
    for (;;) {
      const step = await steps.next();
      if (step.done) return { facts, value: step.value };
      facts = Math.max(facts, step.value.facts);
      yield progress(step.value);
      // Stores in this process answer without a pause: requests have their turn between two pages
      await new Promise(resolve => setImmediate(resolve));
    }
  } finally {
    await steps.return(undefined as never);
  }
}
