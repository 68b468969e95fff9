import { nodesOf, type Hierarchy } from './hierarchy.js';

/**
 * The covariance of the errors of base forecasts at all nodes: a diagonal, and F'F, where each row of F holds
 * one number for each node.
 */
export type Weights = { readonly diagonal: Float64Array; readonly factor: readonly Float64Array[] };

/** All errors alike and by themselves: ordinary least squares. */
export const olsWeights = (hierarchy: Hierarchy): Weights => ({
  diagonal: new Float64Array(nodesOf(hierarchy)).fill(1),
  factor: [],
});

/** The variance of a sum grows with what it is the sum of: structural weights. */
export const structuralWeights = ({ bottom, sums }: Hierarchy): Weights => ({
  diagonal: Float64Array.from([
    ...sums.map(places => places.length),
    ...Array.from({ length: bottom }, () => 1),
  ]),
  factor: [],
});

/** A shrunk covariance, and by how much (0: not at all, 1: nothing but the variances is left). */
export type Shrunk = { readonly weights: Weights; readonly intensity: number };

/**
 * The covariance of errors (`errors[node][t]`, at least 2 of each), shrunk towards its diagonal as Schaefer
 * and Strimmer (2005), "A shrinkage approach to large-scale covariance matrix estimation", say: by the share
 * of what the correlations vary by chance in what they are. Null where every error is the same.
 */
export function shrunkWeights(errors: readonly Float64Array[]): Shrunk | null {
  const count = errors[0]!.length;
  const centred = errors.map(column => {
    const mean = column.reduce((sum, x) => sum + x, 0) / count;
    return column.map(x => x - mean);
  });
  const variances = centred.map(column => squares(column) / (count - 1));
  if (!variances.some(variance => variance > 0)) return null;
  const standard = centred.map((column, i) => {
    const deviation = Math.sqrt(variances[i]!);
    return column.map(x => (deviation > 0 ? x / deviation : 0));
  });
  const intensity = intensityOf(standard, count);
  const scale = Math.sqrt((1 - intensity) / (count - 1));
  return {
    intensity,
    weights: {
      diagonal: Float64Array.from(variances, variance => intensity * variance),
      factor: Array.from({ length: count }, (_, t) =>
        Float64Array.from(centred, column => scale * column[t]!),
      ),
    },
  };
}

const squares = (column: Float64Array): number => column.reduce((sum, x) => sum + x * x, 0);

/** Sum of the variances of all correlations over the sum of their squares, within 0 and 1. */
function intensityOf(standard: readonly Float64Array[], count: number): number {
  let chance = 0;
  let size = 0;
  for (const [i, a] of standard.entries())
    for (let j = 0; j < i; j++) {
      const b = standard[j]!;
      let sum = 0;
      let sumOfSquares = 0;
      for (let t = 0; t < count; t++) {
        const product = a[t]! * b[t]!;
        sum += product;
        sumOfSquares += product * product;
      }
      const mean = sum / count;
      chance += (count / (count - 1) ** 3) * (sumOfSquares - count * mean * mean);
      size += (sum / (count - 1)) ** 2;
    }
  if (size === 0) return 1;
  return Math.max(0, Math.min(1, chance / size));
}
