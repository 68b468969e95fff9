import type { Price } from '../billing/credits.js';
import type { Message } from '../fact.js';
import type { Champion, GoalModel } from '../goals/model.js';
import type { GoalMetric, GoalSettings } from '../goals/settings.js';
import type { HistoryRead } from '../inference/facts.js';

/** What began a tournament. */
export const TOURNAMENT_TRIGGERS = ['activation', 'manual', 'drift', 'schedule', 'revision'] as const;
export type TournamentTrigger = (typeof TOURNAMENT_TRIGGERS)[number];

/** How single contestants are put together to one; the weights of a fold come of the folds before it. */
export const BLENDS = ['mean_of_2', 'mean_of_3', 'inverse_loss'] as const;
export type Blend = (typeof BLENDS)[number];

/** Seasonal naive, the present champion and a foundation model as it is are always there. */
export type ContestantRole = 'baseline' | 'champion' | 'generalist';
/** Who takes part. `paid`: it costs what a contestant costs; `isOut`: the budget did not go so far. */
export type Contestant = {
  readonly contestantId: string;
  readonly name: string;
  readonly what:
    | { readonly kind: 'model'; readonly model: GoalModel }
    | { readonly kind: 'blend'; readonly blend: Blend };
  readonly roles: readonly ContestantRole[];
  readonly paid: boolean;
  readonly isOut: boolean;
};

/** What of a goal its models are judged by, as it was when the tournament began. */
export type Contest = Pick<GoalSettings, 'target' | 'stepS' | 'stepMonths' | 'timezone' | 'horizon'> & {
  /** Levels that pinball is the mean of. */
  readonly quantiles: readonly number[];
  readonly metric: GoalMetric;
};

type OfTournament = { readonly tournamentId: string };
type OfContestant = OfTournament & { readonly contestantId: string };
/** Whose it is, for those who follow its end. */
type OfGoal = OfTournament & { readonly goalId: string; readonly trigger: TournamentTrigger };

/** It waits. `asOf`: what was recorded until then is all that contestants see, epoch ms. */
export type TournamentStarted = Message<
  'TournamentStarted',
  OfGoal & {
    readonly contest: Contest;
    readonly folds: number;
    readonly asOf: number;
    readonly seed: number;
    readonly contestants: readonly Contestant[];
    readonly championBefore: Champion | null;
    /** Credits; null: no bound. */
    readonly budget: number | null;
    /** Held until it is over. */
    readonly price: Price;
    /** The user in whose name it is held. */
    readonly owner: string;
  }
>;
/**
 * Its folds are cut, one after the other without overlap, `steps` long each. `cutoffs`: the last step that a
 * forecast knew, epoch ms, oldest first; the fold before them (`weighing`) is for the weights of blends
 * alone. `period`: of the season that MASE is scaled by.
 */
export type TournamentBegan = Message<
  'TournamentBegan',
  OfTournament & {
    readonly weighing: number;
    readonly cutoffs: readonly number[];
    readonly steps: number;
    readonly period: number;
    readonly read: HistoryRead;
  }
>;
export type ContestantBegan = Message<'ContestantBegan', OfContestant>;

/** How good it was over all folds; null where that cannot be told. */
export type ContestMetrics = Readonly<Record<GoalMetric, number | null>>;
/**
 * Losses are in the metric, one for each fold (null: nothing came), and `weighing` of the fold before them.
 * `interval`: where the score lies with a probability of 90%. `model`: what would forecast the goal.
 */
export type ContestantScored = Message<
  'ContestantScored',
  OfContestant & {
    readonly model: GoalModel;
    readonly score: number;
    readonly interval: readonly [low: number, high: number];
    readonly weighing: number | null;
    readonly losses: readonly (number | null)[];
    readonly metrics: ContestMetrics;
    /** The share of actuals within the 80% band. */
    readonly coverage80: number;
    /** Whether what is left one step ahead is free of autocorrelation (Ljung and Box); null: too few. */
    readonly ljungBoxP: number | null;
    /** Seconds that all its fits took (0: it was not fitted), and ms of a forecast, on average. */
    readonly fitS: number;
    readonly predictMs: number;
  }
>;
/**
 * `disqualified`: it may not be compared with the others. `isPassing`: another time, or beside the contest,
 * it may well go; else it cannot forecast the goal any more.
 */
export type ContestantFailed = Message<
  'ContestantFailed',
  OfContestant & {
    readonly disqualified: boolean;
    readonly code: string;
    readonly message: string;
    readonly isPassing: boolean;
  }
>;

export type Standing = {
  readonly contestantId: string;
  readonly rank: number;
  /** 1 - score/score of seasonal naive; null: there is none to compare with. */
  readonly skill: number | null;
  /** Better than the champion with evidence. */
  readonly beatsChampion: boolean;
  /** Two-sided, of the paired test against the champion over the folds; null: the champion, or no test. */
  readonly p: number | null;
};
export type Decision = {
  readonly result: 'kept' | 'replaced' | 'none';
  readonly by: 'policy' | 'user';
  readonly reason: string;
};
export type TournamentCompleted = Message<
  'TournamentCompleted',
  OfGoal & {
    readonly standings: readonly Standing[];
    readonly championAfter: Champion | null;
    readonly runnerUp: Champion | null;
    readonly decision: Decision;
    /** What was charged; null: nothing. */
    readonly used: Price | null;
  }
>;
/** Nobody could be judged. */
export type TournamentFailed = Message<
  'TournamentFailed',
  OfGoal & { readonly code: string; readonly message: string }
>;
export type TournamentCancelled = Message<'TournamentCancelled', OfGoal & { readonly used: Price | null }>;
/** A person decided otherwise. */
export type ContestantCrowned = Message<
  'ContestantCrowned',
  OfGoal & {
    readonly contestantId: string;
    readonly championAfter: Champion;
    readonly runnerUp: Champion | null;
    readonly reason: string;
  }
>;

/** Journal `tournament-<workspace>.<tournament_id>`. */
export type TournamentFact =
  | TournamentStarted
  | TournamentBegan
  | ContestantBegan
  | ContestantScored
  | ContestantFailed
  | TournamentCompleted
  | TournamentFailed
  | TournamentCancelled
  | ContestantCrowned;
