import type { Candidate, EffectsQuestion, EventSeen } from '../../../domain/maths/effects/question.js';
import { seeded, type Uniform } from '../../../domain/maths/seeded.js';
import { HOUR } from '../../../domain/time.js';

export const START = Date.UTC(2024, 0, 1);

/** Two uniform numbers make a normal one (Box and Muller). */
export const normal = (random: Uniform): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

export type Made = {
  readonly steps: number;
  readonly seed: number;
  /** Steps of the events of each stream. */
  readonly streams: Readonly<Record<string, readonly number[]>>;
  /** What an event of a stream adds to the target, so many steps after it (before it: below 0). */
  readonly effect?: (stream: string, offset: number) => number;
  readonly event?: (stream: string, i: number) => Partial<EventSeen>;
};

/** An hourly target of level 100 with a daily season and noise of deviation 1, and streams that move it. */
export function made({ steps, seed, streams, effect, event }: Made): EffectsQuestion {
  const random = seeded(seed);
  const values = Array.from(
    { length: steps },
    (_, t) => 100 + 3 * Math.sin((2 * Math.PI * t) / 24) + normal(random),
  );
  const candidates = Object.entries(streams).map(([key, at]): Candidate => {
    for (const step of at)
      for (let t = Math.max(0, step - 12); t < steps; t++) values[t]! += effect?.(key, t - step) ?? 0;
    return { kind: 'event_stream', key, events: at.map((step, i) => eventAt(step, event?.(key, i))) };
  });
  const times = values.map((_, t) => START + t * HOUR);
  return {
    target: { times, values },
    stepMs: HOUR,
    horizon: 12,
    candidates,
    settings: { alpha: 0.05, maxLag: null, seed: 7 },
  };
}

function eventAt(step: number, more: Partial<EventSeen> = {}): EventSeen {
  const occurredAt = START + step * HOUR + 10 * 60_000;
  return { occurredAt, recordedAt: occurredAt + 1_000, importance: null, impact: null, value: null, ...more };
}

/** Steps drawn by chance, at least `apart` from each other and from both ends. */
export function stepsOf(count: number, steps: number, seed: number, apart = 12): number[] {
  const random = seeded(seed);
  const found: number[] = [];
  while (found.length < count) {
    const step = 30 + Math.floor(random() * (steps - 60));
    if (found.every(other => Math.abs(other - step) >= apart)) found.push(step);
  }
  return found.sort((a, b) => a - b);
}
