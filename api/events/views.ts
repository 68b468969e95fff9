import type { Recorded } from '../../commands/events.js';
import type { Scores } from '../../domain/events/scoring.js';
import type { ListedEvent } from '../../projections/events/candidates.js';
import { described, type EventDoc } from '../../projections/events/documents.js';
import type { EventEffect } from './deps.js';
import type { Revision } from '../../projections/events/queries.js';

/** While an event is pending every score is null. */
const unscored = {
  sentiment: null,
  polarity: null,
  importance: null,
  relevance: null,
  impact: null,
  rank: null,
  novelty: null,
};
const scoresOf = (scores: Scores | null) =>
  scores ? { ...scores, novelty: scores.novelty ?? null } : unscored;

export const recordedView = ({ eventId, key, status, scheduled }: Recorded) => ({
  event_id: eventId,
  stream: key,
  status,
  scheduled,
});

export function eventView(event: EventDoc, valueNormalized: number | null, now: number) {
  const { _id, workspace: _w, given: _g, position: _p, changed_at: _c, raw_json, scores, ...members } = event;
  const { _at, ...rest } = members as typeof members & { _at: number };
  return {
    ...rest,
    ...described(event),
    raw: rawOf(raw_json),
    external_id: event.given.externalId ?? null,
    // One that is deleted is shown to nobody
    deleted_at: null,
    scores: scoresOf(scores),
    scheduled: event.occurred_at > now,
    value_normalized: valueNormalized,
  };
}

export const effectView = ({ goalId, edgeId, action, reason }: EventEffect) => ({
  ...{ goal_id: goalId, edge_id: edgeId, action, reason },
});

const rawOf = (json: string | null): unknown => (json === null ? null : JSON.parse(json));

export function listedView(event: ListedEvent, now: number) {
  const { event_id, name, occurred_at, timestamp, status, value, scores } = event;
  return {
    event_id,
    name,
    occurred_at,
    timestamp,
    scheduled: occurred_at > now,
    status,
    value,
    scores: scoresOf(scores),
  };
}

export function upcomingView(event: ListedEvent, now: number) {
  const { event_id, key, name, occurred_at, value, scores } = event;
  return {
    event_id,
    key,
    name,
    occurred_at,
    scheduled: occurred_at > now,
    value,
    scores: scoresOf(scores),
  };
}

export function pointView(
  { occurred_at, timestamp, scores }: Pick<EventDoc, 'occurred_at' | 'timestamp' | 'scores'>,
  now: number,
) {
  const { rank, polarity, sentiment, impact, importance } = scoresOf(scores);
  return {
    occurred_at,
    timestamp,
    rank,
    polarity,
    sentiment,
    impact,
    importance,
    scheduled: occurred_at > now,
  };
}

export const revisionView = ({
  name,
  source,
  origin,
  data_type,
  value,
  raw_json,
  occurred_at,
  timestamp,
  status,
  scores,
  score_version,
  revision,
  revised_at,
  until,
}: Revision) => ({
  revision,
  since: revised_at ?? timestamp,
  until,
  name,
  source,
  origin,
  data_type,
  value,
  raw: rawOf(raw_json),
  occurred_at,
  timestamp,
  status,
  scores: scoresOf(scores),
  score_version,
});
