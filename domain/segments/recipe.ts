/** What is known of an input: only what has been, also what is ahead, or one value that never changes. */
export type InputRole = 'past' | 'known_future' | 'static';

/** Done to each value of an input after it was filled. */
export const TRANSFORMS = ['none', 'log', 'log1p', 'asinh', 'diff', 'pct_change'] as const;
export type Transform = (typeof TRANSFORMS)[number];

/**
 * A signal beside the target; its column is called by its key. A point counts `lag_s` seconds (from 0) after
 * its time, as it is when it becomes known so much later. A `static` input has in every row the first value
 * of the signal.
 */
export type Input = {
  readonly key: string;
  readonly role: InputRole;
  readonly lag_s: number;
  readonly transform: Transform;
};

export const ENCODINGS = ['response_curve', 'count', 'decay', 'value'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** The events of a stream as a column `<stream>:<encoding>`. `half_life_s` is looked at by `decay` alone. */
export type EventStream = {
  readonly stream: string;
  readonly encoding: Encoding;
  readonly half_life_s: number;
};

export const AGGREGATES = ['mean', 'sum', 'last', 'min', 'max'] as const;
export type Aggregate = (typeof AGGREGATES)[number];

/** How holes of inputs are filled; the target is never filled. */
export const FILL_METHODS = ['none', 'ffill', 'linear', 'seasonal', 'zero'] as const;
export type Fill = { readonly method: (typeof FILL_METHODS)[number]; readonly max_gap_steps: number };

export const NORMALIZATION_METHODS = ['none', 'zscore', 'robust', 'minmax', 'log1p', 'asinh'] as const;
export const NORMALIZATION_SCOPES = ['global', 'per_entity', 'per_window'] as const;
export type Normalization = {
  readonly method: (typeof NORMALIZATION_METHODS)[number];
  readonly scope: (typeof NORMALIZATION_SCOPES)[number];
};

/** The last `folds` times `horizon` steps are tested in turn; `gap` steps before each are left out. */
export type Split = {
  readonly method: 'rolling_origin';
  readonly folds: number;
  readonly horizon: number;
  readonly gap: number;
};

export const ROLLING_FUNCTIONS = ['mean', 'sum', 'std', 'min', 'max', 'median'] as const;
/** Hours count from 0, days of the week from Monday = 0, days of the month and months from 1. */
export const CALENDAR_PARTS = ['hour', 'day_of_week', 'day', 'month', 'is_weekend'] as const;

/**
 * What features are made of. A `column` is the target, an input, `<stream>:<encoding>`, or a column of a
 * feature that stands before it in the list.
 */
export type FeatureKinds = {
  readonly lag: { readonly column: string; readonly steps: number };
  readonly diff: { readonly column: string; readonly steps: number };
  readonly rolling: {
    readonly column: string;
    readonly window: number;
    readonly fn: (typeof ROLLING_FUNCTIONS)[number];
  };
  readonly ewm: { readonly column: string; readonly alpha: number };
  readonly calendar: { readonly part: (typeof CALENDAR_PARTS)[number] };
  readonly fourier: { readonly period_s: number; readonly order: number };
  readonly holiday: { readonly country: string };
  readonly ratio: { readonly numerator: string; readonly denominator: string };
  readonly interaction: { readonly columns: readonly string[] };
  readonly event_response: { readonly stream: string };
  readonly expression: { readonly expression: string };
};
export type FeatureKind = keyof FeatureKinds;

export type FeatureOf<K extends FeatureKind> = {
  readonly name: string;
  readonly kind: K;
  readonly params: FeatureKinds[K];
  readonly enabled: boolean;
};
/** Its column is called by its name; `fourier` makes `<name>_sin1`, `<name>_cos1` and so on. */
export type Feature = { [K in FeatureKind]: FeatureOf<K> }[FeatureKind];

/**
 * What a table is made of. Times are epoch ms; `to` is not included; null: as far as the target goes. In
 * `per_entity` mode target and inputs are bases whose signals are `<base>__<entity>`; an input that an entity
 * has no signal of is the signal of its plain key.
 */
export type Recipe = {
  readonly target: string;
  readonly inputs: readonly Input[];
  readonly event_streams: readonly EventStream[];
  readonly entity_mode: 'single' | 'per_entity';
  readonly step_s: number;
  /** Steps are so many calendar months, and `step_s` their mean length; absent: they are `step_s` long. */
  readonly step_months?: number;
  readonly timezone: string;
  readonly from: number | null;
  readonly to: number | null;
  readonly fill: Fill;
  readonly aggregate: Aggregate;
  readonly normalization: Normalization;
  readonly features: readonly Feature[];
  readonly split: Split;
};

/** What stands for a part of a recipe that was not given. */
export const DEFAULTS = {
  input: { role: 'past', lag_s: 0, transform: 'none' },
  event_stream: { half_life_s: 86_400 },
  entity_mode: 'single',
  timezone: 'UTC',
  fill: { method: 'none', max_gap_steps: 100 },
  aggregate: 'mean',
  normalization: { method: 'none', scope: 'global' },
  split: { method: 'rolling_origin', folds: 3, horizon: 1, gap: 0 },
} as const;

export const LIMITS = {
  rows: 1_000_000,
  inputs: 100,
  event_streams: 50,
  features: 200,
  columns: 1_000,
  /** Steps that a window, a lag, a gap that is filled, or all the lags of an expression may go back. */
  look_back: 10_000,
  /** Times are whole milliseconds: in less nothing can be told apart. */
  half_life_s: { least: 0.001, most: 10_000_000_000 },
  folds: 20,
  fourier_order: 50,
  interaction_columns: 10,
  expression_characters: 4_000,
  expression_levels: 100,
} as const;
