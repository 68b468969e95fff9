import { median } from '../series/quantile.js';
import type { Occurrences } from './shapes.js';

/** Steps from an event on that are looked at. */
const REACH = 60;
/** So many events say what is usual among them; those of a smaller weight are too weak to. */
const FEWEST = 5;
const LEAST_WEIGHT = 0.1;

/**
 * What most events of streams leave in errors: at each offset the median over a stream's events, each scaled
 * to weight 1, where that is at least `least`; 0 elsewhere. Such an error is no outlier, however large.
 */
export function sharedErrors(
  errors: Float64Array,
  known: Uint8Array,
  acting: readonly Occurrences[],
  least: number,
): Float64Array {
  const shared = new Float64Array(errors.length);
  for (const { steps, weights } of acting)
    for (let offset = 0; offset < REACH; offset++) {
      const of: number[] = [];
      // What offsets before and other streams share there is taken out: events may be as far apart as that
      steps.forEach((step, i) => {
        if (known[step + offset] && Math.abs(weights[i]!) >= LEAST_WEIGHT)
          of.push((errors[step + offset]! - shared[step + offset]!) / weights[i]!);
      });
      const usual = of.length < FEWEST ? 0 : median(of);
      if (Math.abs(usual) < least) continue;
      steps.forEach((step, i) => {
        if (known[step + offset]) shared[step + offset]! += weights[i]! * usual;
      });
    }
  return shared;
}
