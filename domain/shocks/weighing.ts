import type { Weighing } from '../goals/ports.js';
import { weightOf as weighed } from '../maths/effects/weighting.js';

/** What says how strong an event is; null: it is not known. */
export type EventFigures = {
  readonly impact: number | null;
  readonly importance: number | null;
  readonly value: number | null;
};

/** What an event weighs against the mean one of its stream, -3 to 3; 1 where nothing says it. */
export function weightOf(weighing: Weighing, { impact, importance, value }: EventFigures): number {
  const weight = weighed(weighing, { impact, importance, value });
  return Number.isFinite(weight) ? weight : 1;
}
