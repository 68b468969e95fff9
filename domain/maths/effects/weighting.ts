import type { EventSeen } from './question.js';
import type { Response, Weighing } from './answer.js';
import { shareAt } from './shapes.js';

type Figure = Exclude<Weighing['by'], 'none'>;
const FIGURES: readonly Figure[] = ['impact', 'value', 'importance'];
const MOST_WEIGHT = 3;
/** A figure that hardly differs between events scales nothing. */
const LEAST_VARIATION = 0.1;
/** Figures of fewer events, or of fewer than this share of them, are not looked at. */
const LEAST_SHARE = 0.6;

export type WeighedEvent = Pick<EventSeen, Figure>;

/**
 * The ways in which a stream's events may be weighed: alike, and by each figure that they have and that
 * varies.
 */
export function weighingsOf(events: readonly EventSeen[]): Weighing[] {
  const by = FIGURES.flatMap((figure): Weighing[] => {
    const known = events.flatMap(event => event[figure] ?? []);
    const size = meanOf(known.map(Math.abs));
    const middle = meanOf(known);
    if (known.length < LEAST_SHARE * events.length || !size || middle === null) return [];
    const spread = Math.sqrt(meanOf(known.map(x => ((x - middle) / size) ** 2))!);
    return spread < LEAST_VARIATION ? [] : [{ by: figure, mean: middle < 0 ? -size : size }];
  });
  return [{ by: 'none', mean: 1 }, ...by];
}

const meanOf = (values: readonly number[]): number | null =>
  values.length ? values.reduce((sum, x) => sum + x / values.length, 0) : null;

/** What an event weighs: its figure by the mean one, within -3 to 3; 1 without a figure. */
export function weightOf({ by, mean }: Weighing, event: WeighedEvent): number {
  const figure = by === 'none' ? null : event[by];
  if (figure === null) return 1;
  return Math.max(-MOST_WEIGHT, Math.min(MOST_WEIGHT, figure / mean));
}

/**
 * What an event adds to the target, in its unit, `offsetMs` after the start of the step it happens in; 0
 * before.
 */
export function effectAt(response: Response, event: WeighedEvent, offsetMs: number, stepMs: number): number {
  const steps = (seconds: number): number => (seconds * 1000) / stepMs;
  const shape = {
    delay: steps(response.delayS),
    rise: steps(response.peakS - response.delayS),
    halfLife: steps(response.halfLifeS),
    form: response.form,
  };
  return response.amplitude * weightOf(response.weighing, event) * shareAt(shape, offsetMs / stepMs);
}
