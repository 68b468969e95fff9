import type { Millicredits } from '../billing/credits.js';
import type { Message } from '../fact.js';
import type { Comparison } from '../trainings/comparison.js';
import type { TrainingMetric } from '../trainings/ports.js';
import type { Mode, PipelineSettings, PoolEntry } from './settings.js';

type OfPipeline = { readonly pipelineId: string };
type OfCycle = OfPipeline & { readonly cycleId: string };
type OfCandidate = OfPipeline & { readonly candidateId: string };

/**
 * `owner`: the user in whose name it trains; `rowsSeen`: points of the segment's target and inputs that there
 * were, absent in facts of before.
 */
export type PipelineCreated = Message<
  'PipelineCreated',
  OfPipeline & { readonly settings: PipelineSettings; readonly owner: string; readonly rowsSeen?: number }
>;
/** `rowsSeen`: where the segment became another: points of its target and inputs that there were. */
export type PipelineChanged = Message<
  'PipelineChanged',
  OfPipeline & { readonly settings: PipelineSettings; readonly rowsSeen?: number }
>;
export type PipelinePaused = Message<'PipelinePaused', OfPipeline>;
export type PipelineResumed = Message<'PipelineResumed', OfPipeline>;
/** `trainings`: of the cycle that was not over, and those that were tried once more. */
export type PipelineDeleted = Message<
  'PipelineDeleted',
  OfPipeline & { readonly trainings: readonly string[] }
>;

export const CYCLE_TRIGGERS = ['created', 'schedule', 'manual', 'on_new_data'] as const;
export type CycleTrigger = (typeof CYCLE_TRIGGERS)[number];
/** Why something could not be done, for who reads the cycle. */
export type Fault = { readonly code: string; readonly message: string };

/** An entry of the pool in a cycle; `refused`: it cannot be trained as things are. */
export type CycleEntry = {
  readonly entry: PoolEntry;
  readonly trainingId: string;
  readonly price: Millicredits;
  readonly refused: Fault | null;
};
/**
 * All entries are trained on the same segment. `number` counts the cycles of a pipeline from 1; `against`:
 * the deployment that serves, judged on the same folds; `rowsSeen`: points of the segment's target and inputs
 * that there were.
 */
export type CycleStarted = Message<
  'CycleStarted',
  OfCycle & {
    readonly number: number;
    readonly trigger: CycleTrigger;
    readonly segmentId: string;
    readonly horizon: number | null;
    readonly metric: TrainingMetric;
    readonly seed: number;
    readonly entries: readonly CycleEntry[];
    readonly against: string | null;
    readonly rowsSeen: number;
    readonly owner: string;
  }
>;

/** What came of a training of a cycle. `isServable`: there is something that can be deployed. */
export type CycleResult = {
  readonly trainingId: string;
  readonly status: 'completed' | 'failed' | 'skipped' | 'cancelled';
  readonly score: number | null;
  readonly isServable: boolean;
  readonly comparison: Comparison | null;
  /** Of the 80% band; null where it cannot be told. */
  readonly coverage: number | null;
  readonly charged: Millicredits;
  readonly error: Fault | null;
};
export type CycleTrained = Message<'CycleTrained', OfCycle & CycleResult>;

export const CYCLE_OUTCOMES = [
  'candidate',
  'not_better',
  'not_comparable',
  'worse_than_pending',
  'serving_changed',
  'promotion_off',
  'no_result',
] as const;
/** What came of a cycle: a candidate, or why there is none. */
export type CycleOutcome = (typeof CYCLE_OUTCOMES)[number];
/** `best`: the training with the best score; null: none has one. */
export type CycleEnded = Message<
  'CycleEnded',
  OfCycle & {
    readonly status: 'completed' | 'failed';
    readonly best: string | null;
    readonly outcome: CycleOutcome;
  }
>;

/**
 * A training that does better than what serves. `servingScore`, `improvement`, `interval`: null where nothing
 * does.
 */
