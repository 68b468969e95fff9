import { Overloaded } from '../../domain/maths/compute.js';
import { Rejected } from '../../domain/rejected.js';

/** What is bounded over all calls together: series, and steps of their forecasts (each nine quantiles). */
export type AdmissionLimits = { readonly series: number; readonly steps: number };

/** `share`: so much of them one lane may have under way beside its first call. */
export type SharedLimits = AdmissionLimits & { readonly share: number };

type Amount = { readonly series: number; readonly steps: number };
const NOTHING: Amount = { series: 0, steps: 0 };

/**
 * So that no crowd of calls fills the memory: a call is counted in before it begins, and out when nothing of
 * it is left.
 */
export class Admission {
  readonly #limits: SharedLimits;
  readonly #lanes = new Map<string, Amount>();
  #series = 0;
  #steps = 0;

  constructor(limits: SharedLimits) {
    this.#limits = limits;
  }

  /**
   * @throws Rejected for a call that is too large by itself, Overloaded for one that is so beside the others
   */
  admit(series: number, horizon: number, lane: string): () => void {
    const steps = series * horizon;
    const { series: maxSeries, steps: maxSteps, share } = this.#limits;
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
    const own = this.#lanes.get(lane);
    if (own && (own.series + series > share * maxSeries || own.steps + steps > share * maxSteps))
      throw new Overloaded('Too many forecasts of one workspace are under way; try again soon');
    this.#count(lane, { series, steps });
    return () => this.#count(lane, { series: -series, steps: -steps });
  }

  #count(lane: string, { series, steps }: Amount): void {
    this.#series += series;
    this.#steps += steps;
    const own = this.#lanes.get(lane) ?? NOTHING;
    const now = { series: own.series + series, steps: own.steps + steps };
    if (now.series > 0) this.#lanes.set(lane, now);
    else this.#lanes.delete(lane);
  }
}
