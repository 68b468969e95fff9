import { Overtaken } from '../projections/engine/read-models.js';

/**
 * Fencing numbers for read models of one process, known for as long as they are open: refuses a writer of a
 * projection when one with a higher number was there before.
 */
export function fences(): (projection: string, fence: number | undefined) => void {
  const highest = new Map<string, number>();
  return (projection, fence) => {
    if (fence === undefined) return;
    if (fence < (highest.get(projection) ?? fence)) throw new Overtaken(projection, fence);
    highest.set(projection, fence);
  };
}
