import { iso } from '../../time.js';

/**
 * A notification as it is told over a channel. `createdAt`, and `lastAt` of the newest repeat: epoch ms.
 * `workspaceId`: null where of none. `groupKey`: what repeats are merged by; `count`: how many were, so far.
 */
export type Telling = {
  readonly notificationId: string;
  readonly kind: string;
  readonly title: string;
  readonly body: string;
  readonly severity: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly workspaceId: string | null;
  readonly goalId: string | null;
  /** Where more is to be read: a path of the API; null: nowhere. */
  readonly link: string | null;
  readonly createdAt: number;
  readonly lastAt: number;
  readonly groupKey: string;
  readonly count: number;
};

/** What one delivery says: of one notification, or a digest of many, oldest first. */
export type Content = { readonly digest: boolean; readonly tellings: readonly Telling[] };
export type Mail = { readonly subject: string; readonly text: string };

/** What whoever sees the message first should know: how many, where there is not one alone. */
const subjectOf = ({ digest, tellings }: Content): string => {
  const [first] = tellings;
  if (!digest && first) return first.title;
  return tellings.length === 1 ? '1 notification' : `${tellings.length} notifications`;
};

const MARKS: Readonly<Record<string, string>> = { warning: '[warning] ', critical: '[critical] ' };
const titleOf = ({ severity, title }: Telling): string => `${MARKS[severity] ?? ''}${title}`;

/** Who reads it elsewhere needs the whole address: `base` is where the API is reached, without a slash. */
const textOf = (telling: Telling, base: string): string =>
  [titleOf(telling), telling.body, ...(telling.link === null ? [] : [base + telling.link])]
    .filter(line => line !== '')
    .join('\n');

export const mailOf = (content: Content, base: string): Mail => ({
  subject: oneLine(`${MARKS[severest(content)] ?? ''}${subjectOf(content)}`),
  text: `${content.tellings.map(telling => textOf(telling, base)).join('\n\n')}\n`,
});

const severest = ({ tellings }: Content): string =>
  ['critical', 'warning'].find(severity => tellings.some(telling => telling.severity === severity)) ?? 'info';

const LONGEST_SUBJECT = 200;
const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim().slice(0, LONGEST_SUBJECT);

/** The body of a delivery to a webhook, as Standard Webhooks has it; a digest's time is its newest one's. */
export function webhookOf({ digest, tellings }: Content): object {
  const [first] = tellings;
  if (!digest && first) return { type: first.kind, timestamp: iso(first.createdAt), data: itemOf(first) };
  const newest = Math.max(0, ...tellings.map(({ createdAt }) => createdAt));
  return { type: 'digest', timestamp: iso(newest), data: { notifications: tellings.map(itemOf) } };
}

const itemOf = (telling: Telling): object => ({
  notification_id: telling.notificationId,
  kind: telling.kind,
  title: telling.title,
  body: telling.body,
  severity: telling.severity,
  data: telling.data,
  workspace_id: telling.workspaceId,
  goal_id: telling.goalId,
  link: telling.link,
  created_at: iso(telling.createdAt),
  last_at: iso(telling.lastAt),
  group_key: telling.groupKey,
  count: telling.count,
});

/** The body of a message to Slack: what its syntax would take for a command or a link is plain text. */
export const slackOf = (content: Content, base: string): object => ({
  text: content.tellings
    .map(telling => {
      const [title, ...rest] = textOf(telling, base).split('\n').map(escaped);
      return [`*${title}*`, ...rest].join('\n');
    })
    .join('\n\n'),
});

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

export const codeMail = (code: string): Mail => ({
  subject: 'Your verification code',
  text:
    `${code} confirms that notifications may be sent to this address. It is valid for 30 minutes.\n`
    + 'If you did not ask for it, ignore this message.\n',
});

export const codeSlack = (code: string): object => ({
  text: `${code} confirms that notifications may be sent to this channel. It is valid for 30 minutes.`,
});
