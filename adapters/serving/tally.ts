import { classOf, type Figures } from '../../domain/deployments/figures.js';
import { MINUTE } from '../../domain/time.js';

const MINUTES = 60;
const RECENT = 5;

type Minute = { readonly minute: number; count: number; errors: number; readonly latencies: number[] };

/** The calls of one deployment within the last hour, counted by the minute they ended in. */
export class Tally {
  inFlight = 0;
  usedAt: number | null = null;
  #minutes: Minute[] = [];

  /** A call that ended at a time, epoch ms. */
  add(at: number, tookMs: number, failed: boolean): void {
    const minute = this.#at(at);
    minute.count++;
    const index = classOf(tookMs);
    if (failed) minute.errors++;
    else minute.latencies[index] = (minute.latencies[index] ?? 0) + 1;
  }

  /** Whether there is nothing to tell of any more. */
  isOver(now: number): boolean {
    this.#forget(now);
    return this.inFlight === 0 && this.#minutes.length === 0;
  }

  figures(now: number): Figures {
    this.#forget(now);
    const latencies: number[] = [];
    for (const minute of this.#minutes)
      minute.latencies.forEach((count, i) => {
        latencies[i] = (latencies[i] ?? 0) + count;
      });
    return {
      inFlight: this.inFlight,
      usedAt: this.usedAt,
      count: this.#minutes.reduce((sum, { count }) => sum + count, 0),
      errors: this.#minutes.reduce((sum, { errors }) => sum + errors, 0),
      latencies: Array.from(latencies, count => count ?? 0),
      recent: this.#minutes
        .filter(({ minute }) => minute > now - RECENT * MINUTE)
        .map(({ minute, count, errors }) => ({ minute, count, errors })),
    };
  }

  #at(at: number): Minute {
    const minute = at - (at % MINUTE);
    const last = this.#minutes.at(-1);
    // When the clock was set back, calls go on to count in the minute that it left
    if (last && last.minute >= minute) return last;
    this.#forget(at);
    const next = { minute, count: 0, errors: 0, latencies: [] };
    this.#minutes.push(next);
    return next;
  }

  #forget(now: number): void {
    const from = now - MINUTES * MINUTE;
    if (this.#minutes[0] && this.#minutes[0].minute <= from)
      this.#minutes = this.#minutes.filter(({ minute }) => minute > from);
  }
}
