import { Rejected } from '../../domain/rejected.js';
import type { LiveSegment } from '../../domain/segments/state.js';
import type { Recipe } from '../../domain/segments/recipe.js';
import type { Context } from '../engine/handle.js';
import type { Contents } from '../ports/contents.js';
import { isGone } from '../ports/contents.js';
import type { SegmentCommands } from '../segments.js';
import { namedIn, sourcesOf, MOST_ENTITIES, type Holidays, type SegmentReads } from './sources.js';
import { tables, type Tables } from './tables.js';
import type { TableWork } from './work.js';

export type BuildDeps = {
  readonly commands: Pick<SegmentCommands, 'startBuild' | 'finishBuild' | 'failBuild'>;
  readonly reads: SegmentReads;
  readonly holidays: Holidays;
  readonly work: Pick<TableWork, 'build'>;
  /** Resolves when the read models that it reads of hold the fact at a position. */
  readonly caughtUp: (position: number) => Promise<boolean>;
  readonly clock: () => number;
};

/** The build that was asked for of a segment. */
export type Asked = { readonly workspace: string; readonly segmentId: string; readonly build: number };

/** A build that was begun so often ends it: what ends its process each time would go on for ever. */
export const MOST_ATTEMPTS = 10;

/**
 * Does a build that was asked for, from its beginning. Answers the position of what it led to; null: another
 * one was asked for meanwhile, or the segment is gone.
 * @throws what may pass (stores that do not answer, a signal that ended): the build is begun again
 */
export async function buildSegment(
  deps: BuildDeps,
  { workspace, segmentId, build }: Asked,
  context: Context,
  signal: AbortSignal,
): Promise<number | null> {
  const { commands, clock } = deps;
  const started = await commands.startBuild(workspace, segmentId, build, context);
  const state = started.after;
  if (state.status !== 'building' || state.last.build !== build) return null;
  const { attempt } = state.last;
  const now = (): Context => ({ ...context, at: clock() });
  try {
    if (attempt > MOST_ATTEMPTS) throw cutShort();
    if (!(await deps.caughtUp(started.position!))) throw new Error('the read models are behind');
    const sources = sourcesOf(deps, workspace, await asOf(deps, workspace, state), false);
    const { recipe } = state;
    const before = state.table?.manifest ?? null;
    const table = await deps.work.build({ workspace, recipe, sources, signal, shelf: segmentId, before });
    return (await commands.finishBuild(workspace, segmentId, { build, attempt }, table, now())).position;
  } catch (error) {
    if (!(error instanceof Rejected) || error.kind === 'unavailable') throw error;
    const { code, message } = error;
    return (await commands.failBuild(workspace, segmentId, build, { code, message }, now())).position;
  }
}

const cutShort = (): Rejected =>
  new Rejected('unprocessable', 'cut_short', `It was begun ${MOST_ATTEMPTS} times and never came to an end`);

/**
 * A moment at which all is known that stands before the start in the log, whatever clocks said: what is
 * recorded after it is read by the next build.
 */
async function asOf(
  { reads, clock }: BuildDeps,
  workspace: string,
  { recipe }: LiveSegment,
): Promise<number> {
  const recorded = await lastRecorded(reads, workspace, recipe);
  return Math.max(clock(), recorded);
}

async function lastRecorded(reads: SegmentReads, workspace: string, recipe: Recipe): Promise<number> {
  let last = -Infinity;
  for (const key of namedIn(recipe).signals) {
    const one = await reads.signal(workspace, key);
    if (one) last = Math.max(last, one.recordedAt);
    if (recipe.entity_mode === 'single') continue;
    for (const { recordedAt } of await reads.entities(workspace, key, MOST_ENTITIES))
      last = Math.max(last, recordedAt);
  }
  return last;
}

/** Takes from a segment's shelf what none of these tables (their manifests) consists of. */
export async function sweep(contents: Contents, shelf: string, manifests: readonly string[]): Promise<void> {
  const names = await contents.list(shelf);
  const kept = new Set<string>();
  for (const manifest of new Set(manifests)) {
    kept.add(manifest);
    for (const sha256 of await filesOf(contents, shelf, manifest)) kept.add(sha256);
  }
  await contents.remove(
    shelf,
    names.filter(name => !kept.has(name)),
  );
}

async function statesOf(kept: Tables, shelf: string, checkpoints: string): Promise<string[]> {
  try {
    return (await kept.checkpoints(shelf, checkpoints)).checkpoints.map(({ state }) => state);
  } catch (error) {
    if (isGone(error)) return [];
    throw error;
  }
}

async function filesOf(contents: Contents, shelf: string, manifest: string): Promise<string[]> {
  try {
    const kept = tables(contents);
    const { blocks, normalization, checkpoints } = await kept.manifest(shelf, manifest);
    const files = [normalization, ...blocks.map(({ sha256 }) => sha256)];
    if (!checkpoints) return files;
    return [...files, checkpoints, ...(await statesOf(kept, shelf, checkpoints))];
  } catch (error) {
    if (isGone(error)) return [];
    throw error;
  }
}
