import type { Context } from '../../commands/engine/handle.js';
import type { Issuing } from '../../commands/forecasts/issuing.js';
import { forecastOnce } from '../../commands/forecasts/records.js';
import type { GoalCommands } from '../../commands/goals/records.js';
import { judged, type Bars, type Happening, type Hindrance } from '../../commands/shocks/qualifying.js';
import { episodeIdOf, type ShockCommands } from '../../commands/shocks/records.js';
import { eventJournalId } from '../../domain/events/decider.js';
import type { EventCameDue, EventScored } from '../../domain/events/facts.js';
import { withoutWords } from '../../domain/events/scoring.js';
import type { Fact } from '../../domain/fact.js';
import type { ActingEdge } from '../../domain/goals/ports.js';
import { Rejected } from '../../domain/rejected.js';
import type { EffectAction } from '../../domain/shocks/effects.js';
import { happenedBy, occurrences, type Happened } from '../../domain/shocks/occurrence.js';
import { causeKey } from '../../domain/shocks/state.js';
import { ReadModelsBehind } from '../engine/failures.js';
import type { Reactor, ReactorDeps } from '../engine/reactor.js';
import { drivenBy, type Driven, type DrivenDeps } from './driven.js';

type Deps = Bars &
  DrivenDeps & {
    readonly goals: Pick<GoalCommands, 'state'>;
    readonly shocks: Pick<ShockCommands, 'state' | 'qualify' | 'noteEffect'>;
    readonly issuing: Pick<Issuing, 'issue'>;
    readonly isArchived: (workspace: string) => boolean | Promise<boolean>;
    /** A workspace has published something. */
    readonly published: (workspace: string) => void;
    /** Resolves true when the read models of edges, events and listings hold the fact at a position. */
    readonly caughtUp: (position: number) => Promise<boolean>;
  };

/**
 * Puts goals into shocks: an event that is scored fresh, or one known before whose time has come, and issues
 * their forecasts at once; goals of the workspace, then those of subscribers. Each event does once, whatever
 * is begun again: the decider knows it, and the id of the forecast follows from it.
 */
export function shockEntry(deps: Deps): Reactor {
  const answer = async (
    fact: Fact<EventScored | EventCameDue>,
    context: Context,
    { load }: ReactorDeps,
  ): Promise<void> => {
    const workspace = fact.meta.workspace!;
    const { eventId, key } = fact.data;
    if (!(await deps.caughtUp(fact.position)))
      throw new ReadModelsBehind(`the read models do not hold ${fact.position} yet`);
    // Most streams drive no goal: no more is read of their events
    const driven = await drivenBy(deps, workspace, key);
    if (driven.length === 0) return;
    const happened = happenedBy(fact, await load(occurrences, eventJournalId(workspace, eventId)));
    if (!happened) return;
    const failures: unknown[] = [];
    for (const place of driven) {
      const event = happeningOf(eventId, place, happened, place.workspace === workspace);
      const within = { ...context, workspace: place.workspace };
      await strike(deps, place, event, within).catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
  };
  const on: Reactor['on'] = {
    ...{ EventScored: answer, EventCameDue: answer },
    ListingPublished: async ({ meta }: Fact) => deps.published(meta.workspace!),
  };
  return { name: 'shock-entry', concurrency: 8, on };
}

/** What comes of an event for the goals of one workspace. */
async function strike(
  deps: Deps,
  { workspace, acting }: Driven,
  event: Happening,
  context: Context,
): Promise<void> {
  if (await deps.isArchived(workspace)) return;
  const { eventId, occurredAt } = event;
  const begun: string[] = [];
  for (const edge of acting) {
    const { isCause, action, reason } = await enter(deps, workspace, edge, event, context);
    if (isCause) begun.push(edge.goalId);
    const effect = { eventId, goalId: edge.goalId, edgeId: edge.edgeId, occurredAt, action, reason };
    await deps.shocks.noteEffect(workspace, effect, context);
  }
  const wanted = begun.map(goalId => ({
    ...{ goalId, forecastId: forecastOnce(workspace, goalId, `shock ${causeKey(event)}`) },
    ...({ trigger: 'shock', dueAt: null } as const),
  }));
  const issued = await deps.issuing.issue(workspace, wanted, context, new AbortController().signal);
  // What can be mended by nobody but people waits for the next beat
  for (const one of issued) if (one.status === 'failed' && !isFinal(one.error)) throw one.error;
}

const isFinal = (error: unknown): boolean => error instanceof Rejected && error.kind !== 'unavailable';

function happeningOf(
  eventId: string,
  { stream }: Driven,
  { occurrence, scheduled }: Happened,
  isOwn: boolean,
): Happening {
  const { occurredAt, recordedAt, value, scores, scorerVersion: version } = occurrence;
  const { importance, impact } = scores;
  return {
    ...{ eventId, stream, occurredAt, recordedAt, scheduled, value, importance, impact },
    ...(version !== undefined && { scorerVersion: isOwn ? version : withoutWords(version) }),
  };
}

/** What comes of an event for a goal. `isCause`: of a shock that is not over, from now on or already. */
type Effect = { readonly isCause: boolean; readonly action: EffectAction; readonly reason: string };

async function enter(
  deps: Deps,
  workspace: string,
  edge: ActingEdge,
  event: Happening,
  context: Context,
): Promise<Effect> {
  const of = { workspace, goalId: edge.goalId };
  const goal = await deps.goals.state(of);
  const state = await deps.shocks.state(of);
  if (state.known.includes(causeKey(event))) return { ...SHOCK, isCause: state.episode !== null };
  const { hindrance, bar, cause } = await judged(deps, workspace, goal, state, edge, event, context.at);
  if (hindrance !== null) return { isCause: false, ...HINDERED[hindrance] };
  const said = {
    ...{ episodeId: episodeIdOf(of.goalId, event), cause: cause!, bar: bar! },
    scheduled: event.scheduled,
  };
  const { facts } = await deps.shocks.qualify(of, said, context);
  return facts.length > 0 ? SHOCK : { isCause: false, ...HINDERED.faded };
}

const SHOCK: Effect = {
  isCause: true,
  action: 'shock',
  reason: 'Its importance reached the bar of the goal',
};
/** Features of segments follow every event; history is revised where it came late. */
const HINDERED: Readonly<Record<Hindrance, Omit<Effect, 'isCause'>>> = {
  goal_not_active: { action: 'none', reason: 'The goal is not active' },
  no_acting_edge: { action: 'none', reason: 'Nothing is known of what its stream does to the goal' },
  shock_disabled: { action: 'feature_refresh', reason: 'The goal has shocks switched off' },
  below_bar: { action: 'feature_refresh', reason: 'Its importance is below the bar of the goal' },
  faded: { action: 'feature_refresh', reason: 'Most of its response was over when it became known' },
  stale: {
    action: 'history_revision',
    reason: 'It was recorded more than two cadences of the goal after it happened',
  },
};
