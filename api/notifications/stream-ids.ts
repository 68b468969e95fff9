import { DAY } from '../../domain/time.js';

/** A stream goes on behind what was told so long ago at most, ms. */
export const RESUMED_WITHIN = DAY;

const RADIX = 36;
const ID = /^([0-9a-z]{1,11})-([0-9a-z]{1,11})$/;

/** What a message is called by: up to which position of the log all was told, and when (epoch ms). */
export const streamId = (position: number, at: number): string =>
  `${Math.max(0, position).toString(RADIX)}-${at.toString(RADIX)}`;

/**
 * The position to go on behind; null: it is not known any more, or never was. `head`: of the log; `now`:
 * epoch ms.
 */
export function positionOf(id: string, head: number, now: number): number | null {
  const [, position, at] = ID.exec(id) ?? [];
  if (position === undefined || at === undefined) return null;
  const behind = parseInt(position, RADIX);
  return behind <= Math.max(0, head) && now - parseInt(at, RADIX) <= RESUMED_WITHIN ? behind : null;
}
