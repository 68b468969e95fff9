/**
 * Granger's (1969) question for every pair of variables: how much of what an effect's own past leaves open do
 * the last values of a cause explain? Two nested regressions with a constant for each lag, on all rows which
 * that lag has.
 */
export type PairTable = {
  readonly variables: number;
  readonly rows: number;
  readonly maxLag: number;
  /** tested[pair]: so many lags, from 1 on, could be tested; pair = cause * variables + effect. */
  readonly tested: Uint8Array;
  /**
   * share[pair * maxLag + lag - 1] = 1 - RSS(unrestricted) / RSS(restricted), the partial R^2; rest = 1 -
   * share, above 0.
   */
  readonly share: Float64Array;
  readonly rest: Float64Array;
  /** RSS(unrestricted), of the series as they were handed in. */
  readonly rss: Float64Array;
};

/** A table in which nothing is tested yet. */
export function emptyTable(variables: number, rows: number, maxLag: number): PairTable {
  const pairs = variables * variables;
  const numbers = () => new Float64Array(pairs * maxLag);
  return {
    variables,
    rows,
    maxLag,
    tested: new Uint8Array(pairs),
    share: numbers(),
    rest: numbers(),
    rss: numbers(),
  };
}
