import type { Chance } from './chance.js';
import type { Ground } from './ground.js';
import type { Signal, SignalRole } from './world.js';

/** A signal that leads, and what it adds to the target. */
export type Lead = {
  readonly values: Float64Array;
  readonly adds: Float64Array;
  readonly lag: number;
  readonly size: number;
};

/** It moves by itself, and the target after it, `lag` steps later. */
export function leadOf(chance: Chance, { steps, sigma }: Ground, size: number): Lead {
  const lag = chance.whole(1, 8);
  const all = regressive(chance, steps + lag, chance.between(0.4, 0.85));
  const way = sigma * size * chance.pick([-1, 1]);
  return {
    values: inUnits(chance, all.subarray(lag)),
    adds: Float64Array.from({ length: steps }, (_, t) => way * all[t]!),
    lag,
    size,
  };
}

/** One that moves nothing. `target`: without holes. */
export function idleSignal(
  chance: Chance,
  role: Exclude<SignalRole, 'leads'>,
  key: string,
  { steps, sigma, season }: Ground,
  target: Float64Array,
): Signal {
  const own = regressive(chance, steps, chance.between(0, 0.9));
  if (role === 'unrelated') return { key, role, values: inUnits(chance, own), lag: null, size: 0 };
  if (role === 'shares') {
    const values = own.map((x, t) => season[t]! / sigma + x);
    return { key, role, values: inUnits(chance, values), lag: null, size: 0 };
  }
  const lag = chance.whole(1, 3);
  const values = own.map((x, t) => target[Math.max(0, t - lag)]! / sigma + 0.5 * x);
  return { key, role, values: inUnits(chance, values), lag, size: 0 };
}

/** Follows itself by `kept`; deviation 1. */
function regressive(chance: Chance, length: number, kept: number): Float64Array {
  let last = chance.normal();
  return Float64Array.from({ length }, () => {
    last = kept * last + Math.sqrt(1 - kept * kept) * chance.normal();
    return last;
  });
}

function inUnits(chance: Chance, values: Float64Array): Float64Array {
  const unit = chance.scaleBetween(0.1, 100);
  const level = unit * chance.between(5, 50);
  return values.map(x => level + unit * x);
}
