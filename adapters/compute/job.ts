import { Cancelled, Overloaded, TookTooLong, type RunOptions } from '../../domain/maths/compute.js';
import type { Order } from './messages.js';

type Settings = Required<RunOptions> & { readonly order: Order };

/**
 * One call of the pool, from the queue to its answer. It is settled by what comes first: the answer, the
 * caller going away or the clock; in the last two cases `stop` is called, to take it out of where it is.
 */
export class Job {
  readonly order: Order;
  readonly lane: string;
  readonly patient: boolean;
  readonly answer: Promise<unknown>;
  readonly #settings: Settings;
  #resolve!: (output: unknown) => void;
  #reject!: (error: Error) => void;
  #stop: () => void = () => undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(settings: Settings) {
    this.#settings = settings;
    this.order = settings.order;
    this.lane = settings.lane;
    this.patient = settings.patient;
    this.answer = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    settings.signal.addEventListener('abort', this.#cancel);
  }

  waits(stop: () => void): void {
    this.#stop = stop;
    this.#timer = this.#startTimer(() => new Overloaded());
  }

  begins(stop: () => void): void {
    this.#stop = stop;
    clearTimeout(this.#timer);
    this.#timer = this.#startTimer(() => new TookTooLong(this.#settings.withinMs));
  }

  resolve(output: unknown): void {
    this.#settled();
    this.#resolve(output);
  }

  reject(error: Error): void {
    this.#settled();
    this.#reject(error);
  }

  readonly #cancel = (): void => this.#giveUp(new Cancelled());

  #startTimer(why: () => Error): NodeJS.Timeout {
    return setTimeout(() => this.#giveUp(why()), this.#settings.withinMs);
  }

  #giveUp(error: Error): void {
    this.reject(error);
    this.#stop();
  }

  #settled(): void {
    clearTimeout(this.#timer);
    this.#settings.signal.removeEventListener('abort', this.#cancel);
  }
}
