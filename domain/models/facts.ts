import type { Message } from '../fact.js';
import type { ForecasterTask } from '../maths/forecasting/forecaster.js';
import type { AlgorithmName } from './algorithms.js';
import type { FoundationListing, ModelRef } from './hosted.js';

type OfModel = { readonly blueprintUid: string };

/** A model of an external family was validated by a forward pass, and its file is kept. */
export type FoundationModelImported = Message<
  'FoundationModelImported',
  OfModel & { readonly listing: FoundationListing }
>;
/** It is not deployed anew; what is deployed goes on. `replacement`: what to take instead. */
export type FoundationModelDeprecated = Message<
  'FoundationModelDeprecated',
  OfModel & { readonly replacement: ModelRef | null }
>;
/** What to take instead of a deprecated model is another one than was said before. */
export type FoundationModelReplaced = Message<
  'FoundationModelReplaced',
  OfModel & { readonly replacement: ModelRef | null }
>;
/** It is not deprecated any more. */
export type FoundationModelReinstated = Message<'FoundationModelReinstated', OfModel>;

export type FoundationModelFact =
  | FoundationModelImported
  | FoundationModelDeprecated
  | FoundationModelReplaced
  | FoundationModelReinstated;

export const VISIBILITIES = ['private', 'public'] as const;
export type Visibility = (typeof VISIBILITIES)[number];
export const INTENSITIES = ['adapt', 'specialize', 'forge'] as const;
/** How deep a fine-tuning goes. */
export type Intensity = (typeof INTENSITIES)[number];

/** The fine-tuning of a foundation model, named and not trained yet. */
export type FineTune = {
  readonly model: ModelRef & { readonly version: string };
  readonly task: ForecasterTask;
  readonly intensity: Intensity;
  readonly lookback: number;
  readonly horizon: number;
};
/** What a custom model is fitted by, and how. */
export type Recipe = {
  readonly algorithm: AlgorithmName;
  readonly hyperparameters: Readonly<Record<string, unknown>>;
};

/** What people say of a blueprint. */
export type BlueprintLabels = {
  readonly name: string;
  readonly purpose: string | null;
  readonly description: string;
  readonly visibility: Visibility;
  readonly categories: readonly string[];
  readonly tags: readonly string[];
  readonly metadata: Readonly<Record<string, unknown>>;
};
/** What a blueprint makes. */
export type BlueprintKind =
  | { readonly kind: 'foundation'; readonly foundation: FineTune }
  | { readonly kind: 'custom'; readonly recipe: Recipe };

/** `owner`: uid of who made it. */
export type BlueprintCreated = Message<
  'BlueprintCreated',
  { readonly uid: string; readonly owner: string } & BlueprintLabels & BlueprintKind
>;
/**
 * Somebody's opinion of a blueprint, 1 to 5 stars. `before`: what the same person had said; null: nothing
 * yet.
 */
export type BlueprintRated = Message<
  'BlueprintRated',
  { readonly uid: string; readonly by: string; readonly stars: number; readonly before: number | null }
>;
