import { Overloaded } from '../../domain/maths/compute.js';
import { Rejected } from '../../domain/rejected.js';

/** What is bounded over all calls together: series, and steps of their forecasts (each nine quantiles). */
export type AdmissionLimits = { readonly series: number; readonly steps: number };

/**
 * So that no crowd of calls fills the memory: a call is counted in before it begins, and out when nothing of
 * it is left.
 */
export class Admission {
  readonly #limits: AdmissionLimits;
  #series = 0;
  #steps = 0;

  constructor(limits: AdmissionLimits) {
    this.#limits = limits;
  }

  /**
   * @throws Rejected for a call that is too large by itself, Overloaded for one that is so beside the others
   */
  admit(series: number, horizon: number): () => void {
    const steps = series * horizon;
    const { series: maxSeries, steps: maxSteps } = this.#limits;
    if (series > maxSeries || steps > maxSteps)
      throw new Rejected(
        'unprocessable',
        'too_many_series',
        `${series} series with horizon ${horizon} are too much for one call: `
          + `at most ${maxSeries} series, ${maxSteps} steps in all`,
        { series, steps, max_series: maxSeries, max_steps: maxSteps },
      );
    if (this.#series + series > maxSeries || this.#steps + steps > maxSteps)
      throw new Overloaded('Too many forecasts are under way; try again soon');
    this.#series += series;
    this.#steps += steps;
    return () => {
      this.#series -= series;
      this.#steps -= steps;
    };
  }
}
