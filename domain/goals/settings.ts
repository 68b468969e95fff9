/** What a goal is for: a forecast, whether a value is crossed, or the best of a measure. */
export const OBJECTIVES = ['forecast', 'threshold', 'maximize', 'minimize'] as const;
export type Objective = (typeof OBJECTIVES)[number];

/** What its models are judged by; less is better in all of them. */
export const GOAL_METRICS = ['crps', 'mase', 'smape', 'mae', 'pinball'] as const;
export type GoalMetric = (typeof GOAL_METRICS)[number];

/** When discovery, or a tournament, begins by itself. */
export const AUTOMATIC = ['off', 'weekly', 'on_drift'] as const;
export type Automatic = (typeof AUTOMATIC)[number];

export type GoalOptions = {
  readonly scheduledEvents: boolean;
  readonly shockEnabled: boolean;
  /** Null: it is learned. */
  readonly importanceBar: number | null;
  readonly autoDiscovery: Automatic;
  readonly autoTournament: Automatic;
  /** Levels, ascending. */
  readonly quantiles: readonly number[];
  readonly calibration: 'conformal' | 'model';
  /** Null: no bound but the purse. */
  readonly maxCreditPerMonth: number | null;
  readonly fallback: 'seasonal_naive' | 'last_champion' | 'none';
};

/** The longest horizon, in steps. */
export const MOST_STEPS_AHEAD = 1_000;
/** Steps times quantiles: a forecast must fit into a fact. */
export const MOST_FORECAST_VALUES = 15_000;

/** All of a goal that people set. */
export type GoalSettings = {
  readonly name: string;
  readonly description: string;
  /** Key of the signal that is forecast. */
  readonly target: string;
  readonly objective: Objective;
  readonly objectiveParams: {
    readonly value?: number;
    readonly direction?: 'above' | 'below';
    /** Epoch ms. */
    readonly by?: number;
  };
  /** Steps ahead. */
  readonly horizon: number;
  /** Whole seconds; of calendar months their mean length. */
  readonly stepS: number;
  /**
   * Steps are so many calendar months; absent: all are of the same length, as those of all goals were before
   * there were months.
   */
  readonly stepMonths?: number;
  /** How often a forecast is issued, whole seconds. */
  readonly cadenceS: number;
  readonly timezone: string;
  readonly metric: GoalMetric;
  readonly candidates: {
    readonly signals: 'all' | readonly string[];
    readonly eventStreams: 'all' | readonly string[];
    readonly exclude: readonly string[];
  };
  readonly options: GoalOptions;
  readonly tags: readonly string[];
  readonly segmentId: string | null;
  readonly pipelineId: string | null;
};
