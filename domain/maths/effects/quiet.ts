import type { Frame } from './frame.js';

/** Quiet times for each event, and how many are looked at for them. */
const MATCHES = 3;
const LOOKED_AT = 40;
/** Share of the newest error in the running mean of their sizes. */
const MEMORY = 0.05;

/**
 * For the step of an event, steps alike without an event of its stream in the window of offsets: at the same
 * place of the season, the nearest ones, and of those the ones at which errors were about as large before.
 */
export function quietTimes(
  { n, errors, reference }: Frame,
  steps: Int32Array,
  offsets: readonly number[],
): (at: number) => number[] {
  const period = reference.harmonics.reduce((longest, each) => Math.max(longest, each.period), 1);
  const [before, after] = [-offsets[0]!, offsets.at(-1)!];
  const busy = new Uint8Array(n);
  for (const step of steps) busy.fill(1, Math.max(0, step - after), Math.min(n, step + before + 1));
  const sizes = runningSizes(errors);
  const isFit = (at: number): boolean => at > before && at + 1 < n && !busy[at];
  return at => {
    const near: number[] = [];
    for (let k = 1; k * period < n && near.length < LOOKED_AT; k++)
      near.push(...[at - k * period, at + k * period].filter(isFit));
    const unlike = (other: number): number =>
      Math.abs(Math.log((sizes[other - 1]! + 0.1) / (sizes[at - 1]! + 0.1)));
    return near.sort((a, b) => unlike(a) - unlike(b) || a - b).slice(0, MATCHES);
  };
}

function runningSizes(errors: Float64Array): Float64Array {
  let size = 1;
  return errors.map(error => {
    size += MEMORY * (Math.abs(error) - size);
    return size;
  });
}
