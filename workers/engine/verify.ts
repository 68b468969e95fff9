import { checkpointName, collectionName } from '../../projections/engine/projection.js';
import type { ReadModels, Stored } from '../../projections/engine/read-models.js';
import { compare, type Difference } from './compare.js';
import { catchUp, drop, filled, progress, still, type Progress, type Rebuilding } from './filling.js';

export type Verified = { readonly documents: number; readonly differences: readonly Difference[] };

const ROUNDS = 20;
const ROUND_MS = 100;

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
