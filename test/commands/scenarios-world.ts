import { imagine, type ImaginingDeps } from '../../commands/scenarios/imagining.js';
import type { EventThen } from '../../commands/scenarios/events-known.js';
import type { GoalForecastIssued } from '../../domain/forecasts/facts.js';
import type { AppliedEvent } from '../../domain/inference/moves.js';
import type { ActingEdge } from '../../domain/goals/ports.js';
import type { InferenceSeries, SeriesForecasted } from '../../domain/inference/forecasting.js';
import { Rejected } from '../../domain/rejected.js';
import type { Assumption } from '../../domain/scenarios/assumptions.js';
import { randomOf } from '../random.js';

export const HOUR = 3_600_000;
export const LENGTH = 200;
export const HORIZON = 12;
/** The first step ahead. */
export const AHEAD = LENGTH * HOUR;
const random = randomOf(3);
const price = Float64Array.from({ length: LENGTH }, () => 10 + random.next());
/** Follows the price two steps later. */
const sales = price.map((_, t) => 100 - (t >= 2 ? 3 * price[t - 2]! : 0) + random.next() / 10);

const seriesOf = (id: string, values: Float64Array): InferenceSeries => ({
  ...{ id, start: 0, step: { ms: HOUR, months: 0 }, values, period: null, covariates: {} },
});
const signals: Readonly<Record<string, Float64Array>> = { sales, price, idle: price.slice() };
const levels = [0.1, 0.5, 0.9];

/** The newest value goes on, in a band of 2. */
const goesOn = (series: InferenceSeries, horizon: number): SeriesForecasted => {
  const last = series.values.at(-1)!;
  const column = (value: number) => new Float64Array(horizon).fill(value);
  return {
    ...{ id: series.id, times: column(0), mean: column(last), period: 1, lookbackUsed: 1, filledPoints: 0 },
    quantiles: levels.map(level => ({ level, values: column(last + (level - 0.5) * 5) })),
    calibration: { method: 'model', level: 0.8, coverageRecent: null, n: 0, widenedBy: 1 },
    ...{ explanation: null, warnings: [] },
  };
};

const effects = [4, 2, 1];
const common = { goalId: 'goa_1', status: 'validated', lift: 0.2, direction: 'positive' } as const;
export const edges: readonly ActingEdge[] = [
  {
    ...{ ...common, edgeId: 'edg_price', kind: 'signal', sourceKey: 'price', curve: null },
    ...{
      response: null,
      halfLifeS: null,
      optimalLagS: 7_200,
      knownInAdvance: false,
      weighing: { by: 'none', mean: 1 },
    },
  },
  {
    ...{ ...common, edgeId: 'edg_news', kind: 'event_stream', sourceKey: 'news', response: null },
    ...{ halfLifeS: 3_600, optimalLagS: 0, knownInAdvance: false, weighing: { by: 'importance', mean: 0.5 } },
    curve: {
      ...{ stepS: 3_600, scale: 1, preTrendP: 0.5 },
      points: effects.map((effect, i) => ({
        ...{ offsetS: i * 3_600, effect, mean: effect, lower: effect, upper: effect, n: 20 },
      })),
    },
  },
];
const applied = (eventId: string, at: number, weight: number): AppliedEvent => ({
  ...{ eventId, stream: 'news', occurredAt: AHEAD + at * HOUR, edgeId: 'edg_news' },
  ...{ offsetS: at * 3_600, weight, effectPeak: 4 * weight },
});
const known: Readonly<Record<string, EventThen>> = {
  evt_1: { stream: 'news', occurredAt: AHEAD + 3 * HOUR, importance: 0.5, impact: 0, value: null },
  evt_twin: { stream: 'news', occurredAt: AHEAD - HOUR, importance: 0.5, impact: 0, value: null },
  evt_past: { stream: 'news', occurredAt: AHEAD - HOUR, importance: 0.5, impact: 0, value: null },
  evt_unscored: { stream: 'news', occurredAt: AHEAD - HOUR, importance: null, impact: null, value: null },
  evt_over: { stream: 'news', occurredAt: AHEAD - 50 * HOUR, importance: 1.5, impact: 0, value: null },
  evt_far: { stream: 'news', occurredAt: AHEAD + 99 * HOUR, importance: 1, impact: 0, value: null },
};

/** As it was given out: the newest value goes on, and one event moves it. */
const times = Array.from({ length: HORIZON }, (_, h) => AHEAD + h * HOUR);
const middle = times.map((_, h) => sales.at(-1)! + (effects[h - 3] ?? 0));
export const issued = {
  ...{ goalId: 'goa_1', forecastId: 'fct_1', asOf: AHEAD, horizon: HORIZON, stepS: 3_600, period: 1 },
  points: {
    ...{ times, mean: middle, levels },
    quantiles: levels.map(level => middle.map(value => value + (level - 0.5) * 10)),
  },
  asked: levels,
  ...{ read: { key: 'sales' }, model: { kind: 'local', method: 'naive' } },
  appliedEvents: [applied('evt_1', 3, 1)],
} as unknown as GoalForecastIssued['data'];

/** What a run asks for. */
export const ports: ImaginingDeps = {
  async targetOf(_, { target }) {
    const values = signals[target];
    if (!values) throw new Rejected('missing', 'not_found', `There is no signal '${target}'`);
    return { series: seriesOf(target, values) } as never;
  },
  forecastBy: async (_, __, all, wanted) => all.map(one => goesOn(one, wanted.horizon)),
  edges: async () => edges,
  events: {
    event: async (_, eventId) => known[eventId] ?? null,
    stream: async (_, key) =>
      key === 'quiet' || key === 'news'
        ? { value: null, importance: { low: 0.2, high: 0.8 }, impact: { low: -1, high: 1 } }
        : null,
  },
};

/** What would be of that forecast. */
export const imagined = (
  assumptions: readonly Assumption[],
  horizon = HORIZON,
  base = issued,
  of: Partial<ImaginingDeps> = {},
) =>
  imagine(
    { ...ports, ...of },
    { workspace: 'w', issued: base, horizon, timezone: 'UTC' },
    assumptions,
    AbortSignal.timeout(60_000),
  );
