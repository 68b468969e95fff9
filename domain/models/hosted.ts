import type { ForecasterTask } from '../maths/forecasting/forecaster.js';
import type { Graph } from './graph.js';
import type { TrainedModel } from './trained.js';

/** Which foundation model: the pair is its identity. */
export type ModelRef = { readonly family: string; readonly slug: string };

/** The first-party family; every other one is external. */
export const FIRST_PARTY = 'presage';

/** Its name in the catalogue: `presage__mini`, `extfm__chronos__bolt-small`. */
export const blueprintUidOf = ({ family, slug }: ModelRef): string =>
  family === FIRST_PARTY ? `${FIRST_PARTY}__${slug}` : `extfm__${family}__${slug}`;

/** Which foundation model its name in the catalogue means; null: it is no such name. */
export function refIn(uid: string): ModelRef | null {
  const [, family = FIRST_PARTY, slug] = /^(?:presage|extfm__(.+?))__(.+)$/.exec(uid) ?? [];
  return slug === undefined ? null : { family, slug };
}

/** Whether an id of the catalogue is that of a foundation model. */
export const isFoundationUid = (uid: string): boolean =>
  uid.startsWith(`${FIRST_PARTY}__`) || uid.startsWith('extfm__');

/** Blueprints that come with the platform: `blueprint__ets`. */
export const BUILTIN = 'blueprint__';

/** Whether an id of the catalogue is of something that nobody made here. */
export const isOfPlatform = (uid: string): boolean => isFoundationUid(uid) || uid.startsWith(BUILTIN);

/** What a model itself reads beside the series. */
export const COVARIATES = ['none', 'past', 'future', 'both'] as const;
export type Covariates = (typeof COVARIATES)[number];

/** A training, and the table of its segment that it learnt from; null where that is another's. */
export type MadeBy = {
  readonly trainingId: string;
  readonly segmentVersion: number | null;
  readonly tableHash: string | null;
};

/** What is said of a foundation model when it is made or imported; it never changes afterwards. */
export type FoundationListing = ModelRef & {
  readonly name: string;
  readonly description: string;
  readonly vendor: string;
  readonly licence: string;
  readonly commercialUse: boolean;
  readonly parameters: number;
  readonly tasks: readonly ForecasterTask[];
  /** The newest values that are read of a series, and the steps ahead, at most. */
  readonly maxContext: number;
  readonly maxHorizon: number;
  /** The levels it gives by itself, ascending; others come from these. */
  readonly quantiles: readonly number[];
  readonly covariates: Covariates;
  /** When its maker released it, epoch ms. */
  readonly releasedAt: number;
  readonly paperUrl: string | null;
  /** Of its file, in lower-case hex. */
  readonly sha256: string;
  /** Of its file. */
  readonly bytes: number;
  /** By name of the file's own inputs and outputs: type and shape, in words. */
  readonly inputs: Readonly<Record<string, string>>;
  readonly outputs: Readonly<Record<string, string>>;
  /** How series go in and forecasts come out; null: as in the first-party models. */
  readonly graph: Graph | null;
  /** Of a model that was trained here: how it is asked. */
  readonly trained?: TrainedModel;
  /** Of a model that was trained here: by which training, and in which workspace. */
  readonly madeBy?: MadeBy & { readonly workspace: string };
  /** How good it was found to be, as measured; null: nobody has measured it here. */
  readonly benchmarks: Readonly<Record<string, unknown>> | null;
};

/** A foundation model that this platform knows, as it is now. */
export type HostedModel = FoundationListing & {
  /** First 12 hex digits of the sha256 of its file. */
  readonly version: string;
  /** The one to begin with, in its family. */
  readonly recommended: boolean;
  /** Since when it can be had here, epoch ms. */
  readonly listedAt: number;
  /** When it was retired, epoch ms; null: it is not. What was deployed goes on being served. */
  readonly deprecatedAt: number | null;
  readonly replacement: ModelRef | null;
  /** What it needs and is gone or damaged, for the log: it is known, and cannot be asked. */
  readonly lost?: string;
};

/** The models hosted here, as they are at the time of the call, the deprecated ones too. */
export type HostedModels = {
  readonly find: (ref: ModelRef) => Promise<HostedModel | null>;
  readonly byUid: (blueprintUid: string) => Promise<HostedModel | null>;
  /** By family and slug. */
  readonly all: () => Promise<readonly HostedModel[]>;
};