export type Proposal = {
  readonly candidateId: string;
  readonly cycleId: string;
  readonly trainingId: string;
  readonly entry: PoolEntry;
  readonly metric: TrainingMetric;
  readonly score: number;
  readonly servingScore: number | null;
  readonly improvement: number | null;
  readonly interval: readonly [low: number, high: number] | null;
  readonly coverage: number | null;
};
export type CandidateProposed = Message<
  'CandidateProposed',
  OfPipeline & Proposal & { readonly mode: Mode; readonly against: string | null }
>;
/** It is pending until somebody decides, or until then (epoch ms). */
export type DecisionRequested = Message<
  'DecisionRequested',
  OfCandidate & {
    readonly expiresAt: number;
    readonly score: number;
    readonly servingScore: number | null;
  }
>;
/**
 * `by`: a user; null: the pipeline's policy. `acceptNonCommercial`: the licence may forbid commercial use,
 * whatever the pipeline accepts.
 */
export type CandidateApproved = Message<
  'CandidateApproved',
  OfCandidate & {
    readonly by: string | null;
    readonly demotePrevious: boolean;
    readonly acceptNonCommercial?: true;
    readonly reason: string | null;
  }
>;
export type CandidateRejected = Message<
  'CandidateRejected',
  OfCandidate & { readonly by: string; readonly reason: string | null }
>;
/** It waits until then (epoch ms). */
export type CandidateDeferred = Message<
  'CandidateDeferred',
  OfCandidate & { readonly by: string; readonly until: number; readonly reason: string | null }
>;
/** A later cycle has a better one. */
export type CandidateSuperseded = Message<
  'CandidateSuperseded',
  OfCandidate & { readonly inFavourOf: string }
>;
export type CandidateExpired = Message<'CandidateExpired', OfCandidate>;

type OfPromotion = OfCandidate & { readonly promotionId: string };
/** It is being deployed under this id. `demotes`: what goes out of service once it serves. */
export type PromotionStarted = Message<'PromotionStarted', OfPromotion & { readonly demotes: string | null }>;
/** It serves. `version` counts what served from 1; `retired`: what it took the place of. */
export type CandidatePromoted = Message<
  'CandidatePromoted',
  OfPromotion &
    Pick<Proposal, 'trainingId' | 'entry' | 'metric' | 'score' | 'servingScore'> & {
      readonly mode: Mode;
      readonly version: number;
      readonly retired: string | null;
    }
>;
/** What served goes on. `promotionId`: null where it came to no deployment. */
export type PromotionFailed = Message<
  'PromotionFailed',
  OfCandidate & Fault & { readonly promotionId: string | null }
>;
/** What served is no longer in service. */
export type ServingEnded = Message<'ServingEnded', OfPipeline & { readonly promotionId: string }>;

/**
 * A training of an earlier cycle is tried once more, beside the cycles: it counts to the cap of the month at
 * its price until it is over.
 */
export type RetryStarted = Message<
  'RetryStarted',
  OfPipeline & { readonly trainingId: string; readonly price: Millicredits }
>;
/** It is over, or came to nothing. */
export type RetryEnded = Message<
  'RetryEnded',
  OfPipeline & { readonly trainingId: string; readonly charged: Millicredits }
>;

/** A cycle would have gone past the cap of this month (`2026-11`). */
export type BudgetBlocked = Message<
  'BudgetBlocked',
  OfPipeline & {
    readonly month: string;
    readonly needed: Millicredits;
    readonly spent: Millicredits;
    readonly cap: Millicredits;
  }
>;
/** The first points since the last cycle began came, at the latest then (epoch ms). */
export type NewDataSeen = Message<'NewDataSeen', OfPipeline & { readonly since: number }>;

export type PipelineFact =
  | PipelineCreated
  | PipelineChanged
  | PipelinePaused
  | PipelineResumed
  | PipelineDeleted
  | CycleStarted
  | CycleTrained
  | CycleEnded
  | CandidateProposed
  | DecisionRequested
  | CandidateApproved
  | CandidateRejected
  | CandidateDeferred
  | CandidateSuperseded
  | CandidateExpired
  | PromotionStarted
  | CandidatePromoted
  | PromotionFailed
  | ServingEnded
  | RetryStarted
  | RetryEnded
  | BudgetBlocked
  | NewDataSeen;
