import type { ResponseCurve } from '../goals/ports.js';
import { SECOND } from '../time.js';

/**
 * What an event of weight 1 does to a target, in its unit, from the event on: `effects[i]` at `offsets[i]`
 * (seconds, ascending), straight between them, and gone `stepS` after the last.
 */
export type Response = {
  readonly stepS: number;
  readonly offsets: readonly number[];
  readonly effects: readonly number[];
};

/** The part of a measured curve that forecasts use; null: there is none that says anything. */
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

/** What is left of a response: its curve, or without a usable one its half-life. */
export type Fading = {
  /** When the event happened, epoch ms. */
  readonly occurredAt: number;
  readonly response: Response | null;
  readonly halfLifeS: number | null;
};

/**
 * R(t), 0 to 1: 1 from the event to the peak of the curve, then the curve over its peak; without a curve
 * 2^(-t/half-life). `at`: epoch ms.
 */
export function remainingOf({ occurredAt, response, halfLifeS }: Fading, at: number): number {
  const elapsed = Math.max(0, (at - occurredAt) / SECOND);
  if (response) {
    const peak = peakOf(response);
    return elapsed <= peak.at ? 1 : Math.min(1, Math.abs(effectAt(response, elapsed) / peak.effect));
  }
  return halfLifeS === null ? 0 : 2 ** (-elapsed / halfLifeS);
}

/** When R falls below a share (0 to 1) first, epoch ms. */
export function fadesAt({ occurredAt, response, halfLifeS }: Fading, share: number): number {
  if (!response) return occurredAt + (halfLifeS ?? 0) * Math.log2(1 / share) * SECOND;
  const { effect, at } = peakOf(response);
  const level = Math.abs(effect) * share;
  const { offsets, effects, stepS } = response;
  const points = [...offsets, offsets.at(-1)! + stepS].map(
    (offset, i) => [offset, Math.abs(effects[i] ?? 0)] as const,
  );
  for (let i = offsets.indexOf(at) + 1; i < points.length; i++) {
    const [[before, high], [after, low]] = [points[i - 1]!, points[i]!];
    // The line between the points crosses the level here
    if (low < level)
      return occurredAt + (before + ((high - level) / (high - low)) * (after - before)) * SECOND;
  }
  return occurredAt + points.at(-1)![0] * SECOND;
}

/** Together events do at most so many times what the strongest of them does at its peak. */
const MOST_TOGETHER = 3;

/** What events do together. `offsets`: of each step from the event, seconds. */
export function together(
  all: readonly {
    readonly response: Response;
    readonly weight: number;
    readonly offsets: readonly number[];
  }[],
  steps: number,
): number[] {
  const most = all.reduce(
    (most, { response, weight }) => Math.max(most, Math.abs(weight * peakOf(response).effect)),
    0,
  );
  const bound = MOST_TOGETHER * most;
  return Array.from({ length: steps }, (_, h) => {
    const sum = all.reduce(
      (sum, { response, weight, offsets }) => sum + weight * effectAt(response, offsets[h]!),
      0,
    );
    return Math.max(-bound, Math.min(bound, sum));
  });
}
