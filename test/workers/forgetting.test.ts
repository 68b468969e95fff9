import * as assert from 'uvu/assert';
import { DAY, HOUR } from '../../domain/time.js';
import { channelsProjection } from '../../projections/channels/projection.js';
import { notificationsProjection } from '../../projections/notifications/projection.js';
import { channelsApi, PATH } from '../api/channels-world.js';
import { toldBy } from '../api/notifications-world.js';
import { differences } from '../crash/inspect.js';
import { until } from '../platform.js';
import { answering, echoing, receiver } from '../receivers.js';
import { suite } from '../suite.js';

suite('what was over long ago', test => {
  let world: Awaited<ReturnType<typeof channelsApi>>;
  test.before.each(async () => {
    world = await channelsApi();
  });
  test.after.each(() => world.close());

  const asReplayed = async (): Promise<void> => {
    for (const p of [notificationsProjection, channelsProjection])
      assert.equal(await differences(world.platform, p), []);
  };

  test('what was read or archived goes 90 days later, and what is unread stays', async () => {
    const { platform, api, ann, clock, workspace } = world;
    const { uid } = api.installed;
    const { queries } = platform.areas.notifications;
    const tell = () => toldBy(platform, uid, workspace);
    const mark = async (id: string, verb: string) =>
      assert.is((await ann.post(`/v1/notifications/${id}/${verb}`)).status, 200);
    const isThere = async (id: string): Promise<boolean> => (await queries.one(id)) !== null;
    const gone = (...ids: string[]) =>
      until(
        async () => (await Promise.all(ids.map(isThere))).every(found => !found),
        `${ids} being forgotten`,
      );

    const [first, second, brought, marked] = [await tell(), await tell(), await tell(), await tell()];
    clock.now += HOUR;
    await mark(first, 'read');
    await mark(brought, 'archive');
    await ann.post('/v1/notifications/read-all', {});
    clock.now += HOUR;
    for (const each of [brought, marked]) await mark(each, 'unread');
    const archived = await tell();
    clock.now += 40 * DAY;
    const late = await tell();
    await mark(archived, 'archive');
    clock.now += 52 * DAY;
    await gone(first, second);
    for (const each of [brought, marked, archived, late]) assert.ok(await isThere(each), each);
    assert.is((await ann.post(`/v1/notifications/${first}/unread`)).status, 404);
    const { notifications, unread_count } = await world.feed();
    assert.equal(notifications.map(each => each.notification_id).sort(), [brought, marked, late].sort());
    assert.is(unread_count, 3);
    await asReplayed();

    clock.now += 40 * DAY;
    await gone(archived);
    await ann.post('/v1/notifications/read-all', {});
    clock.now += HOUR;
    const fresh = await tell();
    clock.now += 92 * DAY;
    await gone(brought, marked, late);
    assert.equal(
      (await world.feed()).notifications.map(each => each.notification_id),
      [fresh],
    );
    await asReplayed();
  });

  test('deliveries go 30 days after they ended or were parked', async () => {
    const { ann, clock } = world;
    const hook = await receiver(echoing);
    const made = (await ann.post(PATH, { type: 'webhook', target: hook.url })).body.data;
    const path = `${PATH}/${made.channel_id}/deliveries`;
    type Shown = { readonly delivery_id: string; readonly status: string };
    const shown = async (): Promise<Shown[]> => (await ann.get(path)).body.data.deliveries;
    const settled = (...wanted: string[]) =>
      until(async () => {
        const all = await shown();
        return String(all.map(({ status }) => status)) === String(wanted) && all;
      }, `deliveries that are ${wanted}`);
    await world.degrade('prm_1');
    await settled('delivered');
    clock.now += 20 * DAY;
    hook.answers(answering(410));
    await world.degrade('prm_2');
    const [parked, delivered] = await settled('parked', 'delivered');
    clock.now += 12 * DAY;
    await settled('parked');
    assert.is((await ann.get(`${path}/${delivered!.delivery_id}`)).status, 404);
    assert.is((await ann.get(`${path}/${parked!.delivery_id}`)).status, 200);
    clock.now += 20 * DAY;
    await settled();
    assert.is((await ann.post(`${path}/${parked!.delivery_id}/replay`)).status, 404);
    await asReplayed();
    await hook.close();
  });
});
