import { dueAt } from '../../domain/alerts/checking.js';
import type { AlertFact } from '../../domain/alerts/facts.js';
import { evolve, initialState } from '../../domain/alerts/state.js';
import type { Fact } from '../../domain/fact.js';
import {
  alertDocId,
  goalKey,
  instanceDocId,
  streamKey,
  type AlertDoc,
  type InstanceDoc,
} from './documents.js';

/** The rule after a fact of it; null: it is not there, or has gone. */
export function alertAfter(doc: AlertDoc | null, fact: Fact<AlertFact>): AlertDoc | null {
  const state = evolve(doc?.state ?? initialState, fact);
  if (state.status === 'none') return null;
  const workspace = fact.meta.workspace!;
  const { alertId } = fact.data;
  const { goalId, settings } = state;
  const { kind, params } = settings.watched;
  const isPeoples = fact.type === 'AlertCreated' || fact.type === 'AlertChanged';
  return {
    _id: alertDocId(workspace, alertId),
    ...{ workspace, alert_id: alertId, goal_id: goalId, kind, enabled: settings.enabled },
    goal: goalId === null ? null : goalKey(workspace, goalId),
    stream: 'stream' in params ? streamKey(workspace, params.stream) : null,
    failing: settings.enabled && state.error !== null,
    due_at: dueAt(state),
    changed_at: isPeoples ? fact.at : (doc?.changed_at ?? fact.at),
    created_at: doc?.created_at ?? fact.at,
    updated_at: fact.at,
    state,
  };
}

/** The instance after a fact that names it. */
export function instanceAfter(doc: InstanceDoc | null, fact: Fact<AlertFact>): InstanceDoc | null {
  const { at, meta } = fact;
  if (fact.type === 'AlertFired') {
    const { instanceId, alertId, goalId, severity, since, evidence } = fact.data;
    const workspace = meta.workspace!;
    return {
      _id: instanceDocId(workspace, instanceId),
      alert: alertDocId(workspace, alertId),
      goal: goalId === null ? null : goalKey(workspace, goalId),
      ...{ instance_id: instanceId, alert_id: alertId, goal_id: goalId, state: 'firing', severity },
      ...{ since, fired_at: at, acknowledged_at: null, acknowledged_by: null, snoozed_until: null },
      ...{ resolved_at: null, resolved_by: null, repeats: 0, evidence },
    };
  }
  if (!doc) return null;
  switch (fact.type) {
    case 'AlertRepeated':
      return { ...doc, repeats: doc.repeats + 1, snoozed_until: null, evidence: fact.data.evidence };
    case 'AlertAcknowledged':
      return { ...doc, state: 'acknowledged', acknowledged_at: at, acknowledged_by: fact.data.by };
    case 'AlertSnoozed':
      return { ...doc, snoozed_until: fact.data.until };
    case 'AlertResolved':
      return { ...doc, state: 'resolved', resolved_at: at, resolved_by: fact.data.by };
    default:
      return doc;
  }
}
