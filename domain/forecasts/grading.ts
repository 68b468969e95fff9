import type { GoalMetric } from '../goals/settings.js';
import { gradeOf } from '../inference/grade.js';
import { normalQuantile } from '../maths/statistics/distributions.js';
import type { GoalActualsCame, GoalForecastIssued } from './facts.js';

type Issued = GoalForecastIssued['data'];
export type ActualStep = GoalActualsCame['data']['steps'][number];

/** Bands of no width: what lies beside them is so far out. */
const FAR = 100;

/** The pinball loss of a quantile. */
const pinball = (level: number, quantile: number, actual: number): number =>
  Math.max(level * (actual - quantile), (level - 1) * (actual - quantile));
const meanOf = (numbers: readonly number[]): number =>
  numbers.reduce((sum, x) => sum + x, 0) / numbers.length;

/** Of more forecasts of one step so many are graded there, evenly chosen in the order of their issue. */
const MOST_A_STEP = 64;
const chosen = <T>(all: readonly T[]): readonly T[] =>
  all.length <= MOST_A_STEP
    ? all
    : Array.from({ length: MOST_A_STEP }, (_, i) => all[Math.floor((i * all.length) / MOST_A_STEP)]!);

/** How forecasts that waited for a step did, in the order of their issue. */
export function gradedStep(time: number, actual: number, all: readonly Issued[]): ActualStep {
  const waiting = chosen(all);
  const places = waiting.map(({ points }) => points.times.indexOf(time));
  const each = <T>(of: (issued: Issued, step: number) => T): T[] =>
    waiting.map((issued, i) => of(issued, places[i]!));
  return {
    ...{ time, actual },
    forecastIds: waiting.map(({ forecastId }) => forecastId),
    leads: places.map(place => place + 1),
    losses: each(({ points: { levels, quantiles } }, step) =>
      meanOf(levels.map((level, k) => pinball(level, quantiles[k]![step]!, actual))),
    ),
    naiveLosses: each(({ points: { levels }, naive: { mean, deviation } }, step) =>
      meanOf(
        levels.map(level => pinball(level, mean[step]! + normalQuantile(level) * deviation[step]!, actual)),
      ),
    ),
    errors: each(({ points: { mean } }, step) => mean[step]! - actual),
    scores: each((issued, step) => scoreOf(issued, step, actual)),
  };
}

/** Distance from the median in half-widths of the 80% band, of the side that the actual lies on. */
function scoreOf({ points: { levels, quantiles } }: Issued, step: number, actual: number): number {
  const at = (level: number): number => quantiles[levels.indexOf(level)]![step]!;
  const middle = at(0.5);
  if (actual === middle) return 0;
  const half = actual > middle ? at(0.9) - middle : middle - at(0.1);
  const score = half > 0 ? (actual - middle) / half : Infinity * Math.sign(actual - middle);
  return Math.max(-FAR, Math.min(FAR, score));
}

/** `value`: in the goal's metric; `coverage`: of the 80% band. */
export type ForecastGrade = {
  readonly metric: GoalMetric;
  readonly value: number | null;
  readonly coverage: number | null;
  readonly graded_steps: number;
};

/** How good a forecast was, by the actuals of its steps so far (null where none came); null: none came. */
export function gradeOfIssued(
  { points, scales }: Pick<Issued, 'points' | 'scales'>,
  actuals: readonly (number | null)[],
  metric: GoalMetric,
): ForecastGrade | null {
  const { n, crps, coverage80, ...grade } = gradeOf(
    {
      mean: Float64Array.from(points.mean),
      quantiles: points.levels.map((level, k) => ({
        level,
        values: Float64Array.from(points.quantiles[k]!),
      })),
    },
    Float64Array.from(actuals, actual => actual ?? NaN),
    { seasonal: scales.seasonal ?? NaN, squaredChange: scales.squaredChange ?? NaN },
  );
  if (n === 0) return null;
  const values = { ...grade, crps, pinball: crps === null ? null : crps / 2 };
  return { metric, value: values[metric], coverage: coverage80, graded_steps: n };
}
