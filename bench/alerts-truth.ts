import {
  crossingProbability,
  tiesByWidth,
  tiesOf,
  type Pair,
  type Steps,
} from '../domain/alerts/crossing.js';
import { seasonalNaive, theta } from '../domain/maths/forecasting/baselines/index.js';
import { LEVELS, stepOf, type QuantileForecast } from '../domain/maths/forecasting/quantiles.js';
import { normalQuantile } from '../domain/maths/statistics/distributions.js';
import { randomOf } from '../test/random.js';

// What alerts of the kind `forecast_threshold` say against what comes: simulated series, whose forecasts are
// either the true ones of their model or made by a method of the platform.

/** How errors of steps ahead go together: noise, autoregressions of order 1, a random walk. */
export const WORLDS = { noise: 0, 'AR 0.5': 0.5, 'AR 0.9': 0.9, 'random walk': 1 } as const;
export type World = keyof typeof WORLDS;
export const BY = ['truth', 'seasonal naive', 'theta'] as const;
export type By = (typeof BY)[number];
/** How the steps are put together: as alerts do it, by widths alone, as if independent, or the largest. */
export const WAYS = ['record', 'widths', 'independent', 'largest'] as const;
export type Way = (typeof WAYS)[number];

const PERIOD = 24;
const HISTORY = 240;
const HORIZON = 24;
const WITHIN = [1, 6, 24] as const;
/** The barrier lies so many deviations of the errors of the middle step from the median. */
const BARRIERS = [-1, 0, 0.5, 1, 1.5, 2, 2.5];
/** The newest pairs that count, as 30 days of actuals would. */
const PAIRS = 4_000;

type Said = { readonly probability: number; readonly came: boolean };
type Origin = { readonly steps: Steps; readonly actuals: readonly number[] };

/** A day's season and what the world adds to it, `length` values from one seed. */
function series(phi: number, length: number, seed: number): { values: Float64Array; errors: Float64Array } {
  const { next } = randomOf(seed);
  const values = new Float64Array(length);
  const errors = new Float64Array(length);
  let error = 0;
  for (let t = 0; t < length; t++) {
    error = phi * error + normalQuantile(Math.min(1 - 1e-12, Math.max(1e-12, next())));
    errors[t] = error;
    values[t] = season(t) + error;
  }
  return { values, errors };
}
const season = (t: number): number => 3 * Math.sin((2 * Math.PI * t) / PERIOD);

/** The forecast that knows the model: normal, with the deviation of the errors so far ahead. */
function trueSteps(phi: number, error: number, at: number): Steps {
  const mean = (h: number): number => season(at + h) + phi ** (h + 1) * error;
  const deviation = (h: number): number => {
    let variance = 0;
    for (let k = 0; k <= h; k++) variance += phi ** (2 * k);
    return Math.sqrt(variance);
  };
  const hours = Array.from({ length: HORIZON }, (_, h) => h);
  return {
    levels: LEVELS,
    quantiles: LEVELS.map(level => hours.map(h => mean(h) + normalQuantile(level) * deviation(h))),
  };
}

const stepsIn = (forecast: QuantileForecast): Steps => ({
  levels: LEVELS,
  quantiles: LEVELS.map((_, k) =>
    Array.from({ length: forecast.horizon }, (_, h) => stepOf(forecast, h)[k]!),
  ),
});

function origins(world: World, by: By, count: number, seed: number): Origin[] {
  const phi = WORLDS[world];
  const length = HISTORY + count * HORIZON;
  const { values, errors } = series(phi, length, seed);
  return Array.from({ length: count }, (_, i) => {
    const at = HISTORY + i * HORIZON;
    const history = values.subarray(at - HISTORY, at);
    const steps =
      by === 'truth'
        ? trueSteps(phi, errors[at - 1]!, at)
        : stepsIn((by === 'theta' ? theta : seasonalNaive)(history, PERIOD, HORIZON));
    return { steps, actuals: [...values.subarray(at, at + HORIZON)] };
  });
}

