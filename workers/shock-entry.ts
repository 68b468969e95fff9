import type { Context } from '../commands/engine/handle.js';
import type { Issuing } from '../commands/forecasts/issuing.js';
import { forecastOnce } from '../commands/forecasts/records.js';
import type { GoalCommands } from '../commands/goals/records.js';
import { judged, type Bars, type Happening } from '../commands/shocks/qualifying.js';
import { episodeIdOf, type ShockCommands } from '../commands/shocks/records.js';
import { eventJournalId } from '../domain/events/decider.js';
import type { EventCameDue, EventScored } from '../domain/events/facts.js';
import type { Fact } from '../domain/fact.js';
import type { ActingEdge, ActingEdges } from '../domain/goals/ports.js';
import { Rejected } from '../domain/rejected.js';
import { happenedBy, occurrences, type Happened } from '../domain/shocks/occurrence.js';
import { causeKey } from '../domain/shocks/state.js';
import type { Reactor, ReactorDeps } from './engine/reactor.js';

type Deps = Bars & {
  readonly edges: Pick<ActingEdges, 'ofSource'>;
  readonly goals: Pick<GoalCommands, 'state'>;
  readonly shocks: Pick<ShockCommands, 'state' | 'qualify'>;
  readonly issuing: Pick<Issuing, 'issue'>;
  readonly isArchived: (workspace: string) => boolean | Promise<boolean>;
};

/**
 * Puts goals into shocks: an event that is scored fresh, or one known before whose time has come, and issues
 * their forecasts at once. Each event does once, whatever is begun again: the decider knows it, and the id of
 * the forecast follows from it.
 */
export function shockEntry(deps: Deps): Reactor {
  const { edges, issuing, isArchived } = deps;
  const answer = async (
    fact: Fact<EventScored | EventCameDue>,
    context: Context,
    { load }: ReactorDeps,
  ): Promise<void> => {
    const workspace = fact.meta.workspace!;
    const { eventId, key } = fact.data;
    // Most streams drive no goal: no more is read of their events
    const acting = (await edges.ofSource(workspace, key)).filter(({ kind }) => kind === 'event_stream');
    if (acting.length === 0) return;
    const happened = happenedBy(fact, await load(occurrences, eventJournalId(workspace, eventId)));
    if (!happened || (await isArchived(workspace))) return;
    const event = happeningOf(eventId, key, happened);
    const begun: string[] = [];
    for (const edge of acting)
      if (await enter(deps, workspace, edge, event, context)) begun.push(edge.goalId);
    const wanted = begun.map(goalId => ({
      ...{ goalId, forecastId: forecastOnce(workspace, goalId, `shock ${causeKey(event)}`) },
      ...({ trigger: 'shock', dueAt: null } as const),
    }));
    const issued = await issuing.issue(workspace, wanted, context, new AbortController().signal);
    // What can be mended by nobody but people waits for the next beat
    for (const one of issued) if (one.status === 'failed' && !isFinal(one.error)) throw one.error;
  };
  return { name: 'shock-entry', concurrency: 8, on: { EventScored: answer, EventCameDue: answer } };
}

const isFinal = (error: unknown): boolean => error instanceof Rejected && error.kind !== 'unavailable';

const happeningOf = (eventId: string, stream: string, { occurrence, scheduled }: Happened): Happening => {
  const { occurredAt, recordedAt, value, scores } = occurrence;
  const { importance, impact } = scores;
  return { eventId, stream, occurredAt, recordedAt, scheduled, value, importance, impact };
};

/** Whether an event is a cause of a shock of the edge's goal: from now on, or already. */
async function enter(
  deps: Deps,
  workspace: string,
  edge: ActingEdge,
  event: Happening,
  context: Context,
): Promise<boolean> {
  const of = { workspace, goalId: edge.goalId };
  const goal = await deps.goals.state(of);
  if (goal.status !== 'active') return false;
  const state = await deps.shocks.state(of);
  if (state.known.includes(causeKey(event))) return state.episode !== null;
  const { hindrance, bar, cause } = await judged(deps, workspace, goal, state, edge, event, context.at);
  if (hindrance !== null) return false;
  const said = {
    episodeId: episodeIdOf(of.goalId, event),
    cause: cause!,
    bar: bar!,
    scheduled: event.scheduled,
  };
  const { facts } = await deps.shocks.qualify(of, said, context);
  return facts.length > 0;
}
