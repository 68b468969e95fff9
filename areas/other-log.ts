import type { Stores } from '../adapters/open.js';
import { checkpointName, collectionsOf, type Projection } from '../projections/engine/projection.js';
import { activeGenerations } from '../workers/engine/generations.js';
import { isHeld } from '../workers/engine/lease.js';
import { checkpointOf } from '../workers/engine/reactor.js';
import { lineageOf } from '../workers/engine/versions.js';

type Forgetting = {
  readonly stores: Pick<Stores, 'models' | 'kv' | 'shared'>;
  readonly projections: readonly Projection[];
  /** Names of all reactors. */
  readonly reactors: readonly string[];
};

/**
 * Whose lease a process holds that keeps documents up with a log, or answers its facts; null: nobody's. One
 * that was killed counts for up to 10 s.
 */
export async function atWork({ stores, projections, reactors }: Forgetting): Promise<string | null> {
  if (!stores.shared) return null;
  const names = [
    ...projections.map(p => `projection ${checkpointName(p, 0)}`),
    ...reactors.map(name => `reactor ${name}`),
  ];
  for (const name of names) if (await isHeld(stores.kv, name)) return name;
  return null;
}

/**
 * Drops all documents, and where reactors stood: they come from another log. What is read from this one is
 * answered again, and a reactor finds done what is done. Broken off, it is begun again.
 */
export async function forgetOtherLog({ stores, projections, reactors }: Forgetting): Promise<void> {
  const { models, kv } = stores;
  const all = [...lineageOf(projections)].flatMap(([p, carried]) => [p, ...carried]);
  const generations = await activeGenerations(kv, all);
  for (const p of all) {
    const generation = generations.generationOf(p);
    const names = collectionsOf(p, generation).map(({ name }) => name);
    await models.drop(names, checkpointName(p, generation));
    await generations.forget(p);
  }
  for (const name of reactors) await models.drop([], checkpointOf({ name }));
}
