import type { InboxFact } from '../../../domain/notifications/facts.js';
import { inboxes, type InboxCommand } from '../../../domain/notifications/inbox.js';
import { HOUR } from '../../../domain/time.js';
import { fold } from '../../../domain/decider.js';
import { given, stored } from '../../spec.js';
import { suite } from '../../suite.js';

const of = { uid: 'ann', day: '2026-03-01' } as const;
const NOON = Date.parse('2026-03-01T12:00:00Z');
const told = { kind: 'deployment.ready', data: {}, workspace: 'w', goalId: null, groupKey: 'g' } as const;
const raised = (notificationId: string, cause = notificationId, over: object = {}) =>
  ({
    type: 'NotificationRaised',
    data: { ...of, ...told, notificationId, cause, inApp: true, deliveries: [], ...over },
    at: NOON,
  }) as const satisfies InboxFact & { at: number };
const bare = ({ type, data }: InboxFact): InboxFact => ({ type, data }) as InboxFact;
const raise = (notificationId: string, now = NOON, over: object = {}): InboxCommand => ({
  type: 'RaiseNotification',
  data: {
    yesterday: inboxes.initialState,
    ...raised(notificationId, notificationId, over).data,
    position: 50,
    now,
  },
});
const repeated = (notificationId: string, cause: string): InboxFact => ({
  type: 'NotificationRepeated',
  data: { ...of, notificationId, cause, data: {} },
});
const marked = (type: 'NotificationRead' | 'NotificationUnread' | 'NotificationArchived', id = 'n1') =>
  ({ type, data: { ...of, notificationId: id }, at: NOON + 1 }) as const;
const mark = (type: 'MarkNotificationRead' | 'MarkNotificationUnread' | 'ArchiveNotification', id = 'n1') =>
  ({ type, data: { ...of, notificationId: id } }) as const;
const allRead = (before: number) =>
  ({ type: 'NotificationsRead', data: { ...of, workspace: 'w', before }, at: before }) as const;
const left = (upTo: number) =>
  ({ type: 'NotificationsForgotten', data: { ...of, workspace: 'w', upTo } }) as const;

suite('an inbox tells once', test => {
  test('something new', () =>
    given(inboxes)
      .when(raise('n1'))
      .then(bare(raised('n1'))));
  test('and never the same cause again, also when it was merged or is read', () => {
    given(inboxes, raised('n1'))
      .when(raise('n1', NOON + 5 * HOUR))
      .thenNothing();
    given(inboxes, raised('n1'), repeated('n1', 'n2')).when(raise('n2')).thenNothing();
    given(inboxes, raised('n1'), marked('NotificationRead')).when(raise('n1')).thenNothing();
  });
});

suite('repeats of a group', test => {
  const merges = (past: InboxFact[], now = NOON + HOUR - 1, over: object = {}) =>
    given(inboxes, raised('n1'), ...past).when(raise('n2', now, over));

  test('merge within an hour while unread', () => merges([]).then(repeated('n1', 'n2')));
  test('do not after an hour', () => merges([], NOON + HOUR).then(bare(raised('n2'))));
  test('do not once it is read', () => merges([marked('NotificationRead')]).then(bare(raised('n2'))));
  test('do again once it is unread', () =>
    merges([marked('NotificationRead'), marked('NotificationUnread')]).then(repeated('n1', 'n2')));
  test('do not once it is archived', () => merges([marked('NotificationArchived')]).then(bare(raised('n2'))));
  test('do not once all are read', () => merges([allRead(NOON)]).then(bare(raised('n2'))));
  test('do when all before it are read', () => merges([allRead(NOON - 1)]).then(repeated('n1', 'n2')));
  test('are of one workspace and one group', () => {
    const elsewhere = { workspace: 'v' };
    merges([], NOON, elsewhere).then(bare(raised('n2', 'n2', elsewhere)));
    const other = { groupKey: 'h' };
    merges([], NOON, other).then(bare(raised('n2', 'n2', other)));
  });
  test('belong to what stands open of the day before', () => {
    const onto = (past: InboxFact[], today: InboxFact[] = []) =>
      given(inboxes, ...today).when(
        raise('n2', NOON, { yesterday: fold(inboxes, inboxes.initialState, stored(raised('n1'), ...past)) }),
      );
    onto([]).then(repeated('n1', 'n2'));
    const anew = bare(raised('n2'));
    onto([marked('NotificationRead')]).then(anew);
    onto([left(40)]).then(anew);
    // What was read or left as a whole since midnight
    onto([], [allRead(NOON)]).then(anew);
    onto([], [left(40)]).then(anew);
    // The oldest of those that are open
    onto([], [raised('n3')]).then(repeated('n1', 'n2'));
    onto([marked('NotificationRead')], [raised('n3')]).then(repeated('n3', 'n2'));
  });
});

