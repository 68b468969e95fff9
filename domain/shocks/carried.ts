import { evenedFrom, stepsIn } from '../forecasts/steps.js';
import type { ActingEdge } from '../goals/ports.js';
import type { GoalSettings } from '../goals/settings.js';
import type { InferenceSeries } from '../inference/forecasting.js';
import { responseOf, together, type Response } from '../maths/effects/applied.js';
import { SECOND } from '../time.js';
import type { Episode } from './episode.js';

/** An event that happened, as its edge weighs it. */
export type Carried = {
  /** Absent: it was not kept yet. */
  readonly eventId?: string;
  readonly edgeId: string;
  readonly occurredAt: number;
  readonly weight: number;
  /** Of the scores that say the weight; absent: none do, or it is not known. */
  readonly scorerVersion?: string;
};
/** An event that happened (epoch ms), and what it does. */
export type Acting = {
  readonly occurredAt: number;
  readonly weight: number;
  readonly response: Response;
};

/** Events that have a response, by the curves of their edges. */
export function actingBy(past: readonly Carried[], edges: readonly ActingEdge[]): readonly Acting[] {
  const responses = new Map(edges.map(({ edgeId, curve }) => [edgeId, responseOf(curve)]));
  return past.flatMap(({ edgeId, occurredAt, weight }) => {
    const response = responses.get(edgeId);
    return response ? [{ occurredAt, weight, response }] : [];
  });
}

/** The causes of a shock that have a response, and were not removed. */
export const actingIn = ({ causes }: Pick<Episode, 'causes'>): readonly Acting[] =>
  causes.flatMap(({ occurredAt, weight, response, removed }) =>
    response && removed === null ? [{ occurredAt, weight, response }] : [],
  );

type OnSteps = Pick<GoalSettings, 'stepS' | 'stepMonths' | 'timezone'>;

/** What events do at the steps of a forecast, in units of the target. */
export function effectsAt(steps: OnSteps, times: readonly number[], acting: readonly Acting[]): number[] {
  const evened = evenedFrom(steps, times[0]!);
  return together(
    acting.map(({ occurredAt, ...one }) => ({ ...one, at: evened(stepsIn(steps).startOf(occurredAt)) })),
    times.map(evened),
  );
}

/**
 * What events that happened did to the values of a series, in units of the target. The series is on steps of
 * a fixed length, though days of a zone have 23 to 25 hours, and months 28 to 31 days.
 */
export function effectsOn(
  steps: OnSteps,
  { start, values }: Pick<InferenceSeries, 'start' | 'values'>,
  acting: readonly Acting[],
): number[] {
  const ms = steps.stepS * SECOND;
  const onSteps = acting.map(({ occurredAt, ...one }) => {
    const at = stepsIn(steps).startOf(occurredAt);
    return { ...one, at: start + Math.round((at - start) / ms) * ms };
  });
  return together(
    onSteps,
    Array.from(values, (_, i) => start + i * ms),
  );
}
