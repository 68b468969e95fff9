import { adamW } from '../../domain/maths/finetuning/adamw.js';
import {
  addLearned,
  begun,
  chainGradients,
  partsOf,
  type Part,
  type Weights,
} from '../../domain/maths/finetuning/learned.js';
import { BATCH, DECAY, rateAt, type Plan } from '../../domain/maths/finetuning/plans.js';
import { seeded, type Uniform } from '../../domain/maths/seeded.js';
import type { Prepared } from './prepared.js';
import type { Tuner } from './tuner.js';

export type Descent = {
  readonly tuner: Tuner;
  readonly plan: Plan;
  readonly prepared: Prepared;
  /** Windows that are trained on. */
  readonly train: readonly number[];
  readonly seed: number;
  /** Steps of the optimiser; the rate falls as if all of the plan's were made. */
  readonly upTo: number;
  /** After every few steps: answers whether to go on. */
  readonly look: (learned: Learned) => Promise<boolean>;
  /** Before each step; throws where the work is to end. */
  readonly check: () => void;
};

/** What was learned so far. */
export type Learned = {
  readonly steps: number;
  readonly parts: readonly Part[];
  readonly theta: Float32Array;
  /** The weights with so much of it added, valid until the next call. */
  readonly weights: (strength: number) => Weights;
};

/** Learns from windows, step by step. Equal inputs give equal bits. */
export async function descend(descent: Descent): Promise<void> {
  const { tuner, plan, prepared, train, seed, upTo, look, check } = descent;
  const { shapes, weights: base } = tuner.backbone;
  const parts = partsOf(shapesOf(shapes, plan), name => plan.rankOf(name, shapes.get(name)!));
  const random = seeded(seed);
  const theta = begun(parts, random);
  const gradient = new Float32Array(theta.length);
  const optimise = adamW({ size: theta.length, decay: DECAY });
  const draw = shuffled(train, random);
  const own = new Map([...base].map(([name, w]) => [name, isLearned(parts, name) ? w.slice() : w]));
  const weights = (strength: number): Weights => {
    addLearned(parts, theta, strength, base, own);
    return own;
  };
  for (let step = 1; step <= upTo; step++) {
    check();
    const ids = Array.from({ length: Math.min(BATCH, train.length) }, draw);
    chainGradients(parts, theta, await tuner.gradients(plan.graph, prepared, ids, weights(1)), gradient);
    optimise(theta, gradient, ids.length, rateAt(plan, step));
    if (step % plan.every === 0 && !(await look({ steps: step, parts, theta, weights }))) return;
  }
}

const shapesOf = (
  shapes: ReadonlyMap<string, readonly number[]>,
  plan: Plan,
): ReadonlyMap<string, readonly number[]> =>
  new Map([...shapes].filter(([name, shape]) => plan.rankOf(name, shape) !== null));

const isLearned = (parts: readonly Part[], name: string): boolean => parts.some(part => part.name === name);

/** Draws each in random order, then again. */
function shuffled(items: readonly number[], random: Uniform): () => number {
  let order: number[] = [];
  return () => {
    if (order.length === 0) order = [...items];
    const at = Math.floor(random() * order.length);
    const drawn = order[at]!;
    order[at] = order.at(-1)!;
    order.pop();
    return drawn;
  };
}
