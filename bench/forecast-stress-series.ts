import type { Random } from '../test/random.js';
import {
  ar1,
  between,
  factors,
  gamma,
  logBetween,
  normal,
  poisson,
  series,
  walk,
  wholeBetween,
} from './forecast-stress-draws.js';
import { longHorizon, ordinary, type Drawn } from './forecast-stress-ordinary.js';
import { randomFor } from './forecast-tasks-sets.js';

// The groups of bench/forecast-stress.ts: difficult but ordinary series, drawn from processes that are known.

/** One forecast to be judged. */
export type Case = {
  readonly group: string;
  readonly kind: string;
  readonly name: string;
  readonly period: number;
  readonly horizon: number;
  readonly context: Float64Array;
  readonly actual: Float64Array;
  /** The actuals without their noise. */
  readonly pure?: Float64Array;
};

/** The i-th item of a list that begins again. */
const turn = <T>(list: readonly T[], i: number): T => list[i % list.length]!;

/** 10 to 40 years of growth, four of five upwards; the noise lasts (a walk) or does not. */
function yearlyGrowth(random: Random, i: number): Drawn {
  const kind = turn(['steady', 'noisy', 'accelerating', 'decelerating'], i);
  const horizon = 6;
  const past = turn([10, 15, 20, 30, 40], Math.floor(i / 4));
  const length = past + horizon;
  const noisy = kind === 'noisy';
  const sign = random.chance(0.2) ? -1 : 1;
  const rate = sign * Math.min(logBetween(random, 0.015, noisy ? 0.15 : 0.06), 3 / past);
  const rates: Readonly<Record<string, (share: number) => number>> = {
    accelerating: share => rate * (0.3 + 1.4 * share),
    decelerating: share => 2 * rate * Math.exp(-1.5 * share),
  };
  const deviation = noisy ? between(random, 0.02, 0.06) : between(random, 0.003, 0.012);
  const lasting = random.chance(0.5) ? walk(random, length, deviation) : ar1(random, length, 0, deviation);
  let log = Math.log(logBetween(random, 10, 1e6));
  const values = series(length, t => {
    log += rates[kind]?.(t / past) ?? rate;
    return Math.exp(log + lasting[t]!);
  });
  return { kind: sign > 0 ? kind : 'falling', period: 1, horizon, values };
}

/** By day or hour around a level that moved by 3 to 10 deviations shortly before the origin, and stays. */
function levelShift(random: Random, i: number): Drawn {
  const horizon = 24;
  const since = turn([3, 5, 10, 10, 20, 30], i);
  const period = turn([24, 7, 1], Math.floor(i / 6));
  const past = period === 24 ? 24 * wholeBetween(random, 10, 40) : wholeBetween(random, 120, 700);
  const noise = ar1(random, past + horizon, between(random, 0, 0.7), 1);
  const season = factors(random, period === 1 ? 2 : period, period === 1 ? 0 : between(random, 0, 3));
  const shift = between(random, 3, 10) * (random.chance(0.5) ? 1 : -1);
  const level = between(random, 20, 100);
  const unit = logBetween(random, 0.1, 100);
  const values = series(
    past + horizon,
    t => unit * (level + noise[t]! + season[t % season.length]! + (t >= past - since ? shift : 0)),
  );
  return { kind: `${since} steps before`, period, horizon, values };
}

/** From 0 to 1 over time: logistic, Gompertz, and Bass with the usual coefficients. */
const ADOPTIONS: readonly ((time: number) => number)[] = [
  time => 1 / (1 + Math.exp(-time)),
  time => Math.exp(-Math.exp(-time)),
  time => (1 - Math.exp(-0.41 * time)) / (1 + 19 * Math.exp(-0.41 * time)),
];

/** When a rising function comes to a value. */
function timeOf(rising: (time: number) => number, value: number): number {
  let [low, high] = [-100, 100];
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    if (rising(middle) < value) low = middle;
    else high = middle;
  }
  return low;
}

/** Adoption at 80% to all but 100% at the origin: totals that only grow, or a number in use with noise. */
function saturation(random: Random, i: number): Drawn {
  const horizon = 24;
  const reached = turn([0.8, 0.9, 0.97, 0.995, 0.9999], i);
  const adoption = turn(ADOPTIONS, Math.floor(i / 5));
  const past = wholeBetween(random, 40, 300);
  const from = timeOf(adoption, 0.02);
  const step = (timeOf(adoption, reached) - from) / past;
  const capacity = logBetween(random, 100, 1e6);
  const share = (t: number): number => adoption(from + t * step);
  const kind = reached < 0.95 ? 'flattening' : 'flattened';
  if (random.chance(0.5)) {
    const noise = ar1(random, past + horizon, 0.5, between(random, 0.002, 0.02));
    return { kind, period: 1, horizon, values: noise.map((e, t) => capacity * (share(t) + e)) };
  }
  let total = share(0);
  const values = series(past + horizon, t => {
    total += (share(t + 1) - share(t)) * Math.exp(0.3 * normal(random));
    return capacity * total;
  });
  return { kind, period: 1, horizon, values };
}

