import { ALERT_FACTS, type AlertFact } from '../../domain/alerts/facts.js';
import type { Fact } from '../../domain/fact.js';
import type { GoalDeleted } from '../../domain/goals/facts.js';
import { projection, type After, type Before, type Projection } from '../engine/projection.js';
import { alertAfter, instanceAfter } from './changes.js';
import { alertDocId, goalKey, instanceDocId, type AlertDoc, type InstanceDoc } from './documents.js';

type Docs = { alert_instances: InstanceDoc; alerts: AlertDoc };
type Told = AlertFact | GoalDeleted;

const ruleOf = ({ data, meta }: Fact<Told>): string | null =>
  'alertId' in data ? alertDocId(meta.workspace!, data.alertId) : null;
const instanceOf = ({ data, meta }: Fact<Told>): string | null =>
  'instanceId' in data ? instanceDocId(meta.workspace!, data.instanceId) : null;

/** Of a rule that has gone with its goal nothing comes back. */
function became(before: Before<Docs>, fact: Fact<AlertFact>): After<Docs> {
  if (!before.alerts && fact.type !== 'AlertCreated') return {};
  return {
    ...('instanceId' in fact.data && { alert_instances: instanceAfter(before.alert_instances, fact) }),
    alerts: alertAfter(before.alerts, fact),
  };
}

/** Rules, and what fired by them; both go with the rule, or with its goal. */
export const alertsProjection: Projection = projection<Docs, Told>({
  name: 'alerts',
  version: 1,
  collections: {
    alert_instances: {
      indexes: [
        ['alert', 'fired_at', '_id'],
        ['alert', 'state', 'fired_at', '_id'],
        ['goal', '_id'],
      ],
      idOf: instanceOf,
    },
    alerts: {
      indexes: [
        ['workspace', 'created_at', '_id'],
        ['workspace', 'kind', 'created_at', '_id'],
        ['goal', 'created_at', '_id'],
        ['goal', 'failing', '_id'],
        ['stream', '_id'],
        ['enabled', '_id'],
      ],
      idOf: ruleOf,
    },
  },
  on: Object.fromEntries(ALERT_FACTS.map(type => [type, became])),
  sweeps: {
    AlertDeleted: fact => ({ alert_instances: { alert: ruleOf(fact)! } }),
    GoalDeleted: ({ data, meta }) => {
      const goal = goalKey(meta.workspace!, data.goalId);
      return { alert_instances: { goal }, alerts: { goal } };
    },
  },
});