suite('marks', test => {
  test('read', () => {
    given(inboxes, raised('n1'))
      .when(mark('MarkNotificationRead'))
      .then(bare(marked('NotificationRead')));
    given(inboxes, raised('n1'), marked('NotificationRead')).when(mark('MarkNotificationRead')).thenNothing();
    given(inboxes, raised('n1'))
      .when(mark('MarkNotificationRead', 'n9'))
      .thenRejected(/not found/);
  });
  test('unread is said each time: that all were read may stand in another day', () => {
    const unread = bare(marked('NotificationUnread'));
    given(inboxes, raised('n1')).when(mark('MarkNotificationUnread')).then(unread);
    given(inboxes)
      .when(mark('MarkNotificationUnread'))
      .thenRejected(/not found/);
  });
  test('archived', () => {
    const archived = marked('NotificationArchived');
    given(inboxes, raised('n1')).when(mark('ArchiveNotification')).then(bare(archived));
    given(inboxes, raised('n1'), archived).when(mark('ArchiveNotification')).thenNothing();
    given(inboxes, raised('n1'), archived, marked('NotificationUnread'))
      .when(mark('ArchiveNotification'))
      .then(bare(archived));
    given(inboxes)
      .when(mark('ArchiveNotification'))
      .thenRejected(/not found/);
  });
  test('all read', () => {
    const readAll = { type: 'ReadNotifications', data: allRead(NOON).data } as const;
    given(inboxes, raised('n1'))
      .when(readAll)
      .then(bare(allRead(NOON)));
    given(inboxes, allRead(NOON)).when(readAll).thenNothing();
    given(inboxes, allRead(NOON - 1))
      .when(readAll)
      .then(bare(allRead(NOON)));
  });
});

suite('what was read long ago', test => {
  test('is forgotten once by each mark of all', () => {
    const forget = (mark: object) =>
      ({ type: 'ForgetReadNotifications', data: { ...of, workspace: 'w', before: 1, ...mark } }) as const;
    const forgotten = (mark: object) => ({ ...forget(mark), type: 'ReadNotificationsForgotten' }) as const;
    const past = [forgotten({}), forgotten({ before: 2, alone: true })];
    for (const mark of [{}, { before: 2, alone: true as const }])
      given(inboxes, ...past)
        .when(forget(mark))
        .thenNothing();
    for (const mark of [{ before: 2 }, { alone: true as const }, { workspace: 'v' }])
      given(inboxes, ...past)
        .when(forget(mark))
        .then(forgotten(mark));
  });
});

suite('who leaves a workspace', test => {
  const forget = { type: 'ForgetNotifications', data: left(60).data } as const;
  test('has nothing of it any more', () => {
    given(inboxes, raised('n1')).when(forget).then(left(60));
    given(inboxes, raised('n1'), left(60)).when(forget).thenNothing();
    given(inboxes, raised('n1'), left(60))
      .when(mark('MarkNotificationRead'))
      .thenRejected(/not found/);
  });
  test('has nothing of an organization, once they left that', () => {
    const ofOrganization = { workspace: null, data: { organization_id: 'o' } };
    const gone = {
      type: 'NotificationsForgotten',
      data: { ...of, workspace: null, organization: 'o', upTo: 60 },
    } as const;
    const read = mark('MarkNotificationRead');
    const past = raised('n1', 'n1', ofOrganization);
    given(inboxes, past, gone)
      .when(read)
      .thenRejected(/not found/);
    given(inboxes, gone)
      .when(raise('n1', NOON, ofOrganization))
      .thenNothing();
    given(inboxes, gone).when({ type: 'ForgetNotifications', data: gone.data }).thenNothing();
    // What is of a workspace, of nothing, or comes before any membership stays
    for (const other of [
      { ...ofOrganization, workspace: 'w' },
      { workspace: null },
      { ...ofOrganization, kind: 'workspace.invitation' },
    ])
      given(inboxes, raised('n1', 'n1', other), gone)
        .when(read)
        .then(bare(marked('NotificationRead')));
  });
  test('is not told of what happened before, and of what happens once they are back', () => {
    given(inboxes, raised('n1'), left(60)).when(raise('n2')).thenNothing();
    given(inboxes, raised('n1'), left(40))
      .when(raise('n2'))
      .then(bare(raised('n2')));
  });
});
