import { stepsIn } from '../forecasts/target.js';
import type { ActingEdge } from '../goals/ports.js';
import type { GoalSettings } from '../goals/settings.js';
import type { InferenceSeries } from '../inference/forecasting.js';
import { responseOf, together } from '../maths/effects/applied.js';
import { SECOND } from '../time.js';

/** An event that happened, as its edge weighs it. */
export type Carried = { readonly edgeId: string; readonly occurredAt: number; readonly weight: number };

/**
 * What events that happened did to the values of a series, and go on to do at the steps ahead, in units of
 * the target. The series is on steps of a fixed length, though days of a zone have 23 to 25 hours.
 */
export function effectsOfPast(
  steps: Pick<GoalSettings, 'stepS' | 'timezone'>,
  { start, values }: Pick<InferenceSeries, 'start' | 'values'>,
  times: readonly number[],
  past: readonly Carried[],
  edges: readonly ActingEdge[],
): { readonly before: readonly number[]; readonly ahead: readonly number[] } {
  const ms = steps.stepS * SECOND;
  const responses = new Map(edges.map(({ edgeId, curve }) => [edgeId, responseOf(curve)]));
  const acting = past.flatMap(({ edgeId, occurredAt, weight }) => {
    const response = responses.get(edgeId);
    return response ? [{ response, weight, at: stepsIn(steps).startOf(occurredAt) }] : [];
  });
  const onSteps = acting.map(one => ({ ...one, at: start + Math.round((one.at - start) / ms) * ms }));
  const passed = Array.from(values, (_, i) => start + i * ms);
  return { before: together(onSteps, passed), ahead: together(acting, times) };
}
