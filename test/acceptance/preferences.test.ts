import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { until } from '../platform.js';
import { suite } from '../suite.js';
import { feedOf, item, person, type Person } from './inbox.js';
import { LOCAL, receive, type Receiver } from './receivers.js';
import { deploy, expected, openWorld, places, type World } from './world.js';

// What reaches somebody where, and when (open-parts 21, 32.33).
// Readings: PUT takes the whole, what is left out has its default; quiet hours hold deliveries back until
// they end, and never the feed.

const path = '/v1/notifications/preferences';
/** The hour of a moment in a zone, as `22:05`. */
const hour = (ms: number, timeZone = 'UTC'): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' }).format(ms);

suite('acceptance: preferences', test => {
  let world: World;
  let ada: Person;
  let receiver: Receiver;
  let channel = '';
  const put = (body: object) => ada.api.put<Json>(path, body);
  const got = () => receiver.got.map(({ body }) => body.data?.data?.role).filter(role => role !== undefined);
  test.before(async () => {
    world = await openWorld(LOCAL);
    ada = await person(world);
    receiver = await receive();
    const body = { type: 'webhook', name: 'Ops', target: `${receiver.url}/` };
    const made = expected(await ada.api.post<Json>('/v1/notifications/channels', body), 201);
    channel = made.data.channel_id;
    await until(async () => {
      const found = await ada.api.get<Json>(`/v1/notifications/channels/${channel}`);
      return expected(found).data.status === 'active';
    }, 'the channel being active');
  });
  test.after(async () => {
    receiver.close();
    await world.close();
  });

  test('somebody who has set nothing has the defaults', async () => {
    const { data } = expected(await ada.api.get<Json>(path));
    assert.equal(data.defaults, { in_app: true, email: false });
    assert.equal([data.kinds, data.quiet_hours, data.digest], [{}, null, 'off']);
  });

  test('what is set is what is read, for this person alone', async () => {
    const body = {
      defaults: { in_app: true, email: false },
      kinds: { 'workspace.role_changed': { [channel]: true, email: true }, 'alert.fired': { in_app: false } },
      min_severity: { email: 'warning' },
      quiet_hours: { from: '22:00', to: '07:00', timezone: 'Europe/Berlin', except_critical: true },
      digest: 'weekly',
    };
    expected(await put(body));
    assert.equal(expected(await ada.api.get<Json>(path)).data, body);
    assert.is(expected(await world.api.get<Json>(path)).data.digest, 'off');
    expected(await put({}));
    assert.is(expected(await ada.api.get<Json>(path)).data.digest, 'off');
  });

  test('what cannot be is refused by name', async () => {
    const quiet = { from: '22:00', to: '07:00', timezone: 'Europe/Berlin', except_critical: true };
    const faults: [object, string][] = [
      [{ digest: 'hourly' }, 'body.digest'],
      [{ quiet_hours: { ...quiet, timezone: 'Mars/Olympus' } }, 'body.quiet_hours.timezone'],
      [{ quiet_hours: { ...quiet, from: '25:00' } }, 'body.quiet_hours.from'],
      [{ quiet_hours: { ...quiet, to: 'dawn' } }, 'body.quiet_hours.to'],
      [{ min_severity: { email: 'grave' } }, 'body.min_severity.email'],
      [{ kinds: { 'workspace.role_changed': { email: 'yes' } } }, 'body.kinds.workspace.role_changed.email'],
    ];
    for (const [body, place] of faults) assert.equal(places(await put(body)), [place]);
    assert.match(places(await put({ kinds: { gossip: { email: true } } })).join(), /body\.kinds/);
    const foreign = { 'workspace.role_changed': { chn_nobodys: true } };
    assert.match(places(await put({ kinds: foreign })).join(), /body\.kinds/);
  });

  test('a kind that is not wanted in the feed is not there', async () => {
    const owner = (body: object) => world.api.put<Json>(path, body);
    expected(await owner({ kinds: { 'deployment.ready': { in_app: false } } }));
    const nano = await deploy(world.api, 'nano');
    expected(await owner({}));
    const mini = await deploy(world.api, 'mini');
    await item(world.api, 'deployment.ready', each => each.data.promotion_id === mini);
    const { notifications } = await feedOf(world.api);
    assert.ok(notifications.every((each: Json) => each.data.promotion_id !== nano));
  });

  test('in quiet hours the feed goes on, and what is delivered waits until they end', async () => {
    const kinds = { 'workspace.role_changed': { [channel]: true } };
    const timezone = 'America/St_Johns';
    const now = world.now();
    const [from, to] = [hour(now - 3_600_000, timezone), hour(now + 3_600_000, timezone)];
    expected(await put({ kinds, quiet_hours: { from, to, timezone, except_critical: true } }));
    const held = await ada.turn('editor');
    assert.is.not(held.severity, 'critical');
    expected(await ada.api.post<Json>(`/v1/notifications/channels/${channel}/test`));
    await until(async () => receiver.got.length > 0, 'the test, which waits for nothing');
    assert.equal(got(), []);
    world.later(2 * 3_600_000);
    await until(async () => got().includes('editor'), 'what waited');
    await ada.turn('analyst');
    await until(async () => got().includes('analyst'), 'what comes after them');
    assert.equal(got(), ['editor', 'analyst']);
  });

  test('a change of the clocks moves the end of quiet hours with them', async () => {
    const kinds = { 'workspace.role_changed': { [channel]: true } };
    // Quiet from 22:00 to 07:00 in Berlin over the night of 28 March 2027, in which 02:00 to 03:00 is left
    // out: they end at 05:00 UTC, an hour earlier than the night before.
    const midnight = Date.UTC(2027, 2, 27, 23);
    world.later(midnight - world.now());
    const quiet = { from: '22:00', to: '07:00', timezone: 'Europe/Berlin', except_critical: true };
    expected(await put({ kinds, quiet_hours: quiet }));
    const [before, tests] = [got().length, receiver.got.length];
    await ada.turn('operator');
    world.later(Date.UTC(2027, 2, 28, 4, 50) - world.now());
    expected(await ada.api.post<Json>(`/v1/notifications/channels/${channel}/test`));
    await until(async () => receiver.got.length > tests, 'the test');
    assert.is(got().length, before);
    world.later(Date.UTC(2027, 2, 28, 5, 1) - world.now());
    await until(async () => got().length === before + 1, 'what waited');
    assert.is(got().at(-1), 'operator');
  });
});
