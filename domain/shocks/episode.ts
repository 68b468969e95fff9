import type { Fact } from '../fact.js';
import { DAY, SECOND } from '../time.js';
import type {
  Cause,
  EpisodeGrade,
  ExitReason,
  RecoveringReason,
  ShockDeepened,
  ShockEntered,
  ShockFact,
} from './facts.js';
import { fadesAt, remainingOf } from './response.js';

/** Below this share of the response a shock fades, and below that it is over. */
export const FADING = 0.25;
export const FADED = 0.05;
/** It ends after so many half-lives, and after so long. */
const MOST_HALF_LIVES = 12;
const LONGEST = 30 * DAY;

/** A cause as an episode knows it. */
export type KnownCause = Cause & { readonly scheduled: boolean; readonly removed: 'edge' | 'event' | null };

/** From an event that put a goal into a shock until it is normal again. Times are epoch ms. */
export type Episode = {
  readonly episodeId: string;
  readonly state: 'shock' | 'recovering' | 'over';
  readonly since: number;
  /** Qualifying events, counted. */
  readonly depth: number;
  readonly causes: readonly KnownCause[];
  /** Of importance, that the first event reached. */
  readonly bar: number;
  readonly recovering: {
    readonly at: number;
    readonly reason: RecoveringReason;
    readonly note: string | null;
    readonly by: string;
  } | null;
  readonly exit: { readonly at: number; readonly reason: ExitReason } | null;
  /** Sums of absolute errors over graded steps. */
  readonly graded: { readonly steps: number; readonly blend: number; readonly champion: number };
  /** Graded steps in a row, up to the newest, that the champion alone was better at. */
  readonly championBetter: number;
  /** The same, that lay inside of the champion's normal band. */
  readonly insideNormal: number;
};

/** The episode after a fact of it; null: the fact is of none that is known. */
export function episodeAfter(episode: Episode | null, fact: Fact<ShockFact>): Episode | null {
  if (fact.type === 'ShockEntered') return entered(fact);
  if (!episode) return null;
  switch (fact.type) {
    case 'ShockDeepened':
      return {
        ...{ ...episode, state: 'shock', depth: fact.data.depth, recovering: null },
        ...{ causes: [...roomIn(episode.causes, fact.at), causeIn(fact)], championBetter: 0 },
      };
    case 'ShockRecovering': {
      const { reason, note } = fact.data;
      return {
        ...episode,
        state: 'recovering',
        recovering: { at: fact.at, reason, note, by: fact.meta.actor },
      };
    }
    case 'ShockCauseRemoved': {
      const { eventId, gone } = fact.data;
      return withoutCause(episode, eventId, gone);
    }
    case 'ShockExited':
      return { ...episode, state: 'over', exit: { at: fact.at, reason: fact.data.reason } };
    case 'ShockStepsGraded':
      return fact.data.steps.reduce(withStep, episode);
    default:
      return episode;
  }
}

/** The episode as it is without what an event did. */
export function withoutCause(episode: Episode, eventId: string, gone: 'edge' | 'event'): Episode {
  const causes = episode.causes.map(each => (each.eventId === eventId ? { ...each, removed: gone } : each));
  return { ...episode, causes };
}

/** Whether an event is left that acts. */
export const hasCause = ({ causes }: Pick<Episode, 'causes'>): boolean =>
  causes.some(({ removed }) => removed === null);

/** So many causes are kept, the first among them; of the others the most faded makes room. */
const MOST_CAUSES = 50;
function roomIn(causes: readonly KnownCause[], at: number): readonly KnownCause[] {
  if (causes.length < MOST_CAUSES) return causes;
  const faded = causes.slice(1).reduce((a, b) => (remainingOfCause(b, at) < remainingOfCause(a, at) ? b : a));
  return causes.filter(cause => cause !== faded);
}

const causeIn = ({ data }: ShockEntered | ShockDeepened): KnownCause => ({
  ...{ ...data.cause, scheduled: data.scheduled, removed: null },
});

const entered = (fact: Fact<ShockEntered>): Episode => ({
  ...{ episodeId: fact.data.episodeId, state: 'shock', since: fact.at, depth: 1 },
  ...{ causes: [causeIn(fact)], bar: fact.data.bar, recovering: null, exit: null },
  ...{ graded: { steps: 0, blend: 0, champion: 0 }, championBetter: 0, insideNormal: 0 },
});

type Step = Extract<ShockFact, { type: 'ShockStepsGraded' }>['data']['steps'][number];
function withStep(episode: Episode, { losses, insideNormal }: Step): Episode {
  const newest = losses.at(-1)!;
  const { steps, blend, champion } = episode.graded;
  return {
    ...episode,
    graded: { steps: steps + 1, blend: blend + newest.blend, champion: champion + newest.champion },
    championBetter: newest.champion < newest.blend ? episode.championBetter + 1 : 0,
    insideNormal: insideNormal ? episode.insideNormal + 1 : 0,
  };
}

/** R(t) of a cause; of one that was removed nothing remains. */
export const remainingOfCause = (cause: KnownCause, at: number): number =>
  cause.removed === null ? remainingOf(cause, at) : 0;

/** R(t): the largest remaining share over the causes. `at`: epoch ms. */
export const remainingIn = ({ causes }: Pick<Episode, 'causes'>, at: number): number =>
  causes.reduce((most, cause) => Math.max(most, remainingOfCause(cause, at)), 0);

/** When it ends whatever is left of it, epoch ms. */
export function timeoutOf({ since, causes }: Pick<Episode, 'since' | 'causes'>): number {
  const halfLives = causes.flatMap(({ halfLifeS }) => halfLifeS ?? []);
  const longest = halfLives.length > 0 ? Math.max(...halfLives) * MOST_HALF_LIVES * SECOND : LONGEST;
  return since + Math.min(longest, LONGEST);
}

/** When it will likely be over: its responses have faded, or it times out. Epoch ms. */
export function untilOf(episode: Pick<Episode, 'since' | 'causes'>): number {
  const active = episode.causes.filter(({ removed }) => removed === null);
  const faded = active.reduce((last, cause) => Math.max(last, fadesAt(cause, FADED)), episode.since);
  return Math.min(faded, timeoutOf(episode));
}

export const gradeIn = ({ graded: { steps, blend, champion } }: Pick<Episode, 'graded'>): EpisodeGrade => ({
  steps,
  blendLoss: steps > 0 ? blend / steps : null,
  championLoss: steps > 0 ? champion / steps : null,
});
