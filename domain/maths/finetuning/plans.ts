export const DEPTHS = ['adapt', 'specialize', 'forge'] as const;
export type Depth = (typeof DEPTHS)[number];

/** How a network is trained: what of it may change, and how fast. */
export type Plan = {
  /** The graph that gives gradients: `head` of the last layers alone, from states that are computed once. */
  readonly graph: 'head' | 'train';
  /** How much of a weight is learned: null nothing, 0 all of it, else a product of so low a rank. */
  readonly rankOf: (name: string, shape: readonly number[]) => number | null;
  readonly rate: number;
  readonly steps: number;
  /** After so many steps it is looked how good it is; so many looks without a gain end it. */
  readonly every: number;
  readonly patience: number;
};

/** The layers behind the transformer: the quantiles, and what weighs the closed-form forecasts. */
const LAST = /^(head|head1|weigh|trust)\./;

const lowRank =
  (rank: number): Plan['rankOf'] =>
  (name, shape) => {
    if (LAST.test(name) || shape.length === 1) return 0;
    return name === 'place' ? null : rank;
  };

const last: Plan = {
  graph: 'head',
  rankOf: name => (LAST.test(name) ? 0 : null),
  ...{ rate: 1e-3, steps: 360, every: 60, patience: 3 },
};
const thin: Plan = {
  graph: 'train',
  rankOf: lowRank(8),
  ...{ rate: 1e-3, steps: 200, every: 15, patience: 3 },
};
const thick: Plan = { ...thin, rankOf: lowRank(32), rate: 5e-4 };

/** A deeper way tries the shallow one, too: on little data it is often the better. */
export const PLANS: Readonly<Record<Depth, readonly Plan[]>> = {
  adapt: [last],
  specialize: [last, thin],
  forge: [last, thin, thick],
};

/** Windows of a step of the optimiser. */
export const BATCH = 32;
export const DECAY = 0.5;
/**
 * How much of what was learned is added. All of it gains a little more on average, and loses more where the
 * future is not like the past: on development series 3.5% at worst, half of it 1%.
 */
export const STRENGTHS = [0.25, 0.5] as const;

/** Rises over the first steps, then falls to 0 along half a wave. */
export const rateAt = ({ rate, steps }: Plan, step: number): number =>
  rate * Math.min(1, step / WARM) * ((1 + Math.cos((Math.PI * step) / steps)) / 2);
const WARM = 10;
