import type { Composed } from '../forecasts/composing.js';
import type { AppliedEvent, ShockBlend } from '../inference/moves.js';
import { evenedFrom, stepsIn } from '../forecasts/steps.js';
import type { ActingEdge } from '../goals/ports.js';
import type { GoalSettings } from '../goals/settings.js';
import { peakOf, responseOf, together, type Response } from '../maths/effects/applied.js';
import { SECOND } from '../time.js';
import { bandFactorAt, mixed, weightsAt, withoutGeneralist, type Blend } from './blend.js';
import { remainingIn, type Episode } from './episode.js';
import { weightOf, type EventFigures } from './weighing.js';

type OnSteps = Pick<GoalSettings, 'stepS' | 'stepMonths' | 'timezone'>;

/** An event that is known beforehand, with what says how strong it is. */
export type Scheduled = EventFigures & {
  readonly eventId: string;
  readonly stream: string;
  readonly occurredAt: number;
};

/** What scheduled events do at the steps of a forecast, in units of the target, and which do. */
export type Effects = { readonly effects: readonly number[]; readonly applied: readonly AppliedEvent[] };

/** What events will do that lie ahead, by the curves of the edges of their streams. */
export function effectsAhead(
  steps: OnSteps,
  times: readonly number[],
  ahead: readonly { readonly event: Scheduled; readonly edge: ActingEdge }[],
): Effects {
  const acting = ahead.flatMap(({ event, edge }) => {
    const response = responseOf(edge.curve);
    return response ? [{ event, edge, response, weight: weightOf(edge.weighing, event) }] : [];
  });
  const evened = evenedFrom(steps, times[0]!);
  const effects = together(
    acting.map(({ event, ...by }) => ({ ...by, at: evened(stepsIn(steps).startOf(event.occurredAt)) })),
    times.map(evened),
  );
  return { effects, applied: acting.map(one => appliedOf(times[0]!, one)) };
}

type Acting = {
  readonly event: Scheduled;
  readonly edge: ActingEdge;
  readonly response: Response;
  readonly weight: number;
};
const appliedOf = (first: number, { event, edge, response, weight }: Acting): AppliedEvent => ({
  ...{ eventId: event.eventId, stream: event.stream, occurredAt: event.occurredAt, edgeId: edge.edgeId },
  ...{ offsetS: (event.occurredAt - first) / SECOND, weight, effectPeak: weight * peakOf(response).effect },
});

/** A forecast with effects added to all of its columns. */
export const moved = (made: Composed, { effects, applied }: Effects): Composed =>
  applied.length === 0 && effects.every(effect => effect === 0)
    ? made
    : {
        ...made,
        mean: made.mean.map((value, h) => value + effects[h]!),
        quantiles: made.quantiles.map(column => column.map((value, h) => value + effects[h]!)),
        appliedEvents: [...made.appliedEvents, ...applied],
      };

type Blending = {
  readonly episode: Episode;
  readonly blend: Blend;
  /** Medians of the generalist, moved by the same scheduled events; null: there is none. */
  readonly generalist: readonly number[] | null;
  /** Medians of the champion with the response of the causes. */
  readonly response: readonly number[];
  /** When it is made, epoch ms. */
  readonly at: number;
  /** Bands widen by what remains at each step; absent: by what remained when it was made, at all of them. */
  readonly byStep?: true;
};

/** A forecast in a shock: its medians blended, its bands about them wider. */
export function inShock(made: Composed, blending: Blending): Composed {
  const { episode, blend, generalist, response, at, byStep } = blending;
  const remaining = remainingIn(episode, at);
  const all = weightsAt(blend, remaining);
  const weights = generalist ? all : withoutGeneralist(all);
  const champion = made.quantiles[made.levels.indexOf(0.5)]!;
  const components: ShockBlend['components'] = {
    champion: [...champion],
    generalist: [...(generalist ?? champion)],
    response: [...response],
  };
  const middle = champion.map((value, h) =>
    mixed(weights, {
      champion: value,
      generalist: components.generalist[h]!,
      response: components.response[h]!,
    }),
  );
  const bandFactor = bandFactorAt(blend, remaining);
  const bandFactors = byStep && made.times.map(time => bandFactorAt(blend, remainingIn(episode, time)));
  const factorAt = (h: number): number => bandFactors?.[h] ?? bandFactor;
  const { episodeId, since } = episode;
  const state = episode.state === 'recovering' ? 'recovering' : 'shock';
  return {
    ...made,
    mean: made.mean.map((value, h) => value + middle[h]! - champion[h]!),
    quantiles: made.quantiles.map(column =>
      column.map((value, h) => middle[h]! + factorAt(h) * (value - champion[h]!)),
    ),
    shock: {
      ...{ episodeId, state, since, weights, remaining, bandFactor },
      ...(bandFactors && { bandFactors }),
      components,
    },
  };
}