/** Every five or three minutes, with a day's profile; a few days of history. */
function longPeriod(random: Random, i: number): Drawn {
  const period = turn([288, 480], i);
  const horizon = turn([96, 144, 288], Math.floor(i / 2));
  const length = period * wholeBetween(random, 4, 6) + random.below(period) + horizon;
  const level = logBetween(random, 10, 1e4);
  const day = factors(random, period, between(random, 0.4, 1.5));
  const daily = ar1(random, 10, 0.5, between(random, 0, 0.08));
  const noise = ar1(random, length, between(random, 0.2, 0.9), between(random, 0.02, 0.15));
  const values = series(
    length,
    t => level * day[t % period]! * (1 + daily[Math.floor(t / period)]!) * (1 + noise[t]!),
  );
  return { kind: `period ${period}`, period, horizon, values };
}

/** Demand by day, a mean of 0.02 to 5, in half of them less at the end of the week; at least two sales. */
function sparseCounts(random: Random, i: number): Drawn {
  const kind = turn(['Poisson', 'negative binomial', 'zero-inflated'], i);
  const horizon = 28;
  const past = wholeBetween(random, 100, 700);
  const mean = logBetween(random, 0.02, 5);
  const weekend = random.chance(0.5) ? between(random, 0.2, 0.8) : 1;
  const size = between(random, 0.3, 2);
  const open = between(random, 0.2, 0.7);
  const draws: Readonly<Record<string, (rate: number) => number>> = {
    Poisson: rate => poisson(random, rate),
    'negative binomial': rate => poisson(random, (rate * gamma(random, size)) / size),
    'zero-inflated': rate => (random.chance(open) ? poisson(random, rate / open) : 0),
  };
  const values = series(past + horizon, t => draws[kind]!(t % 7 < 5 ? mean : mean * weekend));
  const sales = values.subarray(0, past).filter(x => x > 0).length;
  return sales < 2 ? sparseCounts(random, i) : { kind, period: 7, horizon, values };
}

/** A price or a setting: constant but for one or two moves by 2 to 40%. */
function movedOnce(random: Random, i: number): Drawn {
  const horizon = 30;
  const past = wholeBetween(random, 100, 500);
  const lately = i % 3 === 0;
  const last = past - (lately ? wholeBetween(random, 3, 20) : wholeBetween(random, 21, past - 15));
  const first = random.chance(0.5) ? random.below(last) : 0;
  const level = logBetween(random, 1, 1000);
  const moved = (from: number): number =>
    from * (1 + between(random, 0.02, 0.4) * (random.chance(0.6) ? 1 : -1));
  const before = first > 0 ? moved(level) : level;
  const after = moved(before);
  const values = series(past + horizon, t => {
    if (t >= last) return cents(after);
    return cents(t >= first ? before : level);
  });
  return { kind: lately ? 'moved lately' : 'moved long ago', period: turn([7, 1, 24], i), horizon, values };
}
const cents = (x: number): number => Math.round(100 * x) / 100;

/** Never moved. One of ten is 0, one is negative. */
function constant(random: Random, i: number): Drawn {
  const horizon = 30;
  const level = cents(logBetween(random, 0.05, 1e6)) * turn([0, -1, 1, 1, 1, 1, 1, 1, 1, 1], i);
  const values = series(wholeBetween(random, 30, 500) + horizon, () => level);
  return { kind: 'constant', period: turn([7, 1, 24, 12], i), horizon, values };
}

/** Waves and trends with so little noise that a forecast of them should be smooth. */
function smooth(random: Random, i: number): Drawn {
  const kind = turn(['wave', 'trend', 'both'], i);
  const horizon = 64;
  const past = wholeBetween(random, 128, 1000);
  const period = kind === 'trend' ? 1 : random.pick([12, 24, 30, 48, 96]);
  const phase = between(random, 0, 2 * Math.PI);
  const slope = between(random, 0.5, 3) * (random.chance(0.7) ? 1 : -1);
  const bend = between(random, -0.3, 0.3);
  const pure = series(past + horizon, t => {
    const wave = Math.sin((2 * Math.PI * t) / period + phase);
    const trend = slope * (t / past) * (1 + (bend * t) / past);
    return 10 + (kind === 'trend' ? 0 : wave) + (kind === 'wave' ? 0 : trend);
  });
  const noise = logBetween(random, 0.001, 0.02);
  const unit = logBetween(random, 0.1, 1000);
  const values = pure.map(x => unit * (x + noise * normal(random)));
  return { kind, period, horizon, values, pure: pure.map(x => unit * x) };
}

const GROUPS: Readonly<Record<string, (random: Random, i: number) => Drawn>> = {
  'yearly growth': yearlyGrowth,
  'level shift': levelShift,
  saturation,
  'long periods': longPeriod,
  'sparse counts': sparseCounts,
  'moved once': movedOnce,
  constant,
  ordinary,
  'long horizons': longHorizon,
  patches: smooth,
};

/** The first `most` series of each group: the same for the same seed, whatever else is drawn. */
export const casesOf = (seed: number, most: number): Case[] =>
  Object.entries(GROUPS).flatMap(([group, draw]) =>
    Array.from({ length: most }, (_, i): Case => {
      const name = `${group} ${i}`;
      const { kind, period, horizon, values, pure } = draw(randomFor(seed, name), i);
      const origin = values.length - horizon;
      const parts = { context: values.subarray(0, origin), actual: values.subarray(origin) };
      const own = pure ? { pure: pure.subarray(origin) } : {};
      return { group, kind, name, period, horizon, ...parts, ...own };
    }),
  );
