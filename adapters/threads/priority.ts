import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';

/**
 * Gives this thread a lower priority (of `os.constants.priority`), so that the threads that answer requests
 * go first. On Linux a priority belongs to a thread, and /proc/thread-self is `<process>/task/<thread>`;
 * elsewhere it would slow the whole process, so nothing is done.
 */
export const stepBack = (priority: number): void => {
  if (process.platform !== 'linux') return;
  try {
    setPriority(Number(readlinkSync('/proc/thread-self').split('/').at(-1)), priority);
  } catch {
    /* not allowed here: the work is done all the same */
  }
};
