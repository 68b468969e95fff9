import type { Priced } from '../../commands/billing/max-credits.js';
import type { GoalCommands } from '../../commands/goals/records.js';
import type { EdgeStatus } from '../../domain/goals/ports.js';
import type { GoalDoc } from '../../projections/goals/documents.js';
import type { GoalQueries } from '../../projections/goals/queries.js';

/** What a plan allows, and what there is of it. `limit` null: as many as one likes. */
export type GoalQuota = { readonly limit: number | null; readonly used: number; readonly plan: string };

/** What there is of the signal that is to be forecast. */
export type Target = {
  readonly points: number;
  /** Its usual step in whole seconds, from its newest points; null: too few say so. */
  readonly stepS: () => Promise<number | null>;
};

/** What is known of some goals of a workspace, by id; of whom there is nothing is absent. */
export type OfGoals<T> = (workspace: string, goalIds: readonly string[]) => Promise<ReadonlyMap<string, T>>;

/** `asOf`: epoch ms. */
export type OfGoalsThen<T> = (
  workspace: string,
  goalIds: readonly string[],
  asOf: number,
) => Promise<ReadonlyMap<string, T>>;
/** A goal as it stood at a moment (epoch ms); null: it was not there, or is gone. */
export type GoalThen = (workspace: string, goalId: string, asOf: number) => Promise<GoalDoc | null>;

/** How many edges lead to a goal. */
export type EdgeCounts = Readonly<Partial<Record<EdgeStatus, number>>>;
/** What a goal's forecasts were worth, and the newest one. Times are epoch ms. */
export type ForecastRecord = {
  readonly accuracy: {
    readonly value_7d: number | null;
    readonly value_30d: number | null;
    readonly skill_vs_naive: number | null;
    readonly coverage_80_30d: number | null;
    /** What the last 30 days are judged by: each forecast of each step counts. */
    readonly graded_steps: number;
  };
  readonly latest: {
    readonly forecastId: string;
    readonly issuedAt: number;
    readonly nextValue: number;
    readonly nextAt: number;
  } | null;
};
/** A goal that is not as it normally is; `shown` as in open-parts 14.3. */
export type InShock = {
  readonly state: 'shock' | 'recovering';
  readonly shown: Readonly<Record<string, unknown>>;
};

/** What areas that are built on goals say of them. */
export type Beside = {
  readonly edges: OfGoals<EdgeCounts>;
  readonly forecasts: OfGoals<ForecastRecord>;
  readonly shocks: OfGoals<InShock>;
  /** The same as it was at a moment. */
  readonly then: {
    readonly edges: OfGoalsThen<EdgeCounts>;
    /** Of goals as they were then. */
    readonly forecasts: (
      workspace: string,
      goals: readonly GoalDoc[],
      asOf: number,
    ) => Promise<ReadonlyMap<string, ForecastRecord>>;
    readonly shocks: OfGoalsThen<InShock>;
  };
};

export type GoalDeps = {
  readonly commands: GoalCommands;
  /** The same, and nothing is written. */
  readonly tried: GoalCommands;
  readonly queries: GoalQueries;
  readonly beside: Beside;
  readonly goalThen: GoalThen;
  /** Null: the workspace has no such signal, and subscribes to none. */
  readonly target: (workspace: string, key: string) => Promise<Target | null>;
  readonly hasSegment: (workspace: string, segmentId: string) => Promise<boolean>;
  readonly hasPipeline: (workspace: string, pipelineId: string) => Promise<boolean>;
  readonly quota: (workspace: string) => Promise<GoalQuota>;
  /** What the activation of a goal costs at most, as things are now. */
  readonly activationPrice: (workspace: string) => Promise<Priced>;
  readonly clock: () => number;
  /** Waits, a bounded time, until the read models of goals hold the fact at a position. */
  readonly visible: (position: number | null) => Promise<void>;
};

export const tag = 'Goals';
export const readAccess = { kind: 'workspace', scope: 'goals.read' } as const;
export const writeAccess = { kind: 'workspace', scope: 'goals.write' } as const;
export const one = '/v1/goals/{goal_id}';
