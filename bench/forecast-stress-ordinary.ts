import type { Random } from '../test/random.js';
import {
  ar1,
  between,
  factors,
  logBetween,
  normal,
  series,
  walk,
  wholeBetween,
} from './forecast-stress-draws.js';

// The ordinary series of bench/forecast-stress.ts: what others are held against.

/** A series with what comes after it: the last `horizon` values. */
export type Drawn = {
  readonly kind: string;
  readonly period: number;
  readonly horizon: number;
  readonly values: Float64Array;
  /** The same without its noise, where the process has such a thing. */
  readonly pure?: Float64Array;
};

/** Sales by month: a trend, a season that grows with the level, noise. */
export function months(random: Random): Drawn {
  const horizon = 12;
  const length = wholeBetween(random, 60, 240) + horizon;
  const level = logBetween(random, 50, 1e5);
  const growth = between(random, -0.002, 0.008);
  const season = factors(random, 12, between(random, 0.1, 0.8));
  const slow = walk(random, length, between(random, 0.002, 0.01));
  const noise = ar1(random, length, 0.3, between(random, 0.02, 0.06));
  const values = series(length, t => level * season[t % 12]! * Math.exp(growth * t + slow[t]! + noise[t]!));
  return { kind: 'months', period: 12, horizon, values };
}

/** Visitors by day: a week, a year over it, a level that wanders. */
export function days(random: Random, past: number, horizon = 28): Drawn {
  const length = past + horizon;
  const level = logBetween(random, 100, 1e5);
  const weekend = between(random, 0.4, 1.4);
  const week = series(7, d => (d < 5 ? 1 : weekend) * (1 + 0.05 * normal(random)));
  const yearly = between(random, 0, 0.3);
  const phase = between(random, 0, 2 * Math.PI);
  const slow = walk(random, length, between(random, 0.002, 0.008));
  const noise = ar1(random, length, 0.3, between(random, 0.04, 0.12));
  const values = series(length, t => {
    const year = yearly * Math.sin((2 * Math.PI * t) / 365.25 + phase);
    return level * week[t % 7]! * Math.exp(year + slow[t]! + noise[t]!);
  });
  return { kind: 'days of the week', period: 7, horizon, values };
}

/** A load by hour: a day, another one at the end of the week, weather that lasts for days. */
export function hours(random: Random, past: number, horizon = 48): Drawn {
  const length = past + horizon;
  const level = logBetween(random, 10, 1e4);
  const strength = between(random, 0.4, 1.2);
  const workday = factors(random, 24, strength);
  const less = between(random, 0.7, 0.95);
  const weekend = factors(random, 24, strength / 2).map(x => less * x);
  const weather = ar1(random, length, 0.99, between(random, 0.02, 0.1));
  const noise = ar1(random, length, 0.5, between(random, 0.02, 0.06));
  const values = series(length, t => {
    const day = Math.floor(t / 24) % 7 < 5 ? workday : weekend;
    return level * day[t % 24]! * Math.exp(weather[t]! + noise[t]!);
  });
  return { kind: 'hours and weeks', period: 24, horizon, values };
}

/** Prices: a random walk of the logarithm. */
export function prices(random: Random): Drawn {
  const horizon = 24;
  const length = wholeBetween(random, 100, 1000) + horizon;
  const level = logBetween(random, 5, 500);
  const path = walk(random, length, between(random, 0.005, 0.02), random.chance(0.5));
  return { kind: 'random walk', period: 1, horizon, values: path.map(x => level * Math.exp(x)) };
}

/** What comes back to its level: an AR(1), or an AR(2) that swings. */
export function autoregression(random: Random): Drawn {
  const horizon = 24;
  const length = wholeBetween(random, 60, 600) + horizon;
  const deviation = logBetween(random, 0.1, 100);
  const level = deviation * between(random, 5, 30);
  if (random.chance(0.5)) {
    const path = ar1(random, length, between(random, 0.3, 0.95), deviation);
    return { kind: 'autoregression', period: 1, horizon, values: path.map(x => level + x) };
  }
  const damping = between(random, 0.7, 0.95);
  const first = 2 * damping * Math.cos((2 * Math.PI) / between(random, 6, 30));
  let [last, before] = [0, 0];
  const step = (): number => {
    [last, before] = [first * last - damping * damping * before + normal(random), last];
    return last;
  };
  const warm = series(WARM, step);
  const path = series(length, step);
  const scale = deviation / Math.sqrt(warm.reduce((sum, x) => sum + x * x, 0) / WARM);
  return { kind: 'autoregression', period: 1, horizon, values: path.map(x => level + scale * x) };
}
const WARM = 500;

/** One of the five kinds in turn. */
export function ordinary(random: Random, i: number): Drawn {
  const kinds = [
    () => months(random),
    () => days(random, wholeBetween(random, 100, 700)),
    () => hours(random, 24 * wholeBetween(random, 21, 60)),
    () => prices(random),
    () => autoregression(random),
  ];
  return kinds[i % kinds.length]!();
}

/** By hour, or by day with a year over the week, 720 steps ahead. */
export function longHorizon(random: Random, i: number): Drawn {
  if (i % 2 === 0) return hours(random, wholeBetween(random, 24 * 28, 2000), FURTHEST);
  return days(random, wholeBetween(random, 730, 1825), FURTHEST);
}
const FURTHEST = 720;
