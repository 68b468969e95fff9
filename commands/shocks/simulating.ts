import type { Fact } from '../../domain/fact.js';
import type { ActingEdge, TargetOf } from '../../domain/goals/ports.js';
import type { GoalSettings } from '../../domain/goals/settings.js';
import type { LiveGoal } from '../../domain/goals/state.js';
import { stepsAhead, stepsIn } from '../../domain/forecasts/steps.js';
import { Rejected } from '../../domain/rejected.js';
import { actingIn, effectsAt } from '../../domain/shocks/carried.js';
import type { Blend } from '../../domain/shocks/blend.js';
import { shocks } from '../../domain/shocks/decider.js';
import type { Episode } from '../../domain/shocks/episode.js';
import type { ShockFact } from '../../domain/shocks/facts.js';
import { evolve, fadedBy, type ShockState } from '../../domain/shocks/state.js';
import { SECOND } from '../../domain/time.js';
import { judged, type Bars, type Happening, type Hindrance } from './qualifying.js';

/** What would become of a goal by an event. Times are epoch ms. */
export type Simulated = {
  readonly hindrance: Hindrance | null;
  readonly bar: number | null;
  readonly edgeId: string | null;
  /** When it would take effect: now, or once it happens. */
  readonly at: number;
  /** As it is then. */
  readonly before: Episode | null;
  /** As it would be then; null: the goal stays as it is. */
  readonly after: Episode | null;
  /** How forecasts are blended then. */
  readonly blend: Blend;
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

export type SimulatingDeps = Bars & { readonly targetOf: TargetOf };

/** The id of an event that is only thought of. */
const THOUGHT_OF = 'evt_simulated';

/** What an event would do that is recorded now; nothing is written. */
export async function simulated(deps: SimulatingDeps, asked: Asked): Promise<Simulated> {
  const { workspace, goalId, goal, edge, event, now } = asked;
  const scheduled = event.occurredAt > now;
  const at = Math.max(now, event.occurredAt);
  const state = scheduled ? fadedBy(asked.state, at) : asked.state;
  const nothing = {
    ...{ edgeId: edge?.edgeId ?? null, at, before: state.episode, after: null },
    ...{ blend: state.blend, response: [] },
  };
  if (!edge) return { ...nothing, hindrance: 'no_acting_edge', bar: null };
  const happening = {
    ...{ ...event, eventId: THOUGHT_OF, recordedAt: now, scheduled },
    ...{ impact: null, value: null },
  };
  const { hindrance, bar, cause } = await judged(deps, workspace, goal, state, edge, happening, at);
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
  const times = forecastAt(goal.settings, await cutoffOf(deps, workspace, goal.settings), now, at);
  const effects = effectsAt(goal.settings, times, actingIn(episode));
  return {
    ...nothing,
    ...{ hindrance, bar, after: episode, blend: after.blend },
    response: times.map((time, h) => ({ time, effect: effects[h]! })),
  };
}

type OnSteps = Pick<GoalSettings, 'stepS' | 'stepMonths' | 'timezone' | 'horizon'>;
/**
 * The steps of a forecast that is made at a time, if its target's newest value (of the time `cutoff`, null:
 * not known) is as far behind then as it is now. Times are epoch ms.
 */
function forecastAt(target: OnSteps, cutoff: number | null, now: number, at: number): number[] {
  const steps = stepsIn(target);
  const behind = cutoff === null ? 1 : steps.count(steps.startOf(cutoff), steps.startOf(now));
  // The middle of a step: days of a zone have 23 to 25 hours
  return stepsAhead(target, steps.startOf(at) - (behind - 0.5) * target.stepS * SECOND, target.horizon);
}

/** So many of the newest steps say whether a step of the target holds several points. */
const NEWEST_STEPS = 50;

/** Time of the newest value that a forecast would read, epoch ms; null: there is none. */
async function cutoffOf(
  { targetOf }: SimulatingDeps,
  workspace: string,
  settings: GoalSettings,
): Promise<number | null> {
  try {
    return (await targetOf(workspace, settings, { asOf: null, most: NEWEST_STEPS })).cutoff;
  } catch (error) {
    const isAbsent = error instanceof Rejected && ['missing', 'unprocessable'].includes(error.kind);
    if (isAbsent) return null;
    throw error;
  }
}

/** Of a fact's envelope only the time counts. */
const thought = (fact: ShockFact, at: number): Fact<ShockFact> => ({ ...fact, at }) as Fact<ShockFact>;
