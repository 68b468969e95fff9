import type { Weighing } from '../maths/effects/answer.js';
import { bounded, effectAt, peakOf, reachOf, type Response } from '../maths/effects/applied.js';
import { weightOf } from '../maths/effects/weighting.js';
import { SECOND } from '../time.js';
import type { EventWalk } from './event-walk.js';
import type { StateReader, StateWriter } from './saved.js';
import type { Steps } from './steps.js';

/** Events of one step: its beginning, what they weigh together, and the most that one of them weighs. */
type Acting = { readonly start: number; readonly weight: number; readonly most: number };

/**
 * What the events until a step's end do to its target, by a measured response: offsets are counted from the
 * beginning of the step that an event lies in to that of the row, as forecasts count them.
 */
export class Responding {
  /** Steps with events that still act, the oldest first. */
  #acting: Acting[] = [];
  readonly #peak: number;
  readonly #reach: number;
  /** By whole steps after the event; others are rare (days of 23 and 25 hours) and not kept. */
  readonly #effects: number[] = [];

  constructor(
    readonly response: Response,
    readonly weighing: Weighing,
    readonly steps: Steps,
    readonly stepMs: number,
  ) {
    this.#peak = Math.abs(peakOf(response).effect);
    this.#reach = reachOf(response);
  }

  /** Values of the walk are the figures that events are weighed by. */
  async read(events: EventWalk, out: Float64Array, edges: Float64Array, rows: number): Promise<void> {
    for (let row = 0; row < rows; row++) {
      await this.#take(events, edges[row + 1]!);
      out[row] = this.#at(edges[row]!);
    }
    events.tell();
  }

  save(state: StateWriter): void {
    state.put(this.#acting.length);
    for (const { start, weight, most } of this.#acting) state.put(start, weight, most);
  }

  load(state: StateReader): void {
    const count = state.take();
    this.#acting = Array.from({ length: count }, () => ({
      ...{ start: state.take(), weight: state.take(), most: state.take() },
    }));
  }

  /** Takes the events before the end of a step. */
  async #take(events: EventWalk, end: number): Promise<void> {
    let start = NaN;
    let weights: number[] = [];
    const close = (): void => {
      if (weights.length === 0) return;
      // In an order of their own: that of events at the same time says nothing
      weights.sort((a, b) => a - b);
      const weight = weights.reduce((sum, each) => sum + each, 0);
      const most = Math.max(...weights.map(Math.abs));
      this.#acting.push({ start, weight, most });
      weights = [];
    };
    while (events.time < end || (await events.another(end))) {
      const own = this.steps.startOf(events.time);
      if (own !== start) close();
      start = own;
      weights.push(this.#weightOf(events.value));
      events.pass();
    }
    close();
  }

  #weightOf(value: number): number {
    const figure = Number.isNaN(value) ? null : value;
    return weightOf(this.weighing, { impact: figure, importance: figure, value: figure });
  }

  #at(time: number): number {
    let over = 0;
    const after = ({ start }: Acting): number => this.steps.apart(start, time);
    while (over < this.#acting.length && after(this.#acting[over]!) >= this.#reach) over++;
    if (over > 0) this.#acting.splice(0, over);
    let sum = 0;
    let strongest = 0;
    for (const step of this.#acting) {
      sum += step.weight * this.#effectAfter(after(step));
      if (step.most > strongest) strongest = step.most;
    }
    return bounded(sum, strongest * this.#peak);
  }

  #effectAfter(ms: number): number {
    const steps = ms / this.stepMs;
    if (!Number.isInteger(steps)) return effectAt(this.response, ms / SECOND);
    const known = this.#effects[steps];
    if (known !== undefined) return known;
    const effect = effectAt(this.response, ms / SECOND);
    this.#effects[steps] = effect;
    return effect;
  }
}
