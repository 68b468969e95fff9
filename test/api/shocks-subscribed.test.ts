import * as assert from 'uvu/assert';
import { marketplaceCommands } from '../../commands/marketplace.js';
import type { Installed } from '../../commands/installation.js';
import type { Json } from '../json.js';
import { peopleOf } from '../people.js';
import { send, startPlatform, temporaryFolder, until, type Running } from '../platform.js';
import { suite } from '../suite.js';
import { checkpointOf } from '../../workers/engine/reactor.js';
import { activeGoal, forecastsOf, goalSettings } from './forecasts-world.js';
import { HOUR_S, hours, push, START_S } from './segments-world.js';
import { becomes, edgeOf, goalOf, record, shocksOf } from './shocks-world.js';

const LENGTH = 120;
const value = (i: number): number => 50 + 3 * Math.sin((i * Math.PI) / 12) + (i % 5) / 10;
const options = { ...goalSettings().options, importanceBar: 0.1 };
const TEXT = 'Fire destroys the main warehouse, all deliveries are halted, losses are huge';

suite('shocks by streams that are subscribed to', test => {
  const folder = temporaryFolder();
  let now = (START_S + LENGTH * HOUR_S) * 1_000 + 60_000;
  let publisher: Running;
  let subscriber: Running;
  let other: Running;
  let market: ReturnType<typeof marketplaceCommands>;
  let people: ReturnType<typeof peopleOf>;
  let listing: string;
  let goalId: string;
  let othersGoal: string;
  const alias = () => `mkt-evt:${listing}:news`;

  const seenBy = (installed: Installed): Running => ({
    ...publisher,
    installed,
    call: (method, path, sent) => send(publisher.base, method, path, installed, sent),
  });
  const done = async ({ position }: { readonly position: number | null }) =>
    publisher.platform.visible(position);
  const happens = (): Promise<string> => {
    now += 1_000;
    return record(publisher, { key: 'news', text: `${TEXT} ${now}` });
  };
  /** Waits until all events are answered. */
  const answered = async (): Promise<void> => {
    const { events, models } = publisher.platform.stores;
    const head = await events.head();
    const reached = () => models.checkpoint(checkpointOf({ name: 'shock-entry' }));
    await until(async () => (await reached()) >= head, 'all events answered');
  };
  const driven = async (running: Running, stream: string): Promise<string> => {
    await push(running, 'sales', hours(LENGTH, value));
    const goal = await activeGoal(running, goalSettings({ options }));
    await edgeOf(running, goal, stream);
    await forecastsOf(running, goal, 1);
    return goal;
  };

  test.before(async () => {
    const env = { SERVING_THREADS: '1', COMPUTE_WORKERS: '1' };
    publisher = await startPlatform(folder.path, { clock: () => now, env });
    market = marketplaceCommands(publisher.platform.handle);
    people = peopleOf(publisher.platform);
    const { workspaceId } = publisher.installed;
    subscriber = seenBy(await people.tenant('reader@example.org'));
    other = seenBy(await people.tenant('other@example.org'));
    await record(publisher, { key: 'news', text: 'All is well', occurred_at: now - 90 * 86_400_000 });
    const offered = { title: 'News', keys: [], streams: ['news'] };
    const drafted = await market.draft(workspaceId, offered, people.operator());
    await done(drafted);
    listing = drafted.listingId;
    await done(await market.publish(workspaceId, listing, people.operator()));
    const { workspaceId: reader } = subscriber.installed;
    await done(await market.subscribe(reader, listing, workspaceId, people.operator()));
    goalId = await driven(subscriber, alias());
    // Its edge is there, the right to read the stream is not
    othersGoal = await driven(other, alias());
  });
  test.after(async () => {
    await publisher.stop();
    folder.remove();
  });

  test("an event of the publisher's puts a subscriber's goal into one, and is not theirs", async () => {
    const eventId = await happens();
    const { shock } = await becomes(subscriber, goalId, 'shock');
    assert.equal(
      shock.causes.map((one: Json) => [one.event_id, one.stream]),
      [[eventId, alias()]],
    );
    const [forecast] = await until(async () => {
      const { json } = await subscriber.call('GET', `/v1/goals/${goalId}/forecasts`);
      const found = json.data.forecasts.filter((one: Json) => one.trigger === 'shock');
      return found.length > 0 && found;
    }, 'a shocked forecast');
    assert.is(forecast.shock_state, 'shock');
    const [told] = await until(async () => {
      const { json } = await subscriber.call('GET', '/v1/notifications?kind=goal.shock_entered');
      return json.data.notifications.length > 0 && json.data.notifications;
    }, 'a notification');
    assert.is(told.data.event_id, eventId);
    assert.is((await subscriber.call('DELETE', `/v1/event/${eventId}`)).status, 403);
  });

  test('nobody else hears of it: not who does not subscribe, nor the publisher', async () => {
    await answered();
    assert.is((await goalOf(other, othersGoal)).shock_state, 'normal');
    assert.equal(await shocksOf(other, othersGoal), []);
    const { json } = await publisher.call('GET', '/v1/notifications?kind=goal.shock_entered');
    assert.equal(json.data.notifications, []);
    const { causes } = (await goalOf(subscriber, goalId)).shock;
    const seen = (await publisher.call('GET', `/v1/event/${causes[0].event_id}`)).json.data;
    assert.equal(seen.effects, []);
  });

  test('it is a cause no more when the publisher withdraws it', async () => {
    const eventId = await happens();
    await until(
      async () => (await goalOf(subscriber, goalId)).shock.causes.length === 2 || null,
      'the second cause',
    );
    assert.is((await publisher.call('DELETE', `/v1/event/${eventId}`)).status, 200);
    const removed = await until(async () => {
      const { causes } = (await goalOf(subscriber, goalId)).shock;
      return causes.some((one: Json) => one.removed) && causes;
    }, 'what was withdrawn to be none');
    assert.equal(
      removed.map((one: Json) => [one.event_id === eventId, one.removed]),
      [
        [false, null],
        [true, 'event'],
      ],
    );
  });

  test('when the subscription ends so does the shock, and further events begin none', async () => {
    const { workspaceId } = subscriber.installed;
    await done(await market.unsubscribe(workspaceId, listing, people.operator()));
    await until(async () => {
      const [episode] = await shocksOf(subscriber, goalId);
      return episode.ended_at !== null || null;
    }, 'the end of the shock');
    await happens();
    await answered();
    assert.is((await shocksOf(subscriber, goalId)).length, 1);
  });
});
