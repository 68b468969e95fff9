import { setImmediate as turn } from 'node:timers/promises';
import type { EventStore } from '../../commands/ports/event-store.js';
import { START } from '../../domain/fact.js';
import { applyPage } from '../../projections/engine/apply.js';
import {
  checkpointName,
  collectionName,
  collectionsOf,
  type Projection,
} from '../../projections/engine/projection.js';
import type { ReadModels, Stored } from '../../projections/engine/read-models.js';
import { compare, type Difference } from './compare.js';
import type { Projector } from './projector.js';
import type { ActiveGenerations } from './generations.js';

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
export type Verified = { readonly documents: number; readonly differences: readonly Difference[] };

const PAGE_SIZE = 1_000;
const ROUNDS = 20;
const ROUND_MS = 100;

/**
 * Fills a new generation of a projection's documents from the first fact on, beside the one that serves, then
 * lets it serve and drops the old one. The other way to end is `verify`.
 */
export async function* rebuild(input: Rebuilding): AsyncGenerator<Progress> {
  const { models, generations, projection: p, graceMs } = input;
  const before = generations.generationOf(p);
  const generation = yield* filled(input);
  await still(input, async () => {
    await catchUp(input, generation, await input.store.head());
    await generations.flip(p, generation);
  });
  yield { ...(await progress(input, generation, 0)), phase: 'switching' };
  await new Promise(resolve => setTimeout(resolve, graceMs));
  await drop(models, p, before);
}

/**
 * Rebuilds beside the documents that serve, compares one with the other, document by document, and drops what
 * it built.
 */
export async function* verify(input: Rebuilding): AsyncGenerator<Progress, Verified> {
  const { models, generations, projection: p } = input;
  const generation = yield* filled(input);
  try {
    const live = generations.generationOf(p);
    const names = Object.keys(p.collections).map(
      name => [collectionName(p, name, live), collectionName(p, name, generation)] as const,
    );
    let documents = 0;
    let suspects: Difference[] = [];
    for await (const found of compare(models, names)) {
      documents += found.documents;
      suspects.push(...found.differences);
      yield { ...(await progress(input, generation, 0)), phase: 'comparing', documents };
      if (input.signal.aborted) break;
    }
    // What changed while we looked is no difference: look again when both stand at the same fact
    for (let round = 0; suspects.length > 0 && round < ROUNDS && !input.signal.aborted; round++) {
      const settled = await still(input, () => again(input, live, generation, suspects));
      suspects = settled.suspects;
      if (settled.atRest) break;
      await new Promise(resolve => setTimeout(resolve, ROUND_MS));
    }
    return { documents, differences: suspects };
  } finally {
    await drop(models, p, generation);
  }
}

/**
 * Looks at suspects again; `atRest`: both stood at the same fact before and after, so that what differs,
 * differs.
 */
async function again(
  { models, projection: p, ...input }: Rebuilding,
  live: number,
  generation: number,
  suspects: Difference[],
) {
  const position = await models.checkpoint(checkpointName(p, live));
  await catchUp({ models, projection: p, ...input }, generation, position);
  const differing = [];
  for (const suspect of suspects) {
    const [a, b] = await Promise.all([
      one(models, suspect.live, suspect.id),
      one(models, suspect.rebuilt, suspect.id),
    ]);
    if (JSON.stringify(a) !== JSON.stringify(b)) differing.push({ ...suspect, was: a, is: b });
  }
  const places = await Promise.all([live, generation].map(g => models.checkpoint(checkpointName(p, g))));
  return { suspects: differing, atRest: places.every(place => place === position) };
}

const one = async (models: ReadModels, collection: string, id: string): Promise<Stored | null> =>
  (await models.load(collection, [id])).get(id) ?? null;

/**
 * A new generation, filled from the first fact until it is close behind the last; dropped again when it is
 * not finished.
 */
async function* filled(input: Rebuilding): AsyncGenerator<Progress, number> {
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

const still = <T>({ projector }: Rebuilding, work: () => Promise<T>): Promise<T> =>
  projector ? projector.holding(work) : work();

async function catchUp(input: Rebuilding, generation: number, until: number): Promise<void> {
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

async function progress(
  { store, models, projection: p }: Rebuilding,
  generation: number,
  facts: number,
): Promise<Progress> {
  const [at, head] = await Promise.all([models.checkpoint(checkpointName(p, generation)), store.head()]);
  return { projection: p.name, phase: 'rebuilding', at: Math.max(at, START), head, facts, documents: 0 };
}

const drop = (models: ReadModels, p: Projection, generation: number): Promise<void> =>
  models.drop(
    collectionsOf(p, generation).map(({ name }) => name),
    checkpointName(p, generation),
  );
