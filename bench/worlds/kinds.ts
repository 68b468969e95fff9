import type { Chance } from './chance.js';
import type { StreamPlan } from './streams.js';
import type { Kind, NoiseKind, ScaledBy, SignalRole, StreamRole } from './world.js';

/** What a world of a kind is made of. */
export type Plan = {
  readonly noise: readonly NoiseKind[];
  /** Whether it must have a season. */
  readonly seasonal: boolean;
  readonly streams: readonly StreamPlan[];
  readonly signals: readonly SignalRole[];
  /** Share of points that are missing one by one; how many longer gaps; share of points corrected later. */
  readonly missing: number;
  readonly gaps: number;
  readonly revised: number;
};

const EVERY: readonly NoiseKind[] = ['normal', 'normal', 'heavy', 'autocorrelated', 'uneven'];
const SCALES: readonly ScaledBy[] = ['value', 'importance', 'impact'];
const STREAM: Readonly<Record<StreamRole, StreamPlan>> = {
  cause: { role: 'cause', count: [5, 60] },
  announced: { role: 'announced', count: [8, 60] },
  dying: { role: 'dying', count: [24, 60], size: [1.5, 4] },
  unrelated: { role: 'unrelated', count: [5, 60] },
  companion: { role: 'companion', count: [5, 60] },
  peak: { role: 'peak', count: [5, 60] },
  anticipated: { role: 'anticipated', count: [12, 60], size: [1.5, 4] },
};
const confounding: StreamPlan = { role: 'cause', count: [20, 60], size: [1, 4] };

const times = <T>(count: number, each: T): T[] => Array.from({ length: count }, () => each);
const some = (chance: Chance, low: number, high: number, role: StreamRole): StreamPlan[] =>
  times(chance.whole(low, high), STREAM[role]);

/** Everything that differs from a target with a cause and one or two streams that are none. */
const PLANS: Readonly<Record<Kind, (chance: Chance) => Partial<Plan>>> = {
  noise: chance => ({
    seasonal: true,
    streams: [...some(chance, 3, 6, 'unrelated'), STREAM.peak],
    signals: times(chance.whole(1, 3), chance.pick<SignalRole>(['unrelated', 'shares'])),
  }),
  plain: () => ({}),
  scaled: chance => ({
    streams: [{ ...STREAM.cause, scaledBy: SCALES }, ...some(chance, 1, 2, 'unrelated')],
  }),
  crowded: chance => ({
    seasonal: true,
    streams: [
      confounding,
      ...times(chance.whole(1, 2), { ...STREAM.cause, scaledBy: ['nothing', ...SCALES] as const }),
      ...some(chance, 1, 2, 'unrelated'),
      STREAM.companion,
      STREAM.peak,
    ],
    signals: ['leads', 'follows', 'unrelated'],
  }),
  confounded: () => ({
    seasonal: true,
    streams: [confounding, STREAM.companion, STREAM.peak, STREAM.unrelated],
  }),
  anticipated: chance => ({
    streams: [STREAM.anticipated, STREAM.unrelated, ...some(chance, 0, 1, 'cause')],
  }),
  announced: () => ({ streams: [STREAM.announced, STREAM.unrelated] }),
  leading: chance => ({
    seasonal: true,
    streams: [STREAM.unrelated, ...some(chance, 0, 1, 'cause')],
    signals: [...times(chance.whole(1, 2), 'leads' as const), 'follows', 'shares', 'unrelated'],
  }),
  dying: () => ({ streams: [STREAM.dying, STREAM.unrelated] }),
  rough: chance => ({
    noise: ['heavy', 'uneven', 'autocorrelated'],
    streams: [
      ...times(chance.whole(1, 2), { ...STREAM.cause, varies: 0.4, late: chance.between(0.1, 0.25) }),
      ...some(chance, 1, 2, 'unrelated'),
    ],
    signals: ['unrelated'],
    missing: chance.between(0.01, 0.05),
    gaps: chance.whole(1, 3),
    revised: chance.between(0.01, 0.04),
  }),
  lagging: chance => ({
    streams: [
      { ...STREAM.cause, count: [12, 60], size: [1, 8], lag: [1, 15] },
      ...some(chance, 1, 2, 'unrelated'),
    ],
  }),
  strong: chance => ({
    streams: [
      { ...STREAM.cause, count: [12, 60], size: [8, 80], lag: [0, 4] },
      ...some(chance, 1, 2, 'unrelated'),
    ],
  }),
  counts: chance => ({
    noise: ['counts'],
    streams: [...some(chance, 1, 2, 'cause'), ...some(chance, 1, 2, 'unrelated')],
  }),
};

export function planOf(kind: Kind, chance: Chance): Plan {
  return {
    noise: EVERY,
    seasonal: false,
    streams: [STREAM.cause, ...some(chance, 1, 2, 'unrelated')],
    signals: [],
    missing: chance.happens(0.2) ? 0.005 : 0,
    gaps: 0,
    revised: 0,
    ...PLANS[kind](chance),
  };
}
