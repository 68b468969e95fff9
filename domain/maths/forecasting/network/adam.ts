/** Of Kingma and Ba (2015). */
const FIRST = 0.9;
const SECOND = 0.999;
const LEAST = 1e-8;

/**
 * Adam with decoupled weight decay (Loshchilov and Hutter 2019): moves weights against the gradient, each by
 * its own measure. Weights stand in rows whose last one, the constant, does not decay.
 */
export class Adam {
  readonly #means: Float64Array;
  readonly #squares: Float64Array;
  #steps = 0;

  constructor(
    readonly weights: Float64Array,
    readonly row: number,
    readonly decay: number,
  ) {
    this.#means = new Float64Array(weights.length);
    this.#squares = new Float64Array(weights.length);
  }

  step(gradient: Float64Array, rate: number): void {
    this.#steps++;
    const [first, second] = [1 - FIRST ** this.#steps, 1 - SECOND ** this.#steps];
    for (let i = 0; i < gradient.length; i++) {
      const g = gradient[i]!;
      const mean = FIRST * this.#means[i]! + (1 - FIRST) * g;
      const square = SECOND * this.#squares[i]! + (1 - SECOND) * g * g;
      this.#means[i] = mean;
      this.#squares[i] = square;
      const moved = mean / first / (Math.sqrt(square / second) + LEAST);
      const decay = (i + 1) % this.row === 0 ? 0 : this.decay * this.weights[i]!;
      this.weights[i]! -= rate * (moved + decay);
    }
  }
}
