import { setImmediate as turn } from 'node:timers/promises';
import type { EventStore } from '../../commands/ports/event-store.js';
import { START } from '../../domain/fact.js';
import { applyPage } from '../../projections/engine/apply.js';
import { checkpointName, collectionsOf, type Projection } from '../../projections/engine/projection.js';
import type { ReadModels } from '../../projections/engine/read-models.js';
import type { ActiveGenerations } from './generations.js';
import type { Projector } from './projector.js';

export type Rebuilding = {
  readonly store: EventStore;
  readonly models: ReadModels;
  readonly generations: ActiveGenerations;
  readonly projection: Projection;
  /** The projector of this process, when it has one that leads: it is held for the last step. */
  readonly projector: Projector | null;
  /** How long other processes may go on reading what served before; ms. */
  readonly graceMs: number;
  readonly signal: AbortSignal;
};

/**
 * `at` of `head`: positions, for the share that is done; `facts`: how many were read; `documents`: how many
 * were compared.
 */
export type Progress = {
  readonly projection: string;
  readonly phase: 'rebuilding' | 'comparing' | 'switching';
  readonly at: number;
  readonly head: number;
  readonly facts: number;
  readonly documents: number;
};

const PAGE_SIZE = 1_000;

/**
 * A new generation, filled from the first fact until it is close behind the last; dropped again when it is
 * not finished.
 */
export async function* filled(input: Rebuilding): AsyncGenerator<Progress, number> {
  const { models, projection: p, generations, signal } = input;
  const generation = generations.generationOf(p) + 1;
  await drop(models, p, generation);
  await models.prepare(collectionsOf(p, generation));
  let facts = 0;
  let complete = false;
  try {
    for (let read = PAGE_SIZE; read === PAGE_SIZE; facts += read) {
      signal.throwIfAborted();
      read = await nextPage(input, generation, Number.POSITIVE_INFINITY);
      yield await progress(input, generation, facts + read);
    }
    complete = true;
    return generation;
  } finally {
    if (!complete) await drop(models, p, generation);
  }
}

export const still = <T>({ projector }: Rebuilding, work: () => Promise<T>): Promise<T> =>
  projector ? projector.holding(work) : work();

export async function catchUp(input: Rebuilding, generation: number, until: number): Promise<void> {
  while ((await nextPage(input, generation, until)) > 0);
}

async function nextPage(
  { store, models, projection: p }: Rebuilding,
  generation: number,
  until: number,
): Promise<number> {
  const at = await models.checkpoint(checkpointName(p, generation));
  const page = (await store.page(at, PAGE_SIZE)).filter(({ position }) => position <= until);
  if (page.length > 0) await applyPage(p, models, generation, page);
  // Embedded stores answer at once: the requests of a running platform have their turn between two pages
  await turn();
  return page.length;
}

export async function progress(
  { store, models, projection: p }: Rebuilding,
  generation: number,
  facts: number,
): Promise<Progress> {
  const [at, head] = await Promise.all([models.checkpoint(checkpointName(p, generation)), store.head()]);
  return { projection: p.name, phase: 'rebuilding', at: Math.max(at, START), head, facts, documents: 0 };
}

export const drop = (models: ReadModels, p: Projection, generation: number): Promise<void> =>
  models.drop(
    collectionsOf(p, generation).map(({ name }) => name),
    checkpointName(p, generation),
  );
