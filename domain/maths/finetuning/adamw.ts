const BETA1 = 0.9;
const BETA2 = 0.98;
const EPSILON = 1e-8;

/** `decay`: how strongly numbers are pulled back to 0, as a share of the rate. */
export type AdamWOptions = { readonly size: number; readonly decay: number };

/** Moves `theta` down a gradient by a rate; `gradient` is a sum over `count` losses, their mean counts. */
export type Optimiser = (theta: Float32Array, gradient: Float32Array, count: number, rate: number) => void;

/**
 * AdamW (Loshchilov and Hutter 2019, "Decoupled weight decay regularization"). A mean gradient longer than 1
 * is cut to that length.
 */
export function adamW({ size, decay }: AdamWOptions): Optimiser {
  // In 64 bits: rounding each moment to 32 takes three times as long as all else
  const first = new Float64Array(size);
  const second = new Float64Array(size);
  let step = 0;
  return (theta, gradient, count, rate) => {
    step++;
    const scale = 1 / Math.max(count, lengthOf(gradient));
    const bias1 = 1 - BETA1 ** step;
    const bias2 = 1 - BETA2 ** step;
    for (let i = 0; i < size; i++) {
      const g = gradient[i]! * scale;
      const m = first[i]! + (1 - BETA1) * (g - first[i]!);
      const v = second[i]! + (1 - BETA2) * (g * g - second[i]!);
      const before = theta[i]!;
      first[i] = m;
      second[i] = v;
      theta[i] = before - rate * (m / bias1 / (Math.sqrt(v / bias2) + EPSILON) + decay * before);
    }
  };
}

function lengthOf(values: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i]! * values[i]!;
  return Math.sqrt(sum);
}
