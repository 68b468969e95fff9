import type { ActualStep } from '../forecasts/grading.js';
import type { GoalSettings } from '../goals/settings.js';
import { SECOND } from '../time.js';

/** What lies so many cadences behind the newest step is of the past. */
const PAST_AFTER = 3;
/** Of a long history that came at once the newest steps are checked. */
const MOST = 200;

type Cadence = Pick<GoalSettings, 'cadenceS' | 'stepS'>;
const reach = ({ cadenceS, stepS }: Cadence): number => PAST_AFTER * Math.max(cadenceS, stepS) * SECOND;
const newestOf = (came: readonly ActualStep[]): readonly ActualStep[] =>
  [...came].sort((a, b) => a.time - b.time).slice(-MOST);

/** From when on it must be known what came so far, so that it says which steps are fresh; epoch ms. */
export const knownFrom = (came: readonly ActualStep[], cadence: Cadence): number =>
  (newestOf(came)[0]?.time ?? Infinity) - reach(cadence);

/**
 * The steps that came just now and are no late ones, nor corrections of the past: in order of time. `known`:
 * what came so far since `knownFrom`, in order of time.
 */
export function freshOf(
  came: readonly ActualStep[],
  known: readonly ActualStep[],
  cadence: Cadence,
): readonly ActualStep[] {
  const times = new Set(came.map(({ time }) => time));
  const others = known.filter(({ time }) => !times.has(time));
  const newest = others.at(-1)?.time ?? -Infinity;
  return newestOf(came).filter(({ time }) => time >= newest - reach(cadence));
}
