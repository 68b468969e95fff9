import { eventConfigView } from '../../domain/ingestion/event-config.js';
import type { SourceStatus } from '../../domain/ingestion/sources/state.js';
import { DAY, HOUR, iso } from '../../domain/time.js';
import type { SourceDoc, SourceHour } from '../../projections/ingestion/source-documents.js';
import { restIn } from './poll-sources.js';
import type { Connector } from './connectors.js';

export const isoOrNull = (at: number | null): string | null => (at === null ? null : iso(at));

/** Where deliveries go; null for sources that take none. */
export function urlsOf(publicUrl: string, sourceId: string, takesDeliveries: boolean) {
  const base = takesDeliveries ? `${publicUrl}/v1/ingestion/webhooks/${sourceId}` : null;
  return {
    webhook_url_events: base && `${base}/events`,
    webhook_url_signal: base && `${base}/signal`,
    webhook_url: base && `${base}/events`,
  };
}

const DAY_HOURS = DAY / HOUR;

/** What the hours of the last day brought, the present one and 24 before it. */
function countersOf(hours: readonly SourceHour[], now: number) {
  const from = Math.floor(now / HOUR) - DAY_HOURS;
  const sum = (count: 'deliveries' | 'accepted' | 'duplicates' | 'rejected' | 'bytes' | 'repeats'): number =>
    hours.reduce((total, hour) => (hour.hour >= from ? total + hour[count] : total), 0);
  return {
    deliveries: sum('deliveries'),
    accepted: sum('accepted'),
    duplicates: sum('duplicates'),
    rejected: sum('rejected'),
    bytes: sum('bytes'),
    suspected_replays: sum('repeats'),
  };
}

/** What it is to become by itself it is as good as: the fact of it follows within a second. */
const statusOf = ({ status, due }: SourceDoc): SourceStatus =>
  due === null ? status : ({ failing: 'failing', recovered: 'active' } as const)[due];

/** A source as answers show it; `now`: epoch ms. */
export const sourceView = (doc: SourceDoc, publicUrl: string, now: number) => ({
  source_id: doc._id,
  name: doc.name,
  connector_id: doc.connector_id,
  kind: doc.kind,
  mode: doc.mode,
  stream: doc.event_config.stream,
  status: statusOf(doc),
  config: doc.config,
  event_config: { ...eventConfigView(doc.event_config), ...(doc.mode === 'poll' && restIn(doc.config)) },
  ...urlsOf(publicUrl, doc._id, doc.mode === 'push'),
  has_secret: doc.has_secret,
  previous_secret_expires_at: isoOrNull(
    doc.grace_until !== null && doc.grace_until > now ? doc.grace_until : null,
  ),
  job_ids: doc.job_ids,
  created_at: iso(doc.created_at),
  updated_at: iso(doc.updated_at),
  last_delivery_at: isoOrNull(doc.last_delivery_at),
  counters_24h: countersOf(doc.hours, now),
  last_error: doc.last_error && { ...doc.last_error, at: iso(doc.last_error.at) },
});

export const connectorView = ({ id, name, kind, produces, config, status }: Connector) => ({
  ...{ connector_id: id, name, kind, produces, config_schema: config, status },
});
