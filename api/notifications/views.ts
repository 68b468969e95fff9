import { readingOf } from '../../domain/notifications/kinds.js';
import { iso } from '../../domain/time.js';
import {
  lastAt,
  NO_WORKSPACE,
  type InboxDoc,
  type NotificationDoc,
} from '../../projections/notifications/documents.js';
import { readAt } from '../../projections/notifications/queries.js';

const isoOrNull = (at: number | null): string | null => (at === null ? null : iso(at));

/** A notification as it is shown, everywhere. */
export function notificationView(doc: NotificationDoc, marks: InboxDoc['marks']) {
  const { title, body, severity, link } = readingOf(doc.kind, doc.data);
  return {
    notification_id: doc._id,
    kind: doc.kind,
    ...{ title, body, severity },
    data: doc.data,
    workspace_id: doc.workspace === NO_WORKSPACE ? null : doc.workspace,
    goal_id: doc.goal_id,
    link,
    created_at: iso(doc.created_at),
    last_at: iso(lastAt(doc)),
    read_at: isoOrNull(readAt(doc, marks)),
    archived_at: isoOrNull(doc.archived_at),
    group_key: doc.group_key,
    count: doc.count,
  };
}
