import { LONGEST_PERIOD } from '../../maths/forecasting/baselines/ets/index.js';
import type { TrainedModel } from '../../models/trained.js';

/** So many of the newest values are inputs of a file: some seasons, and no more than these. */
const NEWEST = { least: 32, seasons: 3, most: 256 };
/**
 * Numbers of the whole file, of one whose series have one input each, and values that are gone through to
 * find them, at most.
 */
const MOST = { numbers: 10_000_000, ofOne: 30_000_000, visits: 1_000_000_000 };
/**
 * Numbers of each step ahead beside the weights: its median and its deviation, and where a season may
 * multiply how far the slope reaches, twice and in twice as many bytes.
 */
const A_STEP = { all: 2, ets: 6 };
/** Numbers of a series whose season may multiply: of each figure of that, and of what else was fitted. */
const SMOOTHED = { aFigure: 4, beside: 28 };

/** How many of the newest values are inputs; none where one would be too much, or there is no series. */
export function inputsOf(
  windows: readonly Float64Array[],
  period: number,
  { horizon, algorithm }: Pick<TrainedModel, 'horizon' | 'algorithm'>,
): number {
  const shortest = windows.reduce((least, { length }) => Math.min(least, length), NEWEST.most);
  const wanted = Math.min(shortest, Math.max(NEWEST.least, NEWEST.seasons * period));
  const visits = windows.reduce((sum, { length }) => sum + length, 0);
  const isEts = algorithm === 'ets';
  const season = isEts && period <= LONGEST_PERIOD ? SMOOTHED.aFigure * period + SMOOTHED.beside : 0;
  const beside = (isEts ? A_STEP.ets : A_STEP.all) * horizon + season;
  const within = (numbers: number): number => (numbers / windows.length - beside) / (horizon + 1);
  if (windows.length === 0 || within(MOST.ofOne) < 1) return 0;
  return Math.max(1, Math.floor(Math.min(wanted, MOST.visits / visits, within(MOST.numbers))));
}
