import type { Fact } from '../../domain/fact.js';
import { checkpointName, collectionName, type Projection } from './projection.js';
import type { Commit, ReadModels } from './read-models.js';
import { changesOf, land, loadTable, sweep } from './tables.js';
import { TallyPage } from './tallies.js';
import { TreePage } from './tree-page.js';
import { withoutRebirths, type Trees } from './trees.js';

/**
 * Applies a page of facts (in order, all above the checkpoint or already applied) and moves the checkpoint to
 * its end. Each document skips the facts that it holds already (`_at`), so that the same facts twice make the
 * same documents.
 */
export async function applyPage(
  p: Projection,
  models: ReadModels,
  generation: number,
  page: readonly Fact[],
  fence?: number,
): Promise<void> {
  if (page.length > 0 && !page.some(fact => concerns(p, fact)))
    return passBy(p, models, generation, page, fence);
  for (let rest = page; rest.length > 0; ) rest = await applyPart(p, models, generation, rest, fence);
}

/** Whether a projection takes notice of a fact: most do of few. */
const concerns = (p: Projection, { type }: Fact): boolean =>
  p.on[type] !== undefined || p.sweeps?.[type] !== undefined;

/** Nothing in the page concerns the projection: it only says how far it is. */
const passBy = (
  p: Projection,
  models: ReadModels,
  generation: number,
  page: readonly Fact[],
  fence: number | undefined,
): Promise<void> =>
  models.commit({
    projection: checkpointName(p, generation),
    checkpoint: page.at(-1)!.position,
    sweeps: [],
    changes: [],
    fence,
  });

/** Applies as much as can be written in one; answers what is left. */
async function applyPart(
  p: Projection,
  models: ReadModels,
  generation: number,
  page: readonly Fact[],
  fence: number | undefined,
): Promise<readonly Fact[]> {
  const part = p.trees ? withoutRebirths(p.trees, page) : page;
  const mine = part.filter(fact => concerns(p, fact));
  const [tables, leaves] = await Promise.all([
    Promise.all(
      Object.entries(p.collections).map(([name, { idOf }]) =>
        loadTable(models, name, collectionName(p, name, generation), mine.map(idOf)),
      ),
    ),
    p.trees ? treePage(p, p.trees, models, generation, mine) : null,
  ]);
  const tallies = p.tallies
    ? new TallyPage(p.tallies, models, collectionName(p, p.tallies.collection, generation))
    : null;
  const sweeps: Commit['sweeps'][number][] = [];
  let done = 0;
  for (let room = true; room && done < mine.length; done++) {
    const fact = mine[done]!;
    const counted = land(p, tables, done, fact);
    if (tallies && counted) await tallies.land(fact, counted.was, counted.is);
    if (leaves) room = await leaves.land(fact);
    sweep(p, tables, fact, sweeps);
  }
  const next = mine[done];
  const applied = next ? part.indexOf(next) : part.length;
  await models.commit({
    projection: checkpointName(p, generation),
    checkpoint: part[applied - 1]!.position,
    sweeps: [...(leaves?.sweeps() ?? []), ...sweeps],
    changes: [
      ...(tallies?.changes() ?? []),
      ...(leaves?.changes() ?? []),
      ...tables.filter(({ changed }) => changed.size > 0).map(changesOf),
    ],
    fence,
  });
  return page.slice(applied);
}

async function treePage(
  p: Projection,
  trees: Trees,
  models: ReadModels,
  generation: number,
  facts: readonly Fact[],
): Promise<TreePage> {
  const stored = (collection: string): string => collectionName(p, collection, generation);
  const leaves = new TreePage(trees, models, stored(trees.collection), stored(trees.sketches.collection));
  await leaves.prepare(facts);
  return leaves;
}
