import type { Uniform } from '../../seeded.js';
import type { Network } from './model.js';

export type NetworkOptions = {
  /** Of the hidden layer, 0 to 1,024; 0: only the straight path, which is linear. */
  readonly units: number;
  /** Times that all rows are gone through, at most. */
  readonly epochs: number;
  /** Rows after which the weights are moved. */
  readonly batch: number;
  /** Of the first epoch; it falls to a hundredth along half a cosine. */
  readonly learningRate: number;
  /** What each move takes of the weights, times the learning rate. */
  readonly decay: number;
  /** After so many epochs without a better validation loss it ends; 0 for never. */
  readonly patience: number;
};

export const DEFAULT_NETWORK: NetworkOptions = {
  units: 64,
  epochs: 60,
  batch: 64,
  learningRate: 5e-3,
  decay: 1e-2,
  patience: 12,
};

/** Rows of inputs, none of them missing, and for each the values to come, one a step, NaN where not known. */
export type Rows = { readonly rows: readonly Float64Array[]; readonly targets: readonly Float64Array[] };

/** What is known after each epoch: the mean pinball loss of its rows, and of the validation rows. */
export type NetworkProgress = {
  readonly epochs: number;
  readonly loss: number;
  readonly validationLoss: number | null;
};

export type NetworkRun = {
  /** Draws the first weights and the order of rows. */
  readonly random: Uniform;
  /** Rows that are not learnt from: the weights after the epoch with their least loss are kept. */
  readonly validation?: Rows;
  /** Called after each epoch; `false` ends the training with what there is. */
  readonly onEpoch?: (progress: NetworkProgress) => boolean;
};

export type NetworkFit = { readonly network: Network; readonly progress: readonly NetworkProgress[] };

/** @throws RangeError that names the option */
export function checkOptions(options: NetworkOptions): void {
  const wrong = (name: keyof NetworkOptions, must: string): RangeError =>
    new RangeError(`${name} must be ${must}, not ${options[name]}`);
  const whole = {
    units: [0, 1_024],
    epochs: [1, 100_000],
    batch: [1, 2 ** 31],
    patience: [0, 2 ** 31],
  } as const;
  for (const [name, [low, high]] of Object.entries(whole) as [
    keyof typeof whole,
    readonly [number, number],
  ][])
    if (!Number.isInteger(options[name]) || options[name] < low || options[name] > high)
      throw wrong(name, `a whole number from ${low} to ${high}`);
  if (!(options.learningRate > 0 && options.learningRate <= 1))
    throw wrong('learningRate', 'above 0 and at most 1');
  if (!(options.decay >= 0 && options.decay <= 1)) throw wrong('decay', 'from 0 to 1');
}

/** @throws RangeError that names the row */
export function checkRows({ rows, targets }: Rows, width: number, steps: number): void {
  if (rows.length === 0 || rows.length !== targets.length)
    throw new RangeError(
      `there must be as many targets as rows, one or more, not ${targets.length} and ${rows.length}`,
    );
  rows.forEach((row, i) => {
    if (row.length !== width) throw new RangeError(`row ${i} has ${row.length} inputs, not ${width}`);
    if (!row.every(Number.isFinite)) throw new RangeError(`row ${i} must hold finite numbers`);
    const target = targets[i]!;
    if (target.length !== steps) throw new RangeError(`target ${i} has ${target.length} steps, not ${steps}`);
    if (target.some(y => Math.abs(y) === Infinity))
      throw new RangeError(`target ${i} must hold finite numbers or NaN`);
  });
}
