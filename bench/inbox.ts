import { randomUUID } from 'node:crypto';
import { readConfig } from '../config.js';
import type { Message } from '../domain/fact.js';
import { dayOf } from '../domain/notifications/forgetting.js';
import { inboxId } from '../domain/notifications/inbox.js';
import { DAY, HOUR } from '../domain/time.js';
import { openPlatform } from '../main.js';
import { temporaryFolder } from '../test/platform.js';
import { median, table } from './common.js';

/**
 * What marks, notifications and looks at the feed cost in an inbox that holds many of one day already, and as
 * many read ones of older days: medians in ms. `node dist/bench/inbox.js [--sizes=1000,10000,40000]`
 */
const given = process.argv.find(arg => arg.startsWith('--sizes='))?.slice('--sizes='.length);
const SIZES = (given ?? '1000,10000,40000').split(',').map(Number);
const ROUNDS = 21;
const AT_ONCE = 500;
const NOON = Date.UTC(2026, 4, 4, 12);
const silent = { info() {}, warn() {}, error() {}, debug() {} };
const context = {
  ...{ workspace: null, actor: 'bench', request: null, correlation: 'c', causation: null },
};

async function measured(size: number): Promise<string[]> {
  const folder = temporaryFolder();
  const clock = { now: NOON };
  const config = readConfig({ DATA_DIR: folder.path, LOG_LEVEL: 'silent' });
  const platform = await openPlatform({
    config,
    ...{ log: silent, running: ['projections'], owner: 'bench', clock: () => clock.now },
  });
  const { stores, visible } = platform;
  const { commands, queries } = platform.areas.notifications;
  const [uid, workspace] = ['usr_bench', 'wsp_bench'];

  const raised = (day: string, nth: number): Message => ({
    type: 'NotificationRaised',
    data: {
      ...{ uid, day, notificationId: `ntf_${day}_${nth}`, cause: `${randomUUID()}/deployment.ready` },
      ...{ kind: 'deployment.ready', data: { promotion_id: `prm_${nth}` }, workspace, goalId: null },
      ...{ groupKey: `deployment.ready/prm_${nth}`, inApp: true, deliveries: [] },
    },
  });
  const fill = async (at: number, messages: readonly Message[]): Promise<void> => {
    const journal = `inbox-${inboxId(uid, dayOf(at))}`;
    for (let from = 0; from < messages.length; from += AT_ONCE) {
      const facts = messages.slice(from, from + AT_ONCE);
      await stores.events.append(
        journal,
        from - 1,
        facts.map(fact => ({ ...fact, id: randomUUID(), at, meta: context })),
      );
    }
  };
  const many = (at: number): Message[] => Array.from({ length: size }, (_, nth) => raised(dayOf(at), nth));
  for (let nth = 1; nth <= 2; nth++) {
    const before = NOON - nth * DAY;
    const all = { uid, day: dayOf(before), workspace, before: before + HOUR, alone: true };
    await fill(before, [...many(before), { type: 'NotificationsRead', data: all }]);
  }
  await fill(NOON - 2 * HOUR, many(NOON));
  await visible(await stores.events.head());

  const looking = { uid, workspace, isLimited: false };
  const page = { limit: 50, offset: 0 };
  const tell = (nth: number, at: number) => {
    const to = { uid, workspace };
    async function* recipients() {
      yield [{ ...to, preferences: null, channels: [], timezone: 'UTC' }];
    }
    const notice = { kind: 'deployment.ready', goalId: null, data: {}, groupKey: `new/${nth}`, to };
    return commands.tell(notice, { id: `new/${nth}`, at, position: null }, recipients(), {
      ...context,
      at: clock.now,
    });
  };
  const one = (nth: number) => ({ uid, day: dayOf(NOON), notificationId: `ntf_${dayOf(NOON)}_${nth}` });
  const times = async (each: (nth: number) => Promise<unknown>): Promise<string> => {
    const took: number[] = [];
    for (let nth = 0; nth <= ROUNDS; nth++) {
      const begun = performance.now();
      await each(nth);
      if (nth > 0) took.push(performance.now() - begun);
    }
    return median(took).toFixed(2);
  };
  const row = [
    String(size),
    await times(nth => commands.mark('MarkNotificationRead', one(nth), { ...context, at: clock.now })),
    await times(nth => commands.mark('ArchiveNotification', one(nth), { ...context, at: clock.now })),
    await times(nth => tell(nth, NOON)),
    await times(() => queries.unreadCount(looking)),
    await times(() => queries.feed(looking, { unread: false, archived: false }, page)),
    await times(() => queries.feed(looking, { unread: true, archived: false }, page)),
  ];
  clock.now = Date.parse(dayOf(NOON + DAY)) + HOUR / 2;
  row.push(await times(nth => tell(-1 - nth, clock.now)));
  await platform.stop();
  folder.remove();
  return row;
}

const rows: string[][] = [];
for (const size of SIZES) rows.push(await measured(size));
const head = [
  'of a day',
  'read',
  'archive',
  'tell',
  'unread-count',
  'feed',
  'feed, unread',
  'tell at midnight',
];
table(head, rows);
