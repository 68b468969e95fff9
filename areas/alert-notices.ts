import type { AlertFact, ToldOf } from '../domain/alerts/facts.js';
import type { Fact } from '../domain/fact.js';
import type { Notice, Notices } from '../domain/notifications/notice.js';
import { iso } from '../domain/time.js';

type Told = Fact<Extract<AlertFact, { readonly data: ToldOf }>>;

/** A rule's author is told, by the channels that it names. */
const ofAlert = (kind: string, { data, meta }: Told, more: Notice['data'], group: string): Notice => {
  const { alertId, goalId, name, severity, to, channels } = data;
  return {
    kind,
    to: { uid: to, workspace: meta.workspace! },
    goalId,
    data: {
      ...{ alert_id: alertId, name, alert_kind: data.kind, severity },
      ...(goalId !== null && { goal_id: goalId }),
      ...more,
    },
    groupKey: `${kind}/${group}`,
    channels,
  };
};

type Of<T extends AlertFact['type']> = Fact<Extract<AlertFact, { readonly type: T }>>;
const firing = (fact: Of<'AlertFired'> | Of<'AlertRepeated'>, repeated: boolean): Notice => {
  const { instanceId, evidence } = fact.data;
  const { value, message, forecastId, eventId } = evidence;
  const more = {
    ...{ instance_id: instanceId, message, value, repeated },
    ...(forecastId !== null && { forecast_id: forecastId }),
    ...(eventId !== null && { event_id: eventId }),
  };
  return ofAlert('alert.fired', fact, more, instanceId);
};

export const alertNotices: Notices = {
  AlertFired: (fact: Of<'AlertFired'>) => firing(fact, false),
  AlertRepeated: (fact: Of<'AlertRepeated'>) => firing(fact, true),
  AlertResolved: (fact: Of<'AlertResolved'>) => {
    const { instanceId, evidence, by } = fact.data;
    const message = by === null ? evidence?.message : 'Somebody said that it is over.';
    return ofAlert('alert.resolved', fact, { instance_id: instanceId, message, resolved_by: by }, instanceId);
  },
  AlertLostData: (fact: Of<'AlertLostData'>) => {
    const { alertId, lastAt } = fact.data;
    const last = lastAt === null ? null : iso(lastAt);
    return ofAlert('alert.no_data', fact, { state: 'no_data', last_at: last }, alertId);
  },
  AlertTested: (fact: Of<'AlertTested'>) =>
    ofAlert('alert.fired', fact, { test: true, message: 'This is a test.' }, `test/${fact.id}`),
};
