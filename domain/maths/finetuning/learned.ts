import type { Uniform } from '../seeded.js';

// What of a network is learned: a list of numbers, theta, that is added to its weights. Where all of it is 0
// the network is what it was.

/** Of weights by name: [rows, columns] or [length]. */
export type Shapes = ReadonlyMap<string, readonly number[]>;
export type Weights = ReadonlyMap<string, Float32Array>;

/**
 * Numbers of theta from `at` to `end`, for one weight. `rank` 0: one number for each of the weight's. Else
 * the product of two thin matrices is added to it, of which theta holds the right one [rank, columns] and
 * then the left one [rows, rank] (Hu et al. 2021, "LoRA: low-rank adaptation of large language models").
 */
export type Part = {
  readonly name: string;
  readonly shape: readonly number[];
  readonly rank: number;
  readonly at: number;
  readonly end: number;
};

/** `rankOf`: of a weight by its name; 0 for all of it, null for nothing. */
export function partsOf(shapes: Shapes, rankOf: (name: string) => number | null): readonly Part[] {
  const parts: Part[] = [];
  let at = 0;
  for (const [name, shape] of shapes) {
    const rank = rankOf(name);
    if (rank === null) continue;
    const end = at + (rank === 0 ? sizeOf(shape) : rank * (shape[0]! + shape[1]!));
    parts.push({ name, shape, rank, at, end });
    at = end;
  }
  return parts;
}

const sizeOf = (shape: readonly number[]): number => shape.reduce((size, n) => size * n, 1);

/** Where it begins: nothing is added yet. Of each product the right factor is random, the left one 0. */
export function begun(parts: readonly Part[], random: Uniform): Float32Array {
  const theta = new Float32Array(parts.at(-1)?.end ?? 0);
  for (const { rank, shape, at } of parts) {
    const columns = shape[1] ?? 0;
    for (let i = 0; i < rank * columns; i++) theta[at + i] = normal(random) / Math.sqrt(columns);
  }
  return theta;
}

/** Box and Muller (1958). */
const normal = (random: Uniform): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

/** Writes base + strength * what was learned into `weights`, which has arrays of its own for the parts. */
export function addLearned(
  parts: readonly Part[],
  theta: Float32Array,
  strength: number,
  base: Weights,
  weights: Weights,
): void {
  for (const part of parts) {
    const from = base.get(part.name)!;
    const to = weights.get(part.name)!;
    if (part.rank > 0) {
      to.set(from);
      addProduct(part, theta, strength, to);
    } else for (let i = 0; i < to.length; i++) to[i] = from[i]! + strength * theta[part.at + i]!;
  }
}

function addProduct(
  { shape, rank, at }: Part,
  theta: Float32Array,
  strength: number,
  to: Float32Array,
): void {
  const [rows, columns] = shape as [number, number];
  const left = at + rank * columns;
  for (let row = 0; row < rows; row++)
    for (let k = 0; k < rank; k++) {
      const factor = strength * theta[left + row * rank + k]!;
      const right = at + k * columns;
      const first = row * columns;
      for (let i = 0; i < columns; i++) to[first + i]! += factor * theta[right + i]!;
    }
}

/** The gradients of the weights, by name, become those of theta. */
export function chainGradients(
  parts: readonly Part[],
  theta: Float32Array,
  of: (name: string) => Float32Array,
  gradient: Float32Array,
): void {
  for (const part of parts) {
    const d = of(part.name);
    if (part.rank === 0) gradient.set(d, part.at);
    else chainProduct(part, theta, d, gradient);
  }
}

/** With W = L R: dL = dW R', dR = L' dW. */
function chainProduct(part: Part, theta: Float32Array, d: Float32Array, gradient: Float32Array): void {
  const { rank, at, end } = part;
  const [rows, columns] = part.shape as [number, number];
  gradient.fill(0, at, end);
  for (let row = 0; row < rows; row++)
    for (let k = 0; k < rank; k++) {
      const left = at + rank * columns + row * rank + k;
      const factor = theta[left]!;
      const right = at + k * columns;
      const first = row * columns;
      let sum = 0;
      for (let i = 0; i < columns; i++) {
        sum += d[first + i]! * theta[right + i]!;
        gradient[right + i]! += factor * d[first + i]!;
      }
      gradient[left] = sum;
    }
}
