import { DAY, HOUR, MINUTE } from '../../domain/time.js';
import type { Chance } from './chance.js';
import type { NoiseKind } from './world.js';

/** What a target does by itself, before anything moves it. */
export type Ground = {
  readonly start: number;
  readonly stepMs: number;
  readonly steps: number;
  readonly periods: readonly number[];
  readonly sigma: number;
  readonly level: Float64Array;
  readonly season: Float64Array;
  readonly holidays: Float64Array;
};

type Scale = {
  readonly stepMs: number;
  readonly steps: readonly [number, number];
  readonly periods: readonly number[];
};
const SCALES: readonly Scale[] = [
  { stepMs: 15 * MINUTE, steps: [700, 3_000], periods: [96, 672] },
  { stepMs: HOUR, steps: [500, 3_000], periods: [24, 168] },
  { stepMs: DAY, steps: [300, 1_500], periods: [7, 365.25] },
  { stepMs: 7 * DAY, steps: [300, 520], periods: [52.18] },
];
/** A season must have been seen so often to be one that anybody can know. */
const LEAST_CYCLES = 4;
/** A Monday. */
const EARLIEST_START = Date.UTC(2014, 0, 6);
/** Month and day of what is kept as holidays. */
const HOLIDAYS = [
  [1, 1],
  [5, 1],
  [7, 4],
  [10, 3],
  [12, 25],
  [12, 26],
] as const;

/** `counts`: the noise of counts is the root of their level, and a low level keeps them small. */
export function groundOf(chance: Chance, counts: boolean): Ground {
  const { stepMs, steps: range, periods: known } = chance.pick(SCALES);
  const steps = chance.whole(...range);
  const start = EARLIEST_START + 7 * DAY * chance.whole(0, 300);
  const sigma = counts ? chance.scaleBetween(2.5, 6) : chance.scaleBetween(0.5, 20);
  const level = levelOf(chance, steps, sigma, counts);
  const seen = known.filter(period => steps >= LEAST_CYCLES * period);
  const periods = seen.filter((_, i) => (i === 0 ? !chance.happens(0.15) : chance.happens(0.5)));
  const season = new Float64Array(steps);
  const most = counts ? 1.5 : 6;
  for (const period of periods) addSeason(chance, season, period, sigma * chance.between(most / 4, most));
  const holidays = chance.happens(0.4)
    ? holidaysOf(chance, start, stepMs, steps, sigma)
    : new Float64Array(steps);
  return { start, stepMs, steps, periods, sigma, level, season, holidays };
}

function levelOf(chance: Chance, steps: number, sigma: number, counts: boolean): Float64Array {
  const begin = counts ? sigma * sigma : sigma * chance.between(15, 60);
  const trend = chance.happens(0.5) ? sigma * chance.between(-1, 1) * (counts ? 1 : 6) : 0;
  const drift = chance.happens(0.5) ? sigma * chance.between(0.005, 0.04) : 0;
  const walk = { at: 0 };
  return Float64Array.from({ length: steps }, (_, t) => {
    walk.at += drift * chance.normal();
    return begin + (trend * t) / steps + walk.at;
  });
}

/** Up to four waves of random phase, the largest value `height`. */
function addSeason(chance: Chance, season: Float64Array, period: number, height: number): void {
  const waves = Array.from({ length: Math.min(4, Math.floor(period / 2)) }, (_, k) => ({
    often: k + 1,
    height: chance.normal() / (k + 1),
    phase: 2 * Math.PI * chance.next(),
  }));
  const at = (t: number): number =>
    waves.reduce(
      (sum, wave) => sum + wave.height * Math.sin((2 * Math.PI * wave.often * t) / period + wave.phase),
      0,
    );
  let most = 0;
  for (let t = 0; t < period; t++) most = Math.max(most, Math.abs(at(t)));
  for (let t = 0; t < season.length; t++) season[t]! += (height * at(t)) / most;
}

function holidaysOf(
  chance: Chance,
  start: number,
  stepMs: number,
  steps: number,
  sigma: number,
): Float64Array {
  const effect = sigma * chance.between(2, 4) * chance.pick([-1, 1]);
  return Float64Array.from({ length: steps }, (_, t) => {
    const from = start + t * stepMs;
    const days = Math.max(1, stepMs / DAY);
    for (let day = 0; day < days; day++) if (isHoliday(from + day * DAY)) return effect;
    return 0;
  });
}

function isHoliday(at: number): boolean {
  const date = new Date(at);
  return HOLIDAYS.some(([month, day]) => date.getUTCMonth() + 1 === month && date.getUTCDate() === day);
}

/** Noise of deviation `sigma`, each kind in its own way. Counts have theirs from being drawn. */
export function noiseOf(chance: Chance, kind: NoiseKind, steps: number, sigma: number): Float64Array {
  const noise = new Float64Array(steps);
  if (kind === 'counts') return noise;
  const kept = kind === 'autocorrelated' ? chance.between(0.3, 0.7) : 0;
  const freedom = chance.whole(3, 5);
  const turns = chance.between(1, 4);
  const swing = chance.between(0.4, 0.7);
  let last = chance.normal();
  for (let t = 0; t < steps; t++) {
    const fresh = kind === 'heavy' ? chance.heavy(freedom) : chance.normal();
    last = kept * last + Math.sqrt(1 - kept * kept) * fresh;
    const calm = 1 + swing * Math.sin((2 * Math.PI * turns * t) / steps);
    noise[t] = sigma * last * (kind === 'uneven' ? calm / Math.sqrt(1 + (swing * swing) / 2) : 1);
  }
  return noise;
}
