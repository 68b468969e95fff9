import { setTimeout as pause } from 'node:timers/promises';
import { NotSent, Silent } from './failures.js';

export type Limits = {
  /** Longest wait for one answer (ms). */
  readonly answerWithin: number;
  /** Longest time spent on one call over all its tries (ms). */
  readonly patience: number;
};

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1_000;

/** How long to wait before try `tried` + 1 (ms). */
export const backOff = (tried: number): number => Math.min(FIRST_PAUSE_MS * 2 ** tried, LONGEST_PAUSE_MS);

/** The answer, or `Silent` when it takes longer than `ms`; a late answer is dropped. */
export const within = async <T>(ms: number, what: string, answer: Promise<T>): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Silent(`${what}: no answer within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
};

/**
 * Tries again, with growing pauses, as long as `again` says so of the error and patience lasts; then throws
 * the last error.
 */
export const patiently = async <T>(
  { patience }: Limits,
  attempt: (end: number) => Promise<T>,
  again: (error: unknown) => boolean,
): Promise<T> => {
  const end = Date.now() + patience;
  for (let tried = 0; ; tried++) {
    try {
      return await attempt(end);
    } catch (error) {
      if (!again(error) || Date.now() + backOff(tried) >= end) throw error;
    }
    await pause(backOff(tried));
  }
};

/** Lets so many in at a time, the others in the order they came. */
export class Gate {
  private readonly waiting: (() => void)[] = [];

  constructor(private free: number) {}

  /**
   * Resolves when there is room; throws `NotSent` when that was only after `end` (epoch ms). Who came in must
   * `leave` once.
   */
  async enter(end: number): Promise<void> {
    if (this.free > 0) this.free--;
    else await new Promise<void>(resolve => this.waiting.push(resolve));
    if (Date.now() <= end) return;
    this.leave();
    throw new NotSent('no room on the connection in time');
  }

  leave(): void {
    const next = this.waiting.shift();
    if (next) next();
    else this.free++;
  }
}
