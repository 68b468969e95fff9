import type {
  AlertAcknowledged,
  AlertChanged,
  AlertCheckFailed,
  AlertCheckRecovered,
  AlertCreated,
  AlertDeleted,
  AlertFired,
  AlertLostData,
  AlertRegainedData,
  AlertResolved,
  AlertSnoozed,
} from '../../domain/alerts/facts.js';
import { iso } from '../../domain/time.js';
import type { HappeningDoc } from './documents.js';

type Told = Pick<HappeningDoc, 'kind' | 'data'>;
const made =
  (kind: string) =>
  ({ alertId, settings: { name, watched } }: (AlertCreated | AlertChanged)['data']): Told => ({
    kind,
    data: { alert_id: alertId, name, alert_kind: watched.kind },
  });
const ofRule =
  (kind: string) =>
  ({ alertId }: (AlertDeleted | AlertRegainedData | AlertCheckRecovered)['data']): Told => ({
    kind,
    data: { alert_id: alertId },
  });

/** What is told of the alerts of a goal; not of single checks, which led to nothing yet. */
export const ofAlerts = {
  AlertCreated: made('alert.created'),
  AlertChanged: made('alert.changed'),
  AlertDeleted: ofRule('alert.deleted'),
  AlertFired: ({ alertId, instanceId, name, severity, evidence }: AlertFired['data']): Told => ({
    kind: 'alert.fired',
    data: { alert_id: alertId, instance_id: instanceId, name, severity, message: evidence.message },
  }),
  AlertAcknowledged: ({ alertId, instanceId, by }: AlertAcknowledged['data']): Told => ({
    kind: 'alert.acknowledged',
    data: { alert_id: alertId, instance_id: instanceId, by },
  }),
  AlertSnoozed: ({ alertId, instanceId, by, until }: AlertSnoozed['data']): Told => ({
    kind: 'alert.snoozed',
    data: { alert_id: alertId, instance_id: instanceId, by, until: iso(until) },
  }),
  AlertResolved: ({ alertId, instanceId, name, by }: AlertResolved['data']): Told => ({
    kind: 'alert.resolved',
    data: { alert_id: alertId, instance_id: instanceId, name, by },
  }),
  AlertLostData: ({ alertId, name, lastAt }: AlertLostData['data']): Told => ({
    kind: 'alert.no_data',
    data: { alert_id: alertId, name, last_at: lastAt === null ? null : iso(lastAt) },
  }),
  AlertRegainedData: ofRule('alert.data_back'),
  AlertCheckFailed: ({ alertId, code, message }: AlertCheckFailed['data']): Told => ({
    kind: 'alert.failed',
    data: { alert_id: alertId, code, message },
  }),
  AlertCheckRecovered: ofRule('alert.recovered'),
} as const;
