import type { ModelCommands } from '../../commands/models.js';
import type { Intensity, Visibility } from '../../domain/models/facts.js';
import type { HostedModels, ModelRef } from '../../domain/models/hosted.js';
import type { Asker } from '../../domain/models/made.js';
import type { ForecasterTask } from '../../domain/maths/forecasting/forecaster.js';
import type { ModelQueries } from '../../projections/models/queries.js';

/** What the serving of models says of one. `warm`: it is loaded, and answers at once. */
export type Serving = { readonly available: boolean; readonly warm: boolean };

/** What came of fine-tuning a foundation model. Times are epoch ms. */
export type Adapter = {
  readonly adapterId: string;
  readonly backbone: ModelRef;
  readonly task: ForecasterTask;
  readonly visibility: Visibility;
  readonly name: string;
  readonly owner: string;
  readonly status: 'training' | 'ready' | 'failed' | 'archived';
  readonly intensity: string;
  readonly lookback: number;
  readonly horizon: number;
  readonly trainingId: string;
  readonly segmentId: string;
  readonly metrics: Readonly<Record<string, number>>;
  readonly sizeBytes: number | null;
  readonly createdAt: number;
};
export type AdapterFilter = {
  readonly family?: string;
  readonly slug?: string;
  readonly task?: ForecasterTask;
  readonly owner?: string;
  readonly visibility: 'public' | 'private' | 'all';
};
/** Adapters that somebody may see: those that are public, and their own of the workspaces they may be in. */
export type Adapters = {
  readonly seenBy: (by: Asker, filter: AdapterFilter) => Promise<readonly Adapter[]>;
  readonly one: (by: Asker, adapterId: string) => Promise<Adapter | null>;
};

/** The blueprint that did best in a workspace, and what says so. `computedAt`: epoch ms. */
export type Recommendation = {
  readonly blueprintUid: string;
  readonly reason: string;
  readonly tournamentId: string | null;
  readonly score: number;
  readonly baselineScore: number;
  readonly computedAt: number;
};

/** Nothing is, and why. */
export type NoRecommendation = { readonly blueprintUid: null; readonly reason: string };

export type ModelDeps = {
  readonly commands: ModelCommands;
  readonly hosted: HostedModels;
  readonly queries: ModelQueries;
  readonly adapters: Adapters;
  readonly recommended: (workspace: string) => Promise<Recommendation | NoRecommendation>;
  readonly serving: (model: ModelRef) => Serving;
  /** Names of who made models, by uid; null for those who were erased. */
  readonly namesOf: (uids: readonly string[]) => Promise<ReadonlyMap<string, string | null>>;
  /** What a fine-tuning costs, in credits. */
  readonly priceOf: (intensity: Intensity) => number;
  /** Public models that a workspace may have. */
  readonly mostPublic: number;
  readonly cell: string;
  readonly clock: () => number;
  /** Waits, a bounded time, until the read models of models hold the fact at a position. */
  readonly visible: (position: number | null) => Promise<void>;
};

export const tag = 'Models';
export const readAccess = { kind: 'workspace', scope: 'models.read' } as const;
export const writeAccess = { kind: 'workspace', scope: 'models.write' } as const;
