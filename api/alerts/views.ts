import type { Evidence } from '../../domain/alerts/facts.js';
import { stateOf } from '../../domain/alerts/state.js';
import { iso } from '../../domain/time.js';
import type { AlertDoc, InstanceDoc } from '../../projections/alerts/documents.js';
import { versionedTag } from '../edge/versions.js';
import { paramsView } from './params.js';

const time = (at: number | null): string | null => (at === null ? null : iso(at));

const evidenceView = ({ value, message, at, forecastId, eventId }: Evidence) => ({
  ...{ value, message, at: time(at), forecast_id: forecastId, event_id: eventId },
});

/** A rule as it is at a time, epoch ms. */
export function alertView({ alert_id, goal_id, created_at, updated_at, state }: AlertDoc, now: number) {
  const { settings, by, version, instance, evidence, error, since } = state;
  const { name, watched, forS, severity, channels, enabled, muteUntil, cooldownS } = settings;
  return {
    ...{ alert_id, goal_id, name, kind: watched.kind, params: paramsView(watched), for_seconds: forS },
    ...{ severity, channels, enabled, mute_until: time(muteUntil), cooldown_seconds: cooldownS },
    ...{ created_by: by, state: stateOf(state, now), state_since: iso(since) },
    ...{ instance_id: instance?.instanceId ?? null, evidence: evidence && evidenceView(evidence), error },
    ...{ created_at: iso(created_at), updated_at: iso(updated_at), version },
  };
}

/** One rule as an answer. */
export function shown(doc: AlertDoc, now: number) {
  const data = alertView(doc, now);
  return { body: { data }, etag: versionedTag(doc.state.version, data) };
}

export const instanceView = (doc: InstanceDoc) => ({
  ...{ instance_id: doc.instance_id, alert_id: doc.alert_id, goal_id: doc.goal_id },
  ...{ state: doc.state, severity: doc.severity, started_at: iso(doc.since), fired_at: iso(doc.fired_at) },
  ...{ acknowledged_at: time(doc.acknowledged_at), acknowledged_by: doc.acknowledged_by },
  snoozed_until: time(doc.snoozed_until),
  ...{ resolved_at: time(doc.resolved_at), resolved_by: doc.resolved_by, repeats: doc.repeats },
  ...{ value: doc.evidence.value, message: doc.evidence.message, evidence: evidenceView(doc.evidence) },
});
