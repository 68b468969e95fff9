import { SECOND } from '../time.js';
import type { OnNewData } from './settings.js';

/**
 * What came since the last cycle began or, before the first, since the pipeline was made. Times are epoch ms;
 * null: nothing, or never.
 */
export type Came = {
  readonly rows: number;
  /** When the first of it was seen, and when the last point came. */
  readonly firstAt: number | null;
  readonly lastAt: number | null;
  readonly lastCycleAt: number | null;
};

/**
 * Whether new points are to begin a cycle: enough came, they have come to rest or were waited for long
 * enough, and the last cycle is so long ago.
 */
export function isRetrainDue(
  { minRows, quietSeconds, maxWaitSeconds, cooldownSeconds }: OnNewData,
  { rows, firstAt, lastAt, lastCycleAt }: Came,
  now: number,
): boolean {
  if (rows < minRows || firstAt === null) return false;
  if (lastCycleAt !== null && now < lastCycleAt + cooldownSeconds * SECOND) return false;
  const isQuiet = lastAt === null || now >= lastAt + quietSeconds * SECOND;
  return isQuiet || now >= firstAt + maxWaitSeconds * SECOND;
}
