import type { ActingEdge } from '../../domain/goals/ports.js';
import type { GoalState } from '../../domain/goals/state.js';
import { BAR_LOOKS_BACK, barOf, leastBarOf } from '../../domain/shocks/bar.js';
import { FADING } from '../../domain/shocks/episode.js';
import type { Cause } from '../../domain/shocks/facts.js';
import { isFreshFor } from '../../domain/shocks/occurrence.js';
import { responseOf } from '../../domain/maths/effects/applied.js';
import { remainingOf } from '../../domain/shocks/response.js';
import { barIn, type ShockState } from '../../domain/shocks/state.js';
import { weightOf, type EventFigures } from '../../domain/shocks/weighing.js';

export type Bars = {
  /**
   * Importance of the events of a stream that happen between two times (epoch ms, the second not included):
   * of the newest of them, some thousands at most.
   */
  readonly importances: (workspace: string, stream: string, from: number, to: number) => Promise<number[]>;
};

/** An event that has happened. `scheduled`: it was known before. Times are epoch ms. */
export type Happening = EventFigures & {
  readonly eventId: string;
  readonly stream: string;
  readonly importance: number;
  readonly occurredAt: number;
  readonly recordedAt: number;
  readonly scheduled: boolean;
};

export const HINDRANCES = [
  ...(['goal_not_active', 'shock_disabled', 'no_acting_edge', 'stale', 'faded', 'below_bar'] as const),
] as const;
/** What keeps an event from putting a goal into a shock. */
export type Hindrance = (typeof HINDRANCES)[number];
/** `bar`: of importance; null: it was not asked for. `cause` null: its edge has measured nothing. */
export type Judged = {
  readonly hindrance: Hindrance | null;
  readonly bar: number | null;
  readonly cause: Cause | null;
};

const causeOf = (edge: ActingEdge, event: Happening): Cause => ({
  ...{ eventId: event.eventId, stream: event.stream, edgeId: edge.edgeId },
  ...{ importance: event.importance, occurredAt: event.occurredAt },
  weight: weightOf(edge.weighing, event),
  ...{ response: responseOf(edge.curve), halfLifeS: edge.halfLifeS },
  ...(event.scorerVersion !== undefined && { scorerVersion: event.scorerVersion }),
});

/**
 * How important an event of a stream that happens at a moment must be for a shock of a goal; `given`: by the
 * goal's option.
 */
export async function barAt(
  { importances }: Bars,
  workspace: string,
  given: number | null,
  { episode, bars }: Pick<ShockState, 'episode' | 'bars'>,
  stream: string,
  at: number,
): Promise<number> {
  if (given !== null) return given;
  const learned = barIn(bars, stream);
  // During an episode the bar stands still: it is that of its beginning
  const first = episode?.causes[0];
  if (episode && first?.stream === stream) return Math.max(episode.bar, leastBarOf(null, learned));
  const until = Math.min(at, first?.occurredAt ?? Infinity);
  const before = await importances(workspace, stream, until - BAR_LOOKS_BACK, until);
  return barOf(null, before, learned);
}

/** Whether an event puts the goal of an edge into a shock (open-parts 14.2), and what that would rest on. */
export async function judged(
  bars: Bars,
  workspace: string,
  goal: GoalState,
  state: ShockState,
  edge: ActingEdge,
  event: Happening,
  now: number,
): Promise<Judged> {
  const cause = causeOf(edge, event);
  const none = (hindrance: Hindrance): Judged => ({ hindrance, bar: null, cause });
  if (goal.status !== 'active') return none('goal_not_active');
  const { options } = goal.settings;
  if (!options.shockEnabled) return none('shock_disabled');
  if (!cause.response && cause.halfLifeS === null) return { ...none('no_acting_edge'), cause: null };
  if (!event.scheduled && !isFreshFor(goal.settings, event)) return none('stale');
  if (remainingOf(cause, now) < FADING) return none('faded');
  const given = options.importanceBar;
  const least = leastBarOf(given, barIn(state.bars, event.stream));
  if (given !== null || event.importance < least)
    return { hindrance: event.importance < least ? 'below_bar' : null, bar: least, cause };
  const bar = await barAt(bars, workspace, given, state, event.stream, event.occurredAt);
  return { hindrance: event.importance < bar ? 'below_bar' : null, bar, cause };
}
