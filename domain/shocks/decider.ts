import type { Decider } from '../decider.js';
import type { Fact } from '../fact.js';
import { learnedAfter } from './bar.js';
import { bandKAfter } from './blend.js';
import type { NoteGraded, NoteQualifying, ShockCommand } from './commands.js';
import {
  FADED,
  FADING,
  gradeIn,
  hasCause,
  remainingIn,
  timeoutOf,
  withoutCause,
  type Episode,
} from './episode.js';
import { PHASES, type ExitReason, type RecoveringReason, type ShockExited, type ShockFact } from './facts.js';
import { notInShock } from './refusals.js';
import { isEnough, refitted } from './refitting.js';
import { remainingOf } from './response.js';
import { barIn, causeKey, evolve, initialState, isUngraded, type ShockState } from './state.js';

/** Graded steps in a row that the champion must be better at; and inside of its normal band. */
const BETTER_IN_A_ROW = 5;
const INSIDE_IN_A_ROW = 3;

type Facts = readonly ShockFact[];

function decide(command: ShockCommand, state: ShockState): Facts {
  if (command.type === 'NoteQualifying') return qualified(command, state);
  if (command.type === 'NoteGraded') return graded(command, state);
  const { episode } = state;
  const { goalId, now } = command.data;
  if (command.type === 'ExitShock') {
    if (episode?.state !== 'shock') throw notInShock(episode ? 'recovering' : 'normal');
    return [recovering(goalId, episode, 'operator', now, command.data.reason)];
  }
  if (!episode) return [];
  switch (command.type) {
    case 'NoteTime':
      return passed(goalId, state, episode, now);
    case 'StopShock':
      return [exited(goalId, state, episode, command.data.why)];
    case 'RemoveCause':
      return removed(goalId, state, episode, command.data, now);
  }
}

/** Whose response is all but gone is no shock any more. */
function qualified({ data }: NoteQualifying, state: ShockState): Facts {
  const { goalId, episodeId, cause, bar, scheduled, now } = data;
  const { episode } = state;
  if (state.known.includes(causeKey(cause)) || remainingOf(cause, now) < FADING) return [];
  if (!episode) return [{ type: 'ShockEntered', data: { goalId, episodeId, cause, bar, scheduled } }];
  const told = { goalId, episodeId: episode.episodeId, cause, bar, scheduled };
  return [{ type: 'ShockDeepened', data: { ...told, depth: episode.depth + 1 } }];
}

function passed(goalId: string, state: ShockState, episode: Episode, now: number): Facts {
  if (now >= timeoutOf(episode)) return [exited(goalId, state, episode, 'timeout')];
  const remaining = remainingIn(episode, now);
  if (episode.state === 'shock') return remaining < FADING ? [recovering(goalId, episode, 'faded', now)] : [];
  if (!hasCause(episode)) return [exited(goalId, state, episode, 'cause_removed')];
  const isOver = remaining < FADED && episode.insideNormal >= INSIDE_IN_A_ROW;
  return isOver ? [exited(goalId, state, episode, 'recovered')] : [];
}

type Removed = { readonly eventId: string; readonly gone: 'edge' | 'event' };
function removed(goalId: string, state: ShockState, episode: Episode, what: Removed, now: number): Facts {
  const { eventId, gone } = what;
  const known = episode.causes.some(cause => cause.eventId === eventId && cause.removed === null);
  if (!known) return [];
  const { episodeId } = episode;
  const fact: ShockFact = { type: 'ShockCauseRemoved', data: { goalId, episodeId, eventId, gone } };
  const after = withoutCause(episode, eventId, gone);
  if (remainingIn(after, now) >= FADED) return [fact];
  // What recovers from nothing is normal at once
  const recovers = episode.state === 'shock' ? [recovering(goalId, after, 'cause_removed', now)] : [];
  return [fact, ...recovers, exited(goalId, state, after, 'cause_removed')];
}

const recovering = (
  goalId: string,
  episode: Episode,
  reason: RecoveringReason,
  now: number,
  note: string | null = null,
): ShockFact => ({
  type: 'ShockRecovering',
  data: { goalId, episodeId: episode.episodeId, reason, note, remaining: remainingIn(episode, now) },
});

function exited(
  goalId: string,
  { bars }: Pick<ShockState, 'bars'>,
  episode: Episode,
  reason: ExitReason,
): ShockExited {
  const { episodeId, since, depth, causes } = episode;
  const grade = gradeIn(episode);
  const streams = [...new Set(causes.map(({ stream }) => stream))];
  const learned = streams.map(stream => [stream, learnedAfter(barIn(bars, stream) ?? 0, grade)] as const);
  const acted = causes.filter(({ removed }) => removed === null);
  const edgeIds = [...new Set(acted.map(({ edgeId }) => edgeId))];
  const data = { goalId, episodeId, reason, since, depth, edgeIds, grade, bars: Object.fromEntries(learned) };
  return { type: 'ShockExited', data };
}

/** Each step once; then its weights are looked at where enough came, and what the champion does. */
function graded({ data }: NoteGraded, state: ShockState): Facts {
  const { goalId, episodeId, now } = data;
  const steps = data.steps.filter(({ time }) => isUngraded(state, time));
  if (steps.length === 0) return [];
  const bandK = bandKAfter(state.bandK, steps);
  const bandKNow = Math.min(state.blend.bandK, bandK);
  const fact: ShockFact = { type: 'ShockStepsGraded', data: { goalId, episodeId, steps, bandK, bandKNow } };
  // Only what a fact says counts, not its envelope
  const after = evolve(state, fact as Fact<ShockFact>);
  const facts = [fact, ...looks(goalId, episodeId, after)];
  const { episode } = after;
  const isBetter = episode?.state === 'shock' && episode.championBetter >= BETTER_IN_A_ROW;
  return isBetter ? [...facts, recovering(goalId, episode, 'champion_recovered', now)] : facts;
}

function looks(goalId: string, episodeId: string, { blend, samples }: ShockState): Facts {
  return PHASES.flatMap((phase): Facts => {
    if (!isEnough(samples[phase])) return [];
    const before = blend.weights[phase];
    const { after, helps, evidence } = refitted(before, samples[phase]);
    const told = { goalId, episodeId, phase, before, after, evidence };
    return [{ type: helps ? 'BlendRefitted' : 'BlendKept', data: told }];
  });
}

/** Of the journal, within its category. */
export const shockJournalId = (workspace: string, goalId: string): string => `${workspace}.${goalId}`;

/** Shocks of goals: at most one at a time, and what they teach of bars, weights and bands. */
export const shocks: Decider<ShockCommand, ShockFact, ShockState> = {
  category: 'shock',
  idOf: ({ data: { workspace, goalId } }) => shockJournalId(workspace, goalId),
  initialState,
  decide,
  evolve,
};
