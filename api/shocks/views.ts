import type { Simulated } from '../../commands/shocks/simulating.js';
import { bandFactorAt, weightsAt, type Blend } from '../../domain/shocks/blend.js';
import {
  gradeIn,
  remainingIn,
  remainingOfCause,
  untilOf,
  type Episode,
  type KnownCause,
} from '../../domain/shocks/episode.js';
import { isFreshFor } from '../../domain/shocks/occurrence.js';
import { iso } from '../../domain/time.js';
import type { EpisodeDoc, RefitDoc } from '../../projections/shocks/documents.js';

const causeView = (cause: KnownCause, at: number) => ({
  ...{ event_id: cause.eventId, stream: cause.stream, edge_id: cause.edgeId },
  ...{ importance: cause.importance, occurred_at: cause.occurredAt, weight: cause.weight },
  ...{ remaining: remainingOfCause(cause, at), removed: cause.removed },
});
const reasonOf = ({ causes: [first] }: Pick<Episode, 'causes'>) =>
  first?.scheduled ? 'scheduled_event' : 'fresh_event';

/** A shock that is not over, as it is at a time (epoch ms): open-parts 14.3. */
export function shockView(episode: Episode, blend: Blend, at: number) {
  const remaining = remainingIn(episode, at);
  return {
    episode_id: episode.episodeId,
    ...{ since: iso(episode.since), until_estimate: iso(untilOf(episode)) },
    causes: episode.causes.map(cause => causeView(cause, at)),
    ...{ remaining, depth: episode.depth, weights: weightsAt(blend, remaining) },
    band_factor: bandFactorAt(blend, remaining),
    reason_entered: reasonOf(episode),
  };
}

/** An episode in a list. Of one that is over nothing remains. */
export function episodeView({ episode }: Pick<EpisodeDoc, 'episode'>, goalId: string, now: number) {
  const { recovering, exit } = episode;
  const { steps, blendLoss, championLoss } = gradeIn(episode);
  const at = exit?.at ?? now;
  return {
    ...{ episode_id: episode.episodeId, goal_id: goalId, state: episode.state },
    entry: { at: iso(episode.since), reason: reasonOf(episode), importance_bar: episode.bar },
    recovering: recovering && { ...recovering, at: iso(recovering.at) },
    exit: exit && { at: iso(exit.at), reason: exit.reason },
    until_estimate: exit ? null : iso(untilOf(episode)),
    depth: episode.depth,
    causes: episode.causes.map(cause => causeView(cause, at)),
    grade: {
      ...{ graded_steps: steps, blend_loss: blendLoss, champion_loss: championLoss },
      blend_won: blendLoss === null || championLoss === null ? null : blendLoss < championLoss,
    },
  };
}

export const refitView = ({ at, phase, changed, before, after, evidence }: RefitDoc) => ({
  ...{ at: iso(at), phase, changed, before, after },
  evidence: {
    ...{ from: iso(evidence.from), to: iso(evidence.to) },
    ...{ fitted: evidence.fitted, held_out: evidence.heldOut },
    ...{ loss_before: evidence.lossBefore, loss_after: evidence.lossAfter },
    champion_loss: evidence.championLoss,
  },
});

const stateOf = (episode: Episode | null) =>
  episode?.state === 'over' ? 'normal' : (episode?.state ?? 'normal');

/** What an event would do. `asked`: when it happens, and when it was thought of (epoch ms). */
export function simulatedView(
  { hindrance, bar, edgeId, at, before, after, blend, response }: Simulated,
  asked: { readonly occurredAt: number; readonly now: number; readonly cadenceS: number },
) {
  const { occurredAt, now } = asked;
  const isFresh = isFreshFor(asked, { occurredAt, recordedAt: now });
  const shape = isFresh ? 'fresh' : 'stale';
  return {
    ...{ would_enter: hindrance === null, reason: hindrance, at: iso(at) },
    shape: occurredAt > now ? 'scheduled' : shape,
    ...{ importance_bar: bar, edge_id: edgeId },
    ...{ shock_state_before: stateOf(before), shock_state_after: stateOf(after ?? before) },
    shock: after && shockView(after, blend, at),
    response: response.map(({ time, effect }) => ({ ts: iso(time), effect })),
  };
}
