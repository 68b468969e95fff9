import type { Called, KeptFeature, KeptRecipe, KeptTable } from '../domain/segments/facts.js';
import type { Feature, Normalization, Recipe } from '../domain/segments/recipe.js';
import { featureNotFound, segmentJournalId, segmentNotFound, segments } from '../domain/segments/decider.js';
import type { Change, SegmentCommand } from '../domain/segments/commands.js';
import type { LiveSegment, SegmentState } from '../domain/segments/state.js';
import type { Context, Handle, Load, Outcome } from './engine/handle.js';
import { newId } from './engine/ids.js';
import type { SegmentFact } from '../domain/segments/facts.js';

/** `seen`: the revision a change is meant for; null: whichever there is. */
type Seen = number | null;
export type SegmentOutcome = Outcome<SegmentFact, SegmentState>;

/** Features under ids: those that they had before, by their names, or new ones. */
const kept = (recipe: Recipe, before: readonly KeptFeature[]): KeptRecipe => ({
  ...recipe,
  features: recipe.features.map(feature => ({
    ...feature,
    feature_id: before.find(({ name }) => name === feature.name)?.feature_id ?? newId('ftr_'),
  })),
});

/** Segments of workspaces. */
export function segmentCommands(handle: Handle, load: Load) {
  const give = (command: SegmentCommand, context: Context): Promise<SegmentOutcome> =>
    handle(segments, command, { ...context, workspace: command.data.workspace });
  /** @throws Rejected 404 */
  async function read(workspace: string, segmentId: string): Promise<LiveSegment> {
    const state = await load(segments, segmentJournalId(workspace, segmentId));
    if (state.status === 'none') throw segmentNotFound();
    return state;
  }

  return {
    read,
    async create(workspace: string, called: Called, recipe: Recipe, context: Context) {
      const segmentId = newId('seg_');
      const data = { workspace, segmentId, ...called, recipe: kept(recipe, []) };
      return { segmentId, outcome: await give({ type: 'CreateSegment', data }, context) };
    },
    async revise(
      workspace: string,
      segmentId: string,
      { recipe, ...called }: Partial<Called> & { readonly recipe: Recipe },
      seen: Seen,
      context: Context,
    ): Promise<SegmentOutcome> {
      const before = await read(workspace, segmentId);
      const data = { workspace, segmentId, seen, ...called, recipe: kept(recipe, before.recipe.features) };
      return give({ type: 'ReviseSegment', data }, context);
    },
    setNormalization: (
      workspace: string,
      segmentId: string,
      normalization: Normalization,
      seen: Seen,
      context: Context,
    ) => give({ type: 'SetNormalization', data: { workspace, segmentId, seen, normalization } }, context),
    async addFeature(workspace: string, segmentId: string, feature: Feature, seen: Seen, context: Context) {
      const added: KeptFeature = { ...feature, feature_id: newId('ftr_') };
      const outcome = await give(
        { type: 'AddFeature', data: { workspace, segmentId, seen, feature: added } },
        context,
      );
      return { feature: added, outcome };
    },
    /** `change`: makes another feature of the present one. */
    async changeFeature(
      workspace: string,
      segmentId: string,
      featureId: string,
      change: (before: KeptFeature) => Feature,
      seen: Seen,
      context: Context,
    ) {
      const { recipe } = await read(workspace, segmentId);
      const before = recipe.features.find(({ feature_id }) => feature_id === featureId);
      if (!before) throw featureNotFound();
      const feature: KeptFeature = { ...change(before), feature_id: featureId };
      const outcome = await give(
        { type: 'ReplaceFeature', data: { workspace, segmentId, seen, feature } },
        context,
      );
      return { feature, outcome };
    },
    removeFeature: (workspace: string, segmentId: string, featureId: string, seen: Seen, context: Context) =>
      give({ type: 'RemoveFeature', data: { workspace, segmentId, seen, featureId } }, context),
    rebuild: (workspace: string, segmentId: string, context: Context) =>
      give({ type: 'RebuildSegment', data: { workspace, segmentId } }, context),
    delete: (workspace: string, segmentId: string, seen: Seen, context: Context) =>
      give({ type: 'DeleteSegment', data: { workspace, segmentId, seen } }, context),

    startBuild: (workspace: string, segmentId: string, build: number, context: Context) =>
      give({ type: 'StartBuild', data: { workspace, segmentId, build } }, context),
    finishBuild: (
      workspace: string,
      segmentId: string,
      { build, attempt }: { readonly build: number; readonly attempt: number },
      table: KeptTable,
      context: Context,
    ) => give({ type: 'FinishBuild', data: { workspace, segmentId, build, attempt, table } }, context),
    failBuild: (
      workspace: string,
      segmentId: string,
      build: number,
      why: { readonly code: string; readonly message: string },
      context: Context,
    ) => give({ type: 'FailBuild', data: { workspace, segmentId, build, ...why } }, context),
    markStale: (workspace: string, segmentId: string, changes: readonly Change[], context: Context) =>
      give({ type: 'MarkStale', data: { workspace, segmentId, changes, at: context.at } }, context),
  };
}
export type SegmentCommands = ReturnType<typeof segmentCommands>;
