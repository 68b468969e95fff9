/** One variable: a number for each row of the grid that all variables share, newest last, all finite. */
export type CausalityVariable = { readonly key: string; readonly values: Float64Array };

export type CausalitySettings = {
  /**
   * Windows, and rows in each: the latest `windows` times `signalCount` rows are looked at. Both at least 1.
   */
  readonly windows: number;
  readonly signalCount: number;
  /** The longest lag, at least 1; null: chosen from the data (`chosenMaxLag`). */
  readonly maxLag: number | null;
  /** A relationship is significant with a p below it. 0 to 1. */
  readonly significanceLevel: number;
  /**
   * Levels as given; first differences of all variables; or of those in which a unit root is not rejected.
   */
  readonly difference: 'none' | 'all' | 'auto';
};

export type CausalityInput = {
  readonly variables: readonly CausalityVariable[];
  readonly settings: CausalitySettings;
};
