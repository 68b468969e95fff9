import type { Weighing } from '../goals/ports.js';
import { weightOf as weighed } from '../maths/effects/weighting.js';

/** What says how strong an event is; null: it is not known. */
export type EventFigures = {
  readonly impact: number | null;
  readonly importance: number | null;
  readonly value: number | null;
  /** Of the scorer that said impact and importance; absent: it is not known. */
  readonly scorerVersion?: string;
};

/** What an event weighs against the mean one of its stream, -3 to 3; 1 where nothing says it. */
export function weightOf(weighing: Weighing, { impact, importance, value }: EventFigures): number {
  const weight = weighed(weighing, { impact, importance, value });
  return Number.isFinite(weight) ? weight : 1;
}

/** The scorer that said what an event weighs; null: no score did, or it is not known which. */
export function scorerOf({ by }: Weighing, { scorerVersion, ...event }: EventFigures): string | null {
  const isScored = (by === 'impact' || by === 'importance') && event[by] !== null;
  return isScored ? (scorerVersion ?? null) : null;
}

/** Versions of scorers, as one text; null: there is none. */
export function scorersIn(all: readonly (string | null | undefined)[]): string | null {
  const known = [...new Set(all.flatMap(version => version ?? []))].sort();
  return known.length === 0 ? null : known.join(', ');
}
