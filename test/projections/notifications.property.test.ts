import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import * as assert from 'uvu/assert';
import { memoryReadModels } from '../../adapters/memory-read-models.js';
import { memoryEventStore } from '../../adapters/memory.js';
import { notificationCommands } from '../../commands/notifications.js';
import { handler, looker } from '../../commands/engine/handle.js';
import { HOUR, MINUTE } from '../../domain/time.js';
import { applyPage } from '../../projections/engine/apply.js';
import { collectionsOf } from '../../projections/engine/projection.js';
import { reader } from '../../projections/engine/reader.js';
import { notificationsProjection as p } from '../../projections/notifications/projection.js';
import { notificationQueries, readAt } from '../../projections/notifications/queries.js';
import { suite } from '../suite.js';

const UID = 'ann';
const workspaces = ['w', 'v'];
const looked = workspaces.flatMap(each => [[each, false] as const, [each, true] as const]);
type Naive = {
  readonly workspace: string | null;
  readonly group: string;
  readonly raisedAt: number;
  readonly order: number;
  count: number;
  unread: boolean;
  archived: boolean;
};

const which = fc.nat({ max: 30 });
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('raise' as const),
      group: fc.nat({ max: 3 }),
      where: fc.nat({ max: 2 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom('read' as const, 'unread' as const, 'archive' as const),
      which,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('all' as const),
      where: fc.nat({ max: 1 }),
      back: fc.nat({ max: 90 }),
      alone: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('leave' as const), where: fc.nat({ max: 1 }) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('again' as const), which }) },
);
const steps = fc.array(fc.record({ after: fc.nat({ max: 40 }), step }), { maxLength: 40 });
const marks = {
  read: 'MarkNotificationRead',
  unread: 'MarkNotificationUnread',
  archive: 'ArchiveNotification',
} as const;

/** One inbox on stores in memory, and what it ought to be, by a list that is looked through. */
async function inbox(start: number) {
  const store = memoryEventStore();
  const models = memoryReadModels();
  await models.prepare(collectionsOf(p, 0));
  const commands = notificationCommands({ handle: handler(store, randomUUID), look: looker(store) });
  const queries = notificationQueries(reader(models, p, () => 0));
  const naive = new Map<string, Naive>();
  const causes: { id: string; at: number; where: string | null; group: string }[] = [];
  let now = start;
  const context = () => ({
    ...{ workspace: null, actor: 'a', request: null, correlation: 'c', causation: null },
    at: now,
  });
  const raise = async ({ id, at, where, group }: (typeof causes)[number]) => {
    async function* recipients() {
      yield [{ uid: UID, workspace: where, preferences: null, channels: [], timezone: 'UTC' }];
    }
    const to = { uid: UID, workspace: where };
    const notice = { kind: 'history_revised', to, goalId: null, data: {}, groupKey: group };
    await commands.tell(notice, { id, at, position: await store.head() }, recipients(), context());
  };
  const project = async () => {
    const page = await store.page(await reader(models, p, () => 0).upTo(), 1_000);
    if (page.length > 0) await applyPage(p, models, 0, page);
  };
  const open = (where: string | null, group: string) =>
    [...naive.values()].find(
      each => each.workspace === where && each.group === group && each.unread && now - each.raisedAt < HOUR,
    );
  return {
    queries,
    naive,
    at: () => now,
    pass: (minutes: number) => {
      now += minutes * MINUTE + 1;
    },
    async raise(where: string | null, group: string) {
      const cause = { id: `c${causes.length}`, at: now, where, group };
      causes.push(cause);
      await raise(cause);
      await project();
      const merged = open(where, group);
      if (merged) return void merged.count++;
      const known = (await queries.toldSince(UID, -1, Infinity, 1_000)).find(doc => !naive.has(doc._id));
      naive.set(known!._id, {
        ...{ workspace: where, group, raisedAt: now, order: causes.length, count: 1 },
        ...{ unread: true, archived: false },
      });
    },
    /** A cause that was told already changes nothing. */
    async again(nth: number) {
      const cause = causes[nth % (causes.length || 1)];
      if (cause && naive.size > 0) await raise(cause);
      await project();
    },
    async mark(verb: keyof typeof marks, nth: number) {
      const [id, item] = [...naive][nth % (naive.size || 1)] ?? [];
      if (!id || !item || (verb === 'unread' && item.unread && !item.archived)) return;
      const doc = (await queries.one(id))!;
      await commands.mark(marks[verb], { uid: UID, day: doc.day, notificationId: id }, context());
      await project();
      item.unread = verb === 'unread';
      if (verb !== 'read') item.archived = verb === 'archive';
      if (verb === 'unread') unreadSince.set(id, now);
    },
    async all(where: string, back: number, isLimited: boolean) {
      const before = now - back * MINUTE;
      await commands.readAll({ uid: UID, workspace: where, isLimited }, before, context());
      await project();
      for (const [id, item] of naive)
        if (item.workspace === where || (item.workspace === null && !isLimited))
          if ((unreadSince.get(id) ?? item.raisedAt) <= before) item.unread = false;
    },
    async leave(where: string) {
      await commands.forget(
        UID,
        { kind: 'workspace', groupId: where },
        { at: now, position: await store.head() },
        context(),
      );
      await project();
      for (const [id, item] of naive) if (item.workspace === where) naive.delete(id);
    },
  };
}
const unreadSince = new Map<string, number>();

suite('an inbox against a list that is looked through', test => {
  test('every feed, page, count and mark is as the list has it', () =>
    fc.assert(
      fc.asyncProperty(
        steps,
        fc.nat({ max: 47 }),
        fc.integer({ min: 1, max: 4 }),
        async (given, half, size) => {
          const box = await inbox(Date.UTC(2026, 2, 1) + half * 30 * MINUTE);
          for (const { after, step: each } of given) {
            box.pass(after);
            if (each.do === 'raise') await box.raise(workspaces[each.where] ?? null, `g${each.group}`);
            else if (each.do === 'all') await box.all(workspaces[each.where]!, each.back, each.alone);
            else if (each.do === 'leave') await box.leave(workspaces[each.where]!);
            else if (each.do === 'again') await box.again(each.which);
            else await box.mark(each.do, each.which);
          }
          for (const [workspace, isLimited] of looked) {
            const mine = [...box.naive]
              .filter(([, item]) => item.workspace === workspace || (item.workspace === null && !isLimited))
              .sort(([, a], [, b]) => b.order - a.order);
            const shown = mine.filter(([, item]) => !item.archived);
            const unread = shown.filter(([, item]) => item.unread);
            for (const [wanted, flag] of [
              [shown, false],
              [unread, true],
            ] as const)
              for (let offset = 0; offset <= wanted.length; offset += size) {
                const filter = { unread: flag, archived: false };
                const feed = await box.queries.feed({ uid: UID, workspace, isLimited }, filter, {
                  limit: size,
                  offset,
                });
                assert.is(feed.total, wanted.length);
                assert.is(feed.unreadCount, unread.length);
                assert.equal(
                  feed.items.map(doc => [doc._id, doc.count, readAt(doc, feed.marks) === null]),
                  wanted.slice(offset, offset + size).map(([id, item]) => [id, item.count, item.unread]),
                );
              }
          }
        },
      ),
      { numRuns: 150 },
    ));
});
