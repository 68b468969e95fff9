import type { Fact } from '../../domain/fact.js';
import type { ActingEdge } from '../../domain/goals/ports.js';
import type { LiveGoal } from '../../domain/goals/state.js';
import { stepsAhead } from '../../domain/forecasts/target.js';
import { actingIn, effectsAt } from '../../domain/shocks/carried.js';
import { bandFactorAt, weightsAt } from '../../domain/shocks/blend.js';
import { shocks } from '../../domain/shocks/decider.js';
import { remainingIn, untilOf, type Episode } from '../../domain/shocks/episode.js';
import type { ShockFact, Weights } from '../../domain/shocks/facts.js';
import { evolve, type ShockState } from '../../domain/shocks/state.js';
import { judged, type Bars, type Happening, type Hindrance } from './qualifying.js';

/** What would become of a goal by an event. Times are epoch ms. */
export type Simulated = {
  readonly hindrance: Hindrance | null;
  readonly bar: number | null;
  readonly edgeId: string | null;
  /** When it would take effect: now, or once it happens. */
  readonly at: number;
  readonly before: Episode | null;
  /** As it would be then; null: the goal stays as it is. */
  readonly after: Episode | null;
  readonly until: number | null;
  readonly remaining: number | null;
  readonly weights: Weights | null;
  readonly bandFactor: number | null;
  /** What the causes would do at the steps that are forecast then, in units of the target. */
  readonly response: readonly { readonly time: number; readonly effect: number }[];
};

type Asked = {
  readonly workspace: string;
  readonly goalId: string;
  readonly goal: LiveGoal;
  readonly state: ShockState;
  /** Null: none of the stream acts on the goal. */
  readonly edge: ActingEdge | null;
  readonly event: Pick<Happening, 'stream' | 'importance' | 'occurredAt'>;
  readonly now: number;
};

/** The id of an event that is only thought of. */
const THOUGHT_OF = 'evt_simulated';

/** What an event would do that is recorded now; nothing is written. */
export async function simulated(bars: Bars, asked: Asked): Promise<Simulated> {
  const { workspace, goalId, goal, state, edge, event, now } = asked;
  const scheduled = event.occurredAt > now;
  const at = Math.max(now, event.occurredAt);
  const nothing = {
    ...{ edgeId: edge?.edgeId ?? null, at, before: state.episode, after: null, until: null },
    ...{ remaining: null, weights: null, bandFactor: null, response: [] },
  };
  if (!edge) return { ...nothing, hindrance: 'no_acting_edge', bar: null };
  const happening = {
    ...{ ...event, eventId: THOUGHT_OF, recordedAt: now, scheduled },
    ...{ impact: null, value: null },
  };
  const { hindrance, bar, cause } = await judged(bars, workspace, goal, state, edge, happening, at);
  if (hindrance !== null) return { ...nothing, hindrance, bar };
  const said = {
    workspace,
    goalId,
    now: at,
    episodeId: 'shk_simulated',
    cause: cause!,
    bar: bar!,
    scheduled,
  };
  const facts = shocks.decide({ type: 'NoteQualifying', data: said }, state);
  const after = facts.reduce((known, fact) => evolve(known, thought(fact, at)), state);
  const episode = after.episode!;
  const remaining = remainingIn(episode, at);
  const times = stepsAhead(goal.settings, at, goal.settings.horizon);
  const effects = effectsAt(goal.settings, times, actingIn(episode));
  return {
    ...nothing,
    ...{ hindrance, bar, after: episode, until: untilOf(episode), remaining },
    ...{ weights: weightsAt(after.blend, remaining), bandFactor: bandFactorAt(after.blend, remaining) },
    response: times.map((time, h) => ({ time, effect: effects[h]! })),
  };
}

/** Of a fact's envelope only the time counts. */
const thought = (fact: ShockFact, at: number): Fact<ShockFact> => ({ ...fact, at }) as Fact<ShockFact>;
