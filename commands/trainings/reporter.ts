import type { LogLine } from '../../domain/trainings/facts.js';
import type { Told } from '../../domain/trainings/ports.js';
import { SECOND } from '../../domain/time.js';

/** At most one fact in this time, and at least one in that. */
const LEAST_MS = 5 * SECOND;
const MOST_MS = 15 * SECOND;
/** Lines of a fact, and characters of a line: what is beyond is left out. */
const LINES = 200;
const LENGTH = 500;

type State = Pick<Told, 'progress'> & { readonly stage: 'preparing' | Told['stage'] };
type Deps = {
  /** False: it is not wanted any more. */
  readonly send: (state: State, lines: readonly LogLine[]) => Promise<boolean>;
  readonly clock: () => number;
  readonly unwanted: () => void;
  readonly failed: (err: unknown) => void;
};

/** Tells of a training's progress from time to time, which is a sign of life, too. */
export class Reporter {
  #state: State = { stage: 'preparing', progress: 0 };
  #lines: LogLine[] = [];
  #isNew = false;
  #sentAt = performance.now();
  #sending: Promise<void> | null = null;
  readonly #timer: NodeJS.Timeout;

  constructor(readonly deps: Deps) {
    this.#timer = setInterval(() => this.#look(), SECOND);
  }

  tell({ stage, progress, message }: Omit<Told, 'stage'> & Pick<State, 'stage'>): void {
    this.#state = { stage, progress };
    if (message !== null && this.#lines.length < LINES)
      this.#lines.push({ at: this.deps.clock(), message: message.slice(0, LENGTH) });
    this.#isNew = true;
    this.#look();
  }

  /** Ends it; answers the lines that were not told yet. */
  async end(): Promise<readonly LogLine[]> {
    clearInterval(this.#timer);
    await this.#sending;
    return this.#lines.splice(0);
  }

  #look(): void {
    const since = performance.now() - this.#sentAt;
    if (this.#sending || since < (this.#isNew ? LEAST_MS : MOST_MS)) return;
    this.#sending = this.#send().finally(() => (this.#sending = null));
  }

  async #send(): Promise<void> {
    this.#sentAt = performance.now();
    this.#isNew = false;
    const lines = this.#lines.splice(0);
    try {
      if (!(await this.deps.send(this.#state, lines))) this.deps.unwanted();
    } catch (error) {
      this.#lines.unshift(...lines);
      this.deps.failed(error);
    }
  }
}
