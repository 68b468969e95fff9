/**
 * Series that add up: some at the bottom, and sums of them above. Nodes are counted from the sums on:
 * `sums[0]` is node 0, the first at the bottom node `sums.length`.
 */
export type Hierarchy = {
  /** How many there are at the bottom. */
  readonly bottom: number;
  /** For each series above, which of the bottom it is the sum of: places in order, each once. */
  readonly sums: readonly (readonly number[])[];
};

export const nodesOf = ({ bottom, sums }: Hierarchy): number => bottom + sums.length;

/** The sum of some columns of equal length, in the order of the places. */
export function summed(columns: readonly Float64Array[], places: readonly number[]): Float64Array {
  const sum = new Float64Array(columns[places[0] ?? 0]?.length ?? 0);
  for (const place of places) {
    const column = columns[place]!;
    for (let h = 0; h < sum.length; h++) sum[h]! += column[h]!;
  }
  return sum;
}
