import type { ForecasterTask } from '../maths/forecasting/forecaster.js';

/** Which foundation model: the pair is its identity. */
export type ModelRef = { readonly family: string; readonly slug: string };

/** The first-party family; every other one is external. */
export const FIRST_PARTY = 'presage';

/** Its name in the catalogue: `presage__mini`, `extfm__chronos__bolt-small`. */
export const blueprintUidOf = ({ family, slug }: ModelRef): string =>
  family === FIRST_PARTY ? `${FIRST_PARTY}__${slug}` : `extfm__${family}__${slug}`;

/** A foundation model that this platform can serve. */
export type HostedModel = ModelRef & {
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
  /** First 12 hex digits of the sha256 of its file. */
  readonly version: string;
  /** When it was retired, epoch ms; null: it is not. What was deployed goes on being served. */
  readonly deprecatedAt: number | null;
  readonly replacement: ModelRef | null;
};

/** The models hosted here, as they are now. */
export type HostedModels = {
  readonly find: (ref: ModelRef) => HostedModel | null;
  readonly byUid: (blueprintUid: string) => HostedModel | null;
  readonly all: () => readonly HostedModel[];
};
