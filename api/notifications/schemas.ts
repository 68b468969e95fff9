import { severities } from '../../domain/notifications/kind.js';
import { kindNames } from '../../domain/notifications/kinds.js';
import { array, nullable, object } from '../../json-schema.js';
import { perPageMembers, perPageQuery } from '../edge/paging.js';

const text = { type: 'string' } as const;
const time = { type: 'string', format: 'date-time' } as const;
const whole = { type: 'integer', minimum: 0 } as const;

export const notification = object({
  notification_id: { ...text, examples: ['ntf_0k3v9x1m2n4p5q6r'] },
  kind: { ...text, description: 'there will be more kinds', examples: ['deployment.ready'] },
  title: text,
  body: text,
  severity: { enum: severities },
  data: { type: 'object', description: 'what the kind has to say' },
  workspace_id: { ...nullable(text), description: 'null: of no workspace, shown in each of them' },
  goal_id: nullable(text),
  link: { ...nullable(text), description: 'the path of this API where more is to be read' },
  created_at: { ...time, description: 'when it happened first, by which feeds are ordered' },
  last_at: { ...time, description: 'when it happened last: of the newest repeat that was merged' },
  read_at: { ...nullable(time), description: 'null: it is unread' },
  archived_at: nullable(time),
  group_key: { ...text, description: 'what repeats are merged by' },
  count: { ...whole, description: 'how often it happened; repeats within an hour, while unread, are merged' },
});

export const feedQuery = object(
  { ...perPageQuery() },
  {
    unread: { type: 'boolean', default: false, description: 'only what is unread' },
    archived: { type: 'boolean', default: false, description: 'what was archived, instead of all else' },
    kind: { enum: kindNames, examples: ['deployment.failed'] },
    goal_id: { ...text, maxLength: 64 },
  },
);
const unreadCount = { ...whole, description: 'unread in this workspace, whatever was asked for' } as const;
export const feedAnswer = object({
  data: object({ notifications: array(notification), unread_count: unreadCount, ...perPageMembers }),
});
export const unreadCountAnswer = object({ data: object({ unread_count: unreadCount }) });

export const oneParams = object({
  notification_id: { ...text, examples: ['ntf_0k3v9x1m2n4p5q6r'] },
});
export const markedAnswer = object({ status: { const: 'ok' }, data: notification });

export const readAllBody = object(
  {},
  {
    before: {
      type: ['string', 'number'],
      description: 'what is unread since then or earlier; now when absent',
      examples: ['2026-03-01T12:00:00.000Z'],
    },
  },
);
export const readAllAnswer = object({ status: { const: 'ok' }, before: time, unread_count: unreadCount });
