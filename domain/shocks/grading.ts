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
    ...insideOf(newest, time, actual),
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

/** The band of outside of a shock lies about the champion, and is narrower by the factor of the shock. */
function insideOf({ points, shock }: Issued, time: number, actual: number) {
  const h = points.times.indexOf(time);
  const at = (level: number): number => points.quantiles[points.levels.indexOf(level)]![h]!;
  const middle = at(0.5);
  const isWithin = (about: number, factor: number): boolean =>
    actual >= about - (middle - at(0.1)) / factor && actual <= about + (at(0.9) - middle) / factor;
  return {
    insideNormal: isWithin(shock!.components.champion[h]!, shock!.bandFactors?.[h] ?? shock!.bandFactor),
    insideWidened: isWithin(middle, 1),
  };
}