const MIDDLE = LEVELS.indexOf(0.5);
const at = (steps: Steps, k: number, h: number): number => steps.quantiles[k]![h]!;
const scoreOf = ({ steps, actuals }: Origin, h: number): number => {
  const [middle, actual] = [at(steps, MIDDLE, h), actuals[h]!];
  const half = Math.abs(at(steps, actual > middle ? LEVELS.length - 1 : 0, h) - middle);
  return half > 0 ? (actual - middle) / half : 0;
};
const pairsOf = (origin: Origin): Pair[] =>
  Array.from({ length: HORIZON - 1 }, (_, h) => ({
    ...{ lead: h + 2, before: scoreOf(origin, h), error: scoreOf(origin, h + 1) },
  }));

function probabilityBy(way: Way, steps: Steps, asked: Asked, pairs: readonly Pair[]): number {
  if (way === 'record') return crossingProbability(steps, asked, tiesOf(steps, pairs));
  if (way === 'widths') return crossingProbability(steps, asked, tiesByWidth(steps));
  const alone = Array.from({ length: asked.withinSteps }, (_, h) =>
    crossingProbability(oneStep(steps, h), { ...asked, withinSteps: 1 }, []),
  );
  return way === 'largest' ? Math.max(...alone) : 1 - alone.reduce((none, p) => none * (1 - p), 1);
}
type Asked = { readonly value: number; readonly direction: 'above' | 'below'; readonly withinSteps: number };
const oneStep = ({ levels, quantiles }: Steps, h: number): Steps => ({
  ...{ levels, quantiles: quantiles.map(column => [column[h]!]) },
});

/** What is said of `count` forecasts of one world, in turns of what is asked, and what came. */
export function said(world: World, by: By, way: Way, count: number, seed: number): Said[] {
  const pairs: Pair[] = [];
  return origins(world, by, count, seed).flatMap((origin, i) => {
    const { steps, actuals } = origin;
    const all = BARRIERS.map((barrier, b): Said => {
      const withinSteps = WITHIN[(i + b) % WITHIN.length]!;
      const direction = (i + b) % 2 === 0 ? 'above' : 'below';
      const h = Math.floor(withinSteps / 2);
      const half = (at(steps, LEVELS.length - 1, h) - at(steps, 0, h)) / 2 / normalQuantile(0.9);
      const value = at(steps, MIDDLE, h) + (direction === 'above' ? 1 : -1) * barrier * half;
      const asked = { value, direction, withinSteps } as const;
      const isBeyond = (x: number): boolean => (direction === 'above' ? x > value : x < value);
      return {
        probability: probabilityBy(way, steps, asked, pairs),
        came: actuals.slice(0, withinSteps).some(isBeyond),
      };
    });
    pairs.push(...pairsOf(origin));
    pairs.splice(0, pairs.length - PAIRS);
    return all;
  });
}

/** What was said within a tenth, and the share of it that came, with how often it was said. */
export type Bin = { readonly said: number; readonly came: number; readonly n: number };
const BINS = 10;
export function binned(all: readonly Said[]): Bin[] {
  const bins = Array.from({ length: BINS }, () => ({ said: 0, came: 0, n: 0 }));
  for (const { probability, came } of all) {
    const bin = bins[Math.min(BINS - 1, Math.floor(probability * BINS))]!;
    bin.said += probability;
    bin.came += Number(came);
    bin.n++;
  }
  return bins.map(({ said: sum, came, n }) => ({ said: sum / n, came: came / n, n }));
}

/**
 * By how many points the share that came is off what was said, in the tenth that is worst; of those that were
 * said so often. `errors`: so many standard errors of that share are taken off.
 */
export const worstOf = (bins: readonly Bin[], least: number, errors = 0): number =>
  100
  * Math.max(
    ...bins
      .filter(({ n }) => n >= least)
      .map(({ said: p, came, n }) => Math.abs(p - came) - errors * Math.sqrt((p * (1 - p)) / n)),
  );

/** The same on average, each tenth by how often it was said. */
export function meanOf(bins: readonly Bin[]): number {
  const filled = bins.filter(({ n }) => n > 0);
  const total = filled.reduce((sum, { n }) => sum + n, 0);
  return (100 * filled.reduce((sum, bin) => sum + bin.n * Math.abs(bin.said - bin.came), 0)) / total;
}
