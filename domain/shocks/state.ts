import type { Fact } from '../fact.js';
import { phaseOf, STARTING_BLEND, type Blend } from './blend.js';
import { episodeAfter, FADING, remainingIn, untilOf, type Episode } from './episode.js';
import { PHASES, type Cause, type Phase, type ShockFact } from './facts.js';
import type { Sample } from './refitting.js';

/** Shocks of a goal, and what they taught. */
export type ShockState = {
  /** The one that is not over. */
  readonly episode: Episode | null;
  readonly blend: Blend;
  /** How much wider bands are at R = 1 in the next episode: within one they only narrow, by `blend`. */
  readonly bandK: number;
  /** What is learned of bars of importance, by stream. */
  readonly bars: Readonly<Record<string, number>>;
  /** Graded steps, each of every forecast that had it, since the weights of a phase were looked at. */
  readonly samples: Readonly<Record<Phase, readonly Sample[]>>;
  /** Beginnings of steps that were graded, ascending, the newest; older ones are not graded again. */
  readonly graded: readonly number[];
  /** Events that put it into shocks, of late: each does once. */
  readonly known: readonly string[];
};

const NO_SAMPLES = Object.fromEntries(PHASES.map(phase => [phase, []])) as unknown as ShockState['samples'];
export const initialState: ShockState = {
  ...{ episode: null, blend: STARTING_BLEND, bandK: STARTING_BLEND.bandK },
  ...{ bars: {}, samples: NO_SAMPLES, graded: [], known: [] },
};

/** How many graded steps, and events, are remembered. */
const REMEMBERED = 2_000;

/** The bar that was learned of a stream, whatever its name; undefined: none was. */
export const barIn = (bars: ShockState['bars'], stream: string): number | undefined =>
  Object.hasOwn(bars, stream) ? bars[stream] : undefined;

/** An event that is moved to another time may act again. */
export const causeKey = ({ eventId, occurredAt }: Pick<Cause, 'eventId' | 'occurredAt'>): string =>
  `${eventId}@${occurredAt}`;

export function evolve(state: ShockState, fact: Fact<ShockFact>): ShockState {
  const next = { ...state, episode: episodeOf(state, fact) };
  switch (fact.type) {
    case 'ShockEntered':
    case 'ShockDeepened': {
      const known = [...state.known, causeKey(fact.data.cause)].slice(-REMEMBERED);
      const bandK = fact.type === 'ShockEntered' ? state.bandK : state.blend.bandK;
      return { ...next, known, blend: { ...state.blend, bandK } };
    }
    case 'ShockExited':
      return { ...next, bars: { ...state.bars, ...fact.data.bars } };
    case 'ShockStepsGraded':
      return { ...next, ...withSteps(state, fact.data) };
    case 'BlendRefitted':
    case 'BlendKept': {
      const { phase, after } = fact.data;
      const weights = fact.type === 'BlendRefitted' ? { [phase]: after } : {};
      return {
        ...next,
        blend: { ...state.blend, weights: { ...state.blend.weights, ...weights } },
        samples: { ...state.samples, [phase]: [] },
      };
    }
    default:
      return next;
  }
}

/** As it will be at a time to come (epoch ms) if nothing else happens: a shock that faded by then is over. */
export function fadedBy(state: ShockState, at: number): ShockState {
  const { episode } = state;
  if (!episode) return state;
  if (untilOf(episode) <= at) return { ...state, episode: null };
  const isFading = episode.state === 'shock' && remainingIn(episode, at) < FADING;
  return isFading ? { ...state, episode: { ...episode, state: 'recovering' } } : state;
}

/** Steps of an episode that is over say nothing of the one that is not. */
function episodeOf({ episode }: ShockState, fact: Fact<ShockFact>): Episode | null {
  if (fact.type !== 'ShockEntered' && episode?.episodeId !== fact.data.episodeId) return episode;
  const after = episodeAfter(episode, fact);
  return after?.state === 'over' ? null : after;
}

type Graded = Extract<ShockFact, { type: 'ShockStepsGraded' }>['data'];
function withSteps(state: ShockState, { steps, bandK, bandKNow }: Graded): Partial<ShockState> {
  const samples: Record<Phase, readonly Sample[]> = { ...state.samples };
  for (const { time, actual, earlier = [], newest } of steps)
    for (const { remaining, ...parts } of [...earlier, newest]) {
      const phase = phaseOf(remaining);
      samples[phase] = [...samples[phase], { time, actual, parts, remaining }];
    }
  const graded = [...state.graded, ...steps.map(({ time }) => time)].sort((a, b) => a - b);
  const blend = { ...state.blend, bandK: bandKNow ?? state.blend.bandK };
  return { bandK, blend, samples, graded: graded.slice(-REMEMBERED) };
}

/** Whether a step is still to be graded. */
export const isUngraded = ({ graded }: ShockState, time: number): boolean =>
  !graded.includes(time) && (graded.length < REMEMBERED || time > graded[0]!);
