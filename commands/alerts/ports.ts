import type { HadStep } from '../../domain/alerts/judging.js';
import type { Windowed } from '../../domain/forecasts/accuracy.js';
import type { ActualStep } from '../../domain/forecasts/grading.js';
import type { GoalMetric } from '../../domain/goals/settings.js';

type OfGoal = readonly [workspace: string, goalId: string];
/** An event that has come, scored. Times are epoch ms. */
export type CameEvent = {
  readonly eventId: string;
  readonly text: string;
  readonly importance: number;
  readonly occurredAt: number;
  readonly recordedAt: number;
  /** By its shape it was recorded long after it happened; a goal judges that by its own cadence. */
  readonly isStale: boolean;
};

/** What alerts are judged by, as read models hold it. */
export type Evidences = {
  /**
   * What came of a goal from a time on, epoch ms, in order of time: at most of its newest 30 days, and of the
   * newest day in any case.
   */
  readonly actuals: (workspace: string, goalId: string, from: number) => Promise<readonly ActualStep[]>;
  /** How good its forecasts were. */
  readonly record: (workspace: string, goalId: string, metric: GoalMetric) => Promise<Windowed>;
  readonly forecast: (workspace: string, forecastId: string) => Promise<HadStep | null>;
  /** The newest forecast, and when it was issued, epoch ms; null: there is none. */
  readonly latest: (...of: OfGoal) => Promise<(HadStep & { readonly issuedAt: number }) | null>;
  /** When points of a signal last came, epoch ms; null: there is no such signal. */
  readonly lastAt: (workspace: string, key: string) => Promise<number | null>;
  /** Since when data can come: the platform is up, epoch ms. */
  readonly upSince: () => Promise<number>;
  /** Null: it is not there, or not scored yet. */
  readonly event: (workspace: string, eventId: string) => Promise<CameEvent | null>;
  /** Events of a stream that are scored and occur up to a time, newest first, some. */
  readonly events: (workspace: string, stream: string, until: number) => Promise<readonly CameEvent[]>;
  /** How the goal is: `normal`, or in which state of a shock. */
  readonly shock: (...of: OfGoal) => Promise<string>;
  /** How many edges to the goal weaken. */
  readonly weakening: (...of: OfGoal) => Promise<number>;
  /** What the goal's forecasts cost in the month (UTC) of a time, credits. */
  readonly spent: (workspace: string, goalId: string, at: number) => Promise<number>;
  /** What the plan of the workspace's organization grants a month, and what of all is left, credits. */
  readonly purse: (workspace: string) => Promise<{ readonly granted: number; readonly available: number }>;
};
