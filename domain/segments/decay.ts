import { SECOND } from '../time.js';
import type { EventWalk } from './event-walk.js';
import type { StateReader, StateWriter } from './saved.js';

/** After so many half-lives of less than 1e-19 nothing is left of an event. */
const FORGOTTEN = 64;

/** How far before a time events still count, in ms. */
export const memoryOf = (halfLifeS: number): number => FORGOTTEN * halfLifeS * SECOND;

/**
 * The sum of 2^(-age / half-life) over all events until a step's end, at that end. The sum is kept as it was
 * at one moment, which moves on by whole numbers of half-lives: powers of two cost nothing of its precision.
 */
export class Decay {
  #sum = 0;
  #moment: number;

  /** For the first step events from `memoryOf` before it on are walked, for others those from the step on. */
  constructor(
    readonly halfLife: number,
    first: number,
  ) {
    this.#moment = first;
  }

  async read(events: EventWalk, out: Float64Array, edges: Float64Array, rows: number): Promise<void> {
    for (let row = 0; row < rows; row++) {
      const end = edges[row + 1]!;
      while (events.time < end || (await events.another(end))) {
        this.#moveTo(events.time);
        this.#sum += 2 ** ((events.time - this.#moment) / this.halfLife);
        events.pass();
      }
      this.#moveTo(end);
      out[row] = this.#sum * 2 ** ((this.#moment - end) / this.halfLife);
    }
    events.tell();
  }

  save(state: StateWriter): void {
    state.put(this.#sum, this.#moment);
  }

  load(state: StateReader): void {
    this.#sum = state.take();
    this.#moment = state.take();
  }

  #moveTo(time: number): void {
    const halfLives = Math.floor((time - this.#moment) / this.halfLife);
    if (halfLives <= 0) return;
    this.#sum *= 2 ** -halfLives;
    this.#moment += halfLives * this.halfLife;
  }
}
