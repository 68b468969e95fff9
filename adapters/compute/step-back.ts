import { constants, setPriority } from 'node:os';

/** Lets requests go first; scoring, which nobody waits for, goes last. */
export function stepBack(): void {
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    /* not allowed here: the work is done all the same */
  }
}
