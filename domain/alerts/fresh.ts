import type { ActualStep } from '../forecasts/grading.js';
import type { GoalSettings } from '../goals/settings.js';
import { SECOND } from '../time.js';

/** What lies so many cadences behind the newest step is of the past. */
const PAST_AFTER = 3;
/** Of a long history that came at once the newest steps are checked. */
const MOST = 200;

/**
 * The steps that came just now and are no late ones, nor corrections of the past: in order of time. `known`:
 * all that came so far, in order of time.
 */
export function freshOf(
  came: readonly ActualStep[],
  known: readonly ActualStep[],
  { cadenceS, stepS }: Pick<GoalSettings, 'cadenceS' | 'stepS'>,
): readonly ActualStep[] {
  const times = new Set(came.map(({ time }) => time));
  const others = known.filter(({ time }) => !times.has(time));
  const newest = others.at(-1)?.time ?? -Infinity;
  const from = newest - PAST_AFTER * Math.max(cadenceS, stepS) * SECOND;
  return [...came]
    .filter(({ time }) => time >= from)
    .sort((a, b) => a.time - b.time)
    .slice(-MOST);
}
