export type CorrelationMethod = 'pearson' | 'spearman';

/**
 * One number for each row of a grid that all variables share, newest last; NaN where there is none, otherwise
 * finite.
 */
export type CorrelationVariable = { readonly key: string; readonly values: Float64Array };

export type CorrelationInput = {
  readonly variables: readonly CorrelationVariable[];
  readonly method: CorrelationMethod;
  /** Shifts of up to so many rows either way are tried, from 0 on. */
  readonly maxLag: number;
  /** First differences instead of the values: one row fewer. */
  readonly difference: boolean;
};

export type CorrelationPair = {
  readonly a: string;
  readonly b: string;
  /** null where one of the two does not change, or with fewer than 3 rows in common. */
  readonly r: number | null;
  readonly p_value: number | null;
  readonly q_value: number | null;
  /** Rows where both have a value. */
  readonly n: number;
  /** The shift with the greatest |r|, the smallest of equals: above 0, b follows a by so many rows. */
  readonly best_lag: number | null;
  readonly r_at_best_lag: number | null;
};

/** About a pair, or about one variable (`constant`). */
export type CorrelationWarning = {
  readonly code: 'both_nonstationary' | 'constant' | 'insufficient_data';
  readonly keys: readonly string[];
};

export type CorrelationAnswer = {
  readonly keys: readonly string[];
  readonly matrix: readonly (readonly (number | null)[])[];
  /** Every two variables once, in the order of the keys; the greatest |r| first, those without at the end. */
  readonly pairs: readonly CorrelationPair[];
  readonly method: CorrelationMethod;
  /** Rows in which at least two variables have a value. */
  readonly observations: number;
  readonly warnings: readonly CorrelationWarning[];
};
