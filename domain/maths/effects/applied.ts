import { SECOND } from '../../time.js';
import type { ResponseCurve } from './answer.js';

/**
 * What an event of weight 1 does to a target, in its unit, from the event on: `effects[i]` at `offsets[i]`
 * (seconds, ascending), straight between them, and gone `stepS` after the last.
 */
export type Response = {
  readonly stepS: number;
  readonly offsets: readonly number[];
  readonly effects: readonly number[];
};

/** The part of a measured curve that is applied; null: there is none that says anything. */
export function responseOf(curve: ResponseCurve | null): Response | null {
  const after = (curve?.points ?? []).filter(
    ({ offsetS, effect }) => offsetS >= 0 && Number.isFinite(effect * curve!.scale),
  );
  const points = [...after].sort((a, b) => a.offsetS - b.offsetS);
  const response = {
    stepS: Math.max(1, curve?.stepS ?? 1),
    offsets: points.map(({ offsetS }) => offsetS),
    effects: points.map(({ effect }) => effect * curve!.scale),
  };
  return peakOf(response).effect === 0 ? null : response;
}

/** The largest effect, signed, and the first offset (seconds) that it is at. */
export function peakOf({ offsets, effects }: Response): { readonly effect: number; readonly at: number } {
  let peak = { effect: 0, at: 0 };
  effects.forEach((effect, i) => {
    if (Math.abs(effect) > Math.abs(peak.effect)) peak = { effect, at: offsets[i]! };
  });
  return peak;
}

/** How long after an event its effect is over, ms. */
export const reachOf = ({ stepS, offsets }: Response): number => ((offsets.at(-1) ?? 0) + stepS) * SECOND;

/** The effect so many seconds after the event; 0 before it. */
export function effectAt({ stepS, offsets, effects }: Response, offsetS: number): number {
  if (offsetS < 0) return 0;
  const next = offsets.findIndex(offset => offset > offsetS);
  if (next === 0) return effects[0]!;
  const last = next < 0 ? offsets.length - 1 : next - 1;
  const [from, to] = [offsets[last]!, next < 0 ? offsets[last]! + stepS : offsets[next]!];
  const share = Math.min(1, (offsetS - from) / (to - from));
  const end = next < 0 ? 0 : effects[next]!;
  return effects[last]! + share * (end - effects[last]!);
}

/** Together events do at most so many times what the strongest of them does at its peak. */
const MOST_TOGETHER = 3;

/** A sum of effects within its bounds; `strongest`: what the strongest of them does at its peak. */
export function bounded(sum: number, strongest: number): number {
  const bound = MOST_TOGETHER * strongest;
  return Math.max(-bound, Math.min(bound, sum));
}

/** What events do together at times in ascending order. `at`, `times`: epoch ms. */
export function together(
  all: readonly { readonly response: Response; readonly weight: number; readonly at: number }[],
  times: readonly number[],
): number[] {
  const sums = new Float64Array(times.length);
  let strongest = 0;
  for (const { response, weight, at } of all) {
    strongest = Math.max(strongest, Math.abs(weight * peakOf(response).effect));
    const end = at + reachOf(response);
    for (let i = firstFrom(times, at); i < times.length && times[i]! < end; i++)
      sums[i]! += weight * effectAt(response, (times[i]! - at) / SECOND);
  }
  return Array.from(sums, sum => bounded(sum, strongest));
}

/** The place of the first time that is not before another. */
function firstFrom(times: readonly number[], from: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle]! < from) low = middle + 1;
    else high = middle;
  }
  return low;
}
