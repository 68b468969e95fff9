import type { Message } from '../fact.js';
import type { Response } from '../maths/effects/applied.js';

/** Shares of champion, generalist and champion with response; not negative, together 1. */
export type Weights = {
  readonly champion: number;
  readonly generalist: number;
  readonly response: number;
};
/** By how much of the response remains: above a half, above a quarter, less. */
export const PHASES = ['first', 'second', 'later'] as const;
export type Phase = (typeof PHASES)[number];

/** An event that put a goal into a shock, and what it does to it, as it was known then. Times epoch ms. */
export type Cause = {
  readonly eventId: string;
  readonly stream: string;
  readonly edgeId: string;
  readonly importance: number;
  readonly occurredAt: number;
  /** Against the mean event of its stream, -3 to 3. */
  readonly weight: number;
  /** Null: no usable curve, then it fades by half-life. */
  readonly response: Response | null;
  readonly halfLifeS: number | null;
  /** Of the scores by which it counts; absent: it is not known. */
  readonly scorerVersion?: string;
};

type OfEpisode = { readonly goalId: string; readonly episodeId: string };

/** `bar`: of importance, that the event reached. `scheduled`: it was known in advance, and came due. */
export type ShockEntered = Message<
  'ShockEntered',
  OfEpisode & { readonly cause: Cause; readonly bar: number; readonly scheduled: boolean }
>;
/** One more event; `depth` counts them. */
export type ShockDeepened = Message<
  'ShockDeepened',
  OfEpisode & {
    readonly cause: Cause;
    readonly bar: number;
    readonly scheduled: boolean;
    readonly depth: number;
  }
>;
export const RECOVERING_REASONS = ['faded', 'champion_recovered', 'operator', 'cause_removed'] as const;
export type RecoveringReason = (typeof RECOVERING_REASONS)[number];
/** `note`: what a person said of it; `remaining`: R then. */
export type ShockRecovering = Message<
  'ShockRecovering',
  OfEpisode & {
    readonly reason: RecoveringReason;
    readonly note: string | null;
    readonly remaining: number;
  }
>;
/** `gone`: its edge acts no more, or the event itself is no longer there. */
export type ShockCauseRemoved = Message<
  'ShockCauseRemoved',
  OfEpisode & { readonly eventId: string; readonly gone: 'edge' | 'event' }
>;
export const EXIT_REASONS = ['recovered', 'timeout', 'cause_removed', 'goal_stopped', 'disabled'] as const;
export type ExitReason = (typeof EXIT_REASONS)[number];
/** What an episode came to: means of absolute errors over the steps that were graded; null: none was. */
export type EpisodeGrade = {
  readonly steps: number;
  readonly blendLoss: number | null;
  readonly championLoss: number | null;
};
/**
 * It is normal again. `edgeIds`: of its causes that acted to the end. `bars`: what is learned of the bars of
 * its streams, in all, which is added to them later.
 */
export type ShockExited = Message<
  'ShockExited',
  OfEpisode & {
    readonly reason: ExitReason;
    readonly since: number;
    readonly depth: number;
    readonly edgeIds: readonly string[];
    readonly grade: EpisodeGrade;
    readonly bars: Readonly<Record<string, number>>;
  }
>;

/** How the parts of a forecast did at a step: absolute errors of their medians. */
export type Losses = Weights & { readonly blend: number };
/** What a forecast was blended of at a step, and how much of the response remained when it was made. */
export type Blended = Weights & { readonly remaining: number };
/** A step whose actual came, by the forecasts made in the shock that had it. */
export type GradedStep = {
  /** Beginning of the step, epoch ms. */
  readonly time: number;
  readonly actual: number;
  /** Of all forecasts made in the shock that had it, oldest first. */
  readonly forecastIds: readonly string[];
  readonly losses: readonly Losses[];
  readonly newest: Blended;
  /** Those before it, oldest first; absent: not kept then. */
  readonly earlier?: readonly Blended[];
  /** Whether it lies in the champion's 80% band, as that is outside of a shock; and in the widened one. */
  readonly insideNormal: boolean;
  readonly insideWidened: boolean;
  /** How many of the forecasts have it outside of their widened bands; absent: the newest alone counts. */
  readonly outside?: number;
};
/** How much wider bands are at R = 1: `bandK` in the next episode, `bandKNow` now; absent: as before. */
export type ShockStepsGraded = Message<
  'ShockStepsGraded',
  OfEpisode & {
    readonly steps: readonly GradedStep[];
    readonly bandK: number;
    readonly bandKNow?: number;
  }
>;

/** What a change of weights rests on: mean absolute errors over steps that it was not made from. */
export type Evidence = {
  readonly from: number;
  readonly to: number;
  readonly fitted: number;
  readonly heldOut: number;
  readonly lossBefore: number;
  readonly lossAfter: number;
  readonly championLoss: number;
};
type Refit = OfEpisode & {
  readonly phase: Phase;
  readonly before: Weights;
  readonly after: Weights;
  readonly evidence: Evidence;
};
/** The weights of a phase, at R = 1, are others from now on. */
export type BlendRefitted = Message<'BlendRefitted', Refit>;
/** They were looked at, and stay: `after` was no better on what it was not made from. */
export type BlendKept = Message<'BlendKept', Refit>;

/** Journal `shock-<workspace>.<goal_id>`: all episodes of a goal, and what they taught. */
export type ShockFact =
  | ShockEntered
  | ShockDeepened
  | ShockRecovering
  | ShockCauseRemoved
  | ShockExited
  | ShockStepsGraded
  | BlendRefitted
  | BlendKept;
