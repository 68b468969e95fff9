import { effectAt, peakOf, type Response } from '../maths/effects/applied.js';
import { SECOND } from '../time.js';

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
