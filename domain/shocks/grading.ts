import type { GoalActualsCame, GoalForecastIssued } from '../forecasts/facts.js';
import { mixed } from './blend.js';
import type { Blended, GradedStep, Losses, Weights } from './facts.js';

type Issued = GoalForecastIssued['data'];
type Came = Pick<GoalActualsCame['data']['steps'][number], 'time' | 'actual'>;

/**
 * How the parts of forecasts did that were made in one shock, at a step whose actual came; oldest first.
 * Null: none of them has the step.
 */
export function gradedStep({ time, actual }: Came, all: readonly Issued[]): GradedStep | null {
  const made = all.filter(({ shock, points }) => shock !== null && points.times.includes(time));
  const newest = made.at(-1);
  if (!newest) return null;
  return {
    ...{ time, actual },
    forecastIds: made.map(({ forecastId }) => forecastId),
    losses: made.map(issued => lossesOf(issued, time, actual)),
    newest: blendedOf(newest, time),
    earlier: made.slice(0, -1).map(issued => blendedOf(issued, time)),
    ...{ insideNormal: isInsideNormal(newest, time, actual), insideWidened: isInside(newest, time, actual) },
    outside: made.filter(issued => !isInside(issued, time, actual)).length,
  };
}

const blendedOf = (issued: Issued, time: number): Blended => ({
  ...partsOf(issued, time),
  remaining: issued.shock!.remaining,
});

function partsOf({ shock, points }: Issued, time: number): Weights {
  const { champion, generalist, response } = shock!.components;
  const h = points.times.indexOf(time);
  return { champion: champion[h]!, generalist: generalist[h]!, response: response[h]! };
}

function lossesOf(issued: Issued, time: number, actual: number): Losses {
  const parts = partsOf(issued, time);
  const lossOf = (value: number): number => Math.abs(value - actual);
  return {
    champion: lossOf(parts.champion),
    generalist: lossOf(parts.generalist),
    response: lossOf(parts.response),
    blend: lossOf(mixed(issued.shock!.weights, parts)),
  };
}

/** Lower end, middle and upper end of the 80% band at a step. */
const bandAt = ({ points }: Issued, h: number): readonly number[] =>
  [0.1, 0.5, 0.9].map(level => points.quantiles[points.levels.indexOf(level)]![h]!);

function isInside(issued: Issued, time: number, actual: number): boolean {
  const [low, , high] = bandAt(issued, issued.points.times.indexOf(time));
  return actual >= low! && actual <= high!;
}

/** The band of outside of a shock lies about the champion, and is narrower by the factor of the shock. */
function isInsideNormal(issued: Issued, time: number, actual: number): boolean {
  const h = issued.points.times.indexOf(time);
  const [low, middle, high] = bandAt(issued, h);
  const { components, bandFactors, bandFactor } = issued.shock!;
  const factor = bandFactors?.[h] ?? bandFactor;
  const champion = components.champion[h]!;
  return actual >= champion - (middle! - low!) / factor && actual <= champion + (high! - middle!) / factor;
}
