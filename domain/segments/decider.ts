import { checkRecipe } from './check.js';
import type { Decider } from '../decider.js';
import { Rejected } from '../rejected.js';
import { mindVersion } from '../versions.js';
import type {
  DeleteSegment,
  FailBuild,
  FinishBuild,
  ReviseSegment,
  SegmentCommand,
  StartBuild,
} from './commands.js';
import type { KeptFeature, KeptRecipe, SegmentFact } from './facts.js';
import { isSameRecipe } from './same-recipe.js';
import { markStale } from './staleness.js';
import { evolve, initialState, type LiveSegment, type SegmentState } from './state.js';

export const segmentNotFound = (): Rejected => new Rejected('missing', 'not_found', 'Segment not found');
export const featureNotFound = (): Rejected => new Rejected('missing', 'not_found', 'Feature not found');

function decide(command: SegmentCommand, state: SegmentState): readonly SegmentFact[] {
  switch (command.type) {
    case 'CreateSegment': {
      const { workspace: _, ...given } = command.data;
      return state.status === 'none' ? [{ type: 'SegmentCreated', data: given }] : [];
    }
    case 'MarkStale':
      return state.status === 'none' ? [] : markStale(command, state);
    case 'StartBuild':
    case 'FinishBuild':
    case 'FailBuild':
      return state.status === 'none' ? [] : keepBuild(command, state);
    case 'DeleteSegment':
      return remove(command, state);
    case 'RebuildSegment': {
      const { segmentId } = command.data;
      const { status, version, last } = live(state, null);
      if (status === 'building') return [];
      return [{ type: 'SegmentRebuildRequested', data: { segmentId, version, build: last.build + 1 } }];
    }
    case 'ReviseSegment':
      return revise(command.data, live(state, command.data.seen));
    default: {
      const { segmentId, seen } = command.data;
      const segment = live(state, seen);
      return revised(segmentId, segment, changed(command, segment.recipe));
    }
  }
}

type OfPart = Extract<
  SegmentCommand,
  { type: 'SetNormalization' | 'AddFeature' | 'ReplaceFeature' | 'RemoveFeature' }
>;

function changed(command: OfPart, recipe: KeptRecipe): KeptRecipe {
  switch (command.type) {
    case 'SetNormalization':
      return { ...recipe, normalization: command.data.normalization };
    case 'AddFeature':
      return { ...recipe, features: [...recipe.features, command.data.feature] };
    case 'ReplaceFeature':
      return { ...recipe, features: put(recipe, command.data.feature.feature_id, [command.data.feature]) };
    case 'RemoveFeature':
      return { ...recipe, features: put(recipe, command.data.featureId, []) };
  }
}

/** The features with others in the place of one. */
function put({ features }: KeptRecipe, id: string, instead: readonly KeptFeature[]): KeptFeature[] {
  const at = features.findIndex(({ feature_id }) => feature_id === id);
  if (at === -1) throw featureNotFound();
  return features.toSpliced(at, 1, ...instead);
}

function revise(
  { segmentId, name, description, recipe }: ReviseSegment['data'],
  state: LiveSegment,
): SegmentFact[] {
  const called = { name: name ?? state.name, description: description ?? state.description };
  const isSame = called.name === state.name && called.description === state.description;
  return [
    ...(isSame ? [] : [{ type: 'SegmentRenamed', data: { segmentId, ...called } } as const]),
    ...(recipe ? revised(segmentId, state, recipe) : []),
  ];
}

function revised(
  segmentId: string,
  { recipe: before, version, last }: LiveSegment,
  recipe: KeptRecipe,
): SegmentFact[] {
  if (isSameRecipe(before, recipe)) return [];
  checkRecipe(recipe);
  const data = { segmentId, version: version + 1, build: last.build + 1, recipe };
  return [{ type: 'SegmentRevised', data }];
}

/** Only the build that was asked for last counts, and of it only the attempt that began last. */
function keepBuild(
  command: StartBuild | FinishBuild | FailBuild,
  state: LiveSegment,
): readonly SegmentFact[] {
  const { segmentId, build } = command.data;
  const { version, last } = state;
  if (state.status !== 'building' || build !== last.build) return [];
  const of = { segmentId, version, build };
  switch (command.type) {
    case 'StartBuild':
      return [{ type: 'SegmentBuildStarted', data: { ...of, attempt: last.attempt + 1 } }];
    case 'FinishBuild': {
      const { attempt, table } = command.data;
      return attempt === last.attempt ? [{ type: 'SegmentBuilt', data: { ...of, table } }] : [];
    }
    case 'FailBuild': {
      const { code, message } = command.data;
      return [{ type: 'SegmentBuildFailed', data: { ...of, code, message } }];
    }
  }
}

function remove({ data: { segmentId, seen } }: DeleteSegment, state: SegmentState): readonly SegmentFact[] {
  live(state, seen);
  return [{ type: 'SegmentDeleted', data: { segmentId } }];
}

function live(state: SegmentState, seen: number | null): LiveSegment {
  if (state.status === 'none') throw segmentNotFound();
  mindVersion('The segment', seen, state.revision);
  return state;
}

/** Of the journal, within its category. */
export const segmentJournalId = (workspace: string, segmentId: string): string => `${workspace}.${segmentId}`;

/** Recipes of model-ready tables, and how their tables were built. */
export const segments: Decider<SegmentCommand, SegmentFact, SegmentState> = {
  category: 'segment',
  idOf: ({ data: { workspace, segmentId } }) => segmentJournalId(workspace, segmentId),
  initialState,
  decide,
  evolve,
};
