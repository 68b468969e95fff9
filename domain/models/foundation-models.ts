import type { Decider } from '../decider.js';
import type { Fact, Message } from '../fact.js';
import { Rejected } from '../rejected.js';
import type { FoundationModelFact } from './facts.js';
import { blueprintUidOf, type FoundationListing, type ModelRef } from './hosted.js';

type OfModel = { readonly model: ModelRef };
export type ImportFoundationModel = Message<
  'ImportFoundationModel',
  OfModel & { readonly listing: FoundationListing }
>;
/** `replacement`: what to take instead. */
export type DeprecateFoundationModel = Message<
  'DeprecateFoundationModel',
  OfModel & { readonly replacement: ModelRef | null }
>;
export type ReinstateFoundationModel = Message<'ReinstateFoundationModel', OfModel>;
export type FoundationModelCommand =
  | ImportFoundationModel
  | DeprecateFoundationModel
  | ReinstateFoundationModel;

export type FoundationModelState = {
  /** Null for a first-party one, and for one that there is not. */
  readonly listing: FoundationListing | null;
  readonly deprecated: boolean;
  readonly replacement: ModelRef | null;
};

function decide(
  command: FoundationModelCommand,
  state: FoundationModelState,
): readonly FoundationModelFact[] {
  const blueprintUid = blueprintUidOf(command.data.model);
  switch (command.type) {
    case 'ImportFoundationModel':
      return imported(command, state);
    case 'DeprecateFoundationModel': {
      const { replacement } = command.data;
      if (replacement && blueprintUidOf(replacement) === blueprintUid)
        throw new Rejected('unprocessable', 'validation_error', 'A model cannot replace itself');
      if (!state.deprecated)
        return [{ type: 'FoundationModelDeprecated', data: { blueprintUid, replacement } }];
      return isSame(replacement, state.replacement)
        ? []
        : [{ type: 'FoundationModelReplaced', data: { blueprintUid, replacement } }];
    }
    case 'ReinstateFoundationModel':
      return state.deprecated ? [{ type: 'FoundationModelReinstated', data: { blueprintUid } }] : [];
  }
}

/** What is deployed may stand on it: a model is never another one under the same name. */
function imported(
  { data: { model, listing } }: ImportFoundationModel,
  state: FoundationModelState,
): readonly FoundationModelFact[] {
  const before = state.listing;
  if (before === null)
    return [{ type: 'FoundationModelImported', data: { blueprintUid: blueprintUidOf(model), listing } }];
  // When it was released may have been filled in at the time of the import
  const { releasedAt } = before;
  if (JSON.stringify({ ...listing, releasedAt }) === JSON.stringify(before)) return [];
  throw new Rejected(
    'conflict',
    'already_imported',
    `${model.family}/${model.slug} was imported before, with another file or manifest: give this one another `
      + 'slug, and deprecate the old one',
  );
}

const isSame = (a: ModelRef | null, b: ModelRef | null): boolean =>
  a?.family === b?.family && a?.slug === b?.slug;

function evolve(state: FoundationModelState, fact: Fact<FoundationModelFact>): FoundationModelState {
  switch (fact.type) {
    case 'FoundationModelImported':
      return { ...state, listing: fact.data.listing };
    case 'FoundationModelDeprecated':
    case 'FoundationModelReplaced':
      return { ...state, deprecated: true, replacement: fact.data.replacement };
    case 'FoundationModelReinstated':
      return { ...state, deprecated: false, replacement: null };
  }
}

/** A foundation model, imported or our own: it may be retired, and come back. */
export const foundationModels: Decider<FoundationModelCommand, FoundationModelFact, FoundationModelState> = {
  category: 'foundation_model',
  idOf: ({ data }) => blueprintUidOf(data.model),
  initialState: { listing: null, deprecated: false, replacement: null },
  decide,
  evolve,
};
