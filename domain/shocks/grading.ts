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

/** Distances of the 80% band's ends from its middle at a step. */
function bandOf({ points }: Issued, h: number) {
  const at = (level: number): number => points.quantiles[points.levels.indexOf(level)]![h]!;
  return { middle: at(0.5), below: at(0.5) - at(0.1), above: at(0.9) - at(0.5) };
}

function isInside(issued: Issued, time: number, actual: number): boolean {
  const { middle, below, above } = bandOf(issued, issued.points.times.indexOf(time));
  return actual >= middle - below && actual <= middle + above;
}

/** The band of outside of a shock lies about the champion, and is narrower by the factor of the shock. */
function isInsideNormal(issued: Issued, time: number, actual: number): boolean {
  const h = issued.points.times.indexOf(time);
  const { below, above } = bandOf(issued, h);
  const shock = issued.shock!;
  const factor = shock.bandFactors?.[h] ?? shock.bandFactor;
  const champion = shock.components.champion[h]!;
  return actual >= champion - below / factor && actual <= champion + above / factor;
}
