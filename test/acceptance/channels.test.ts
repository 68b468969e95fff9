import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { until } from '../platform.js';
import { suite } from '../suite.js';
import { person, type Person } from './inbox.js';
import { LOCAL, receive, verify, type Receiver } from './receivers.js';
import { expected, openWorld, places, refused, type World } from './world.js';

// Webhooks of notifications (open-parts 21, 32.33, 32.34).
// Readings: a receiver echoes a challenge as `{"challenge": ...}`; which notifications a channel gets is set
// in the preferences under its id; `/test` sends at once.

suite('acceptance: webhook channels', test => {
  let world: World;
  let ada: Person;
  let receiver: Receiver;
  const base = '/v1/notifications/channels';
  const make = async (target: string): Promise<Json> =>
    expected(await ada.api.post<Json>(base, { type: 'webhook', name: 'Ops', target }), 201).data;
  const one = async (id: string): Promise<Json> => expected(await ada.api.get<Json>(`${base}/${id}`)).data;
  const inState = (id: string, status: string) =>
    until(async () => {
      const found = await one(id);
      return found.status === status && found;
    }, `a channel being ${status}`);
  /** Waits until so many attempts at the newest delivery are noted: the next is timed from the last. */
  const noted = (id: string, attempts: number) =>
    until(async () => {
      const { deliveries } = expected(await ada.api.get<Json>(`${base}/${id}/deliveries`)).data;
      return deliveries[0]?.attempts === attempts;
    }, `${attempts} attempts being noted`);
  const wants = async (...ids: string[]) => {
    const kind = Object.fromEntries(ids.map(id => [id, true]));
    const kinds = { 'workspace.role_changed': kind };
    expected(await ada.api.put<Json>('/v1/notifications/preferences', { kinds }));
  };
  const drop = async (id: string) => {
    await wants();
    expected(await ada.api.delete<Json>(`${base}/${id}`));
  };
  test.before(async () => {
    world = await openWorld(LOCAL);
    ada = await person(world);
    receiver = await receive();
  });
  test.after(async () => {
    receiver.close();
    await world.close();
  });

  let made: Json;
  test('a channel is made with a signed challenge, and its secret is shown once', async () => {
    made = await make(`${receiver.url}/hooks/T0PSECRET`);
    assert.equal([made.type, made.name], ['webhook', 'Ops']);
    assert.match(made.secret, /^whsec_/);
    const [challenge] = receiver.challenges;
    verify(challenge!, made.secret);
    assert.is(challenge!.path, '/hooks/T0PSECRET');
    const channel = await inState(made.channel_id, 'active');
    assert.match(channel.created_at, /Z$/);
    assert.is(channel.secret ?? null, null);
    const list = expected(await ada.api.get<Json>(base));
    const text = JSON.stringify([list, channel, made]).replace(made.secret, '');
    assert.is(/whsec_|T0PSECRET/.test(text), false, 'neither the secret nor the whole target');
    assert.ok(list.data.channels.some((each: Json) => each.channel_id === made.channel_id));
    assert.ok(
      list.data.channels.some((each: Json) => each.type === 'in_app'),
      'the feed is always there',
    );
  });

  test('it delivers, signed, what the preferences say', async () => {
    const unwanted = { 'workspace.role_changed': { [made.channel_id]: false } };
    expected(await ada.api.put<Json>('/v1/notifications/preferences', { kinds: unwanted }));
    await ada.turn('editor');
    await wants(made.channel_id);
    const item = await ada.turn('analyst');
    const delivery = await receiver.received(({ body }) => body.data?.data?.role === 'analyst');
    verify(delivery, made.secret);
    assert.equal(Object.keys(delivery.body).sort(), ['data', 'timestamp', 'type']);
    assert.is(delivery.body.type, 'workspace.role_changed');
    const { read_at, archived_at, ...told } = item;
    assert.equal(delivery.body.data, told, 'as the feed has it, but for the marks');
    assert.match(delivery.headers['content-type']!, 'application/json');
    assert.is(receiver.got.length, 1, 'what came while it was not wanted was not sent');
    const last = await until(async () => (await one(made.channel_id)).last_delivery, 'it being noted');
    assert.equal([last.ok, last.status_code], [true, 200]);
  });

  test('a test is sent at once', async () => {
    const before = receiver.got.length;
    expected(await ada.api.post<Json>(`${base}/${made.channel_id}/test`));
    await until(async () => receiver.got.length > before, 'the test');
    verify(receiver.got.at(-1)!, made.secret);
  });

  test('it is renamed, and nobody else sees or changes it', async () => {
    expected(await ada.api.patch<Json>(`${base}/${made.channel_id}`, { name: 'Night watch' }));
    assert.is((await one(made.channel_id)).name, 'Night watch');
    const path = `${base}/${made.channel_id}`;
    for (const answer of [
      await world.api.get<Json>(path),
      await world.api.patch<Json>(path, { name: 'x' }),
      await world.api.post<Json>(`${path}/test`),
      await world.api.delete<Json>(path),
    ])
      refused(answer, 404);
    const owners = expected(await world.api.get<Json>(base)).data.channels;
    assert.ok(owners.every((each: Json) => each.channel_id !== made.channel_id));
    assert.equal(places(await ada.api.patch<Json>(path, { name: '' })), ['body.name']);
  });

  test('a delivery that fails is tried again under the same id until it arrives', async () => {
    receiver.reply({ status: 500 });
    await ada.turn('operator');
    const of = (role: string) => receiver.got.filter(({ body }) => body.data?.data?.role === role);
    await until(async () => of('operator').length === 1, 'the first attempt');
    await noted(made.channel_id, 1);
    world.later(5_000);
    await until(async () => of('operator').length === 2, 'the second');
    await noted(made.channel_id, 2);
    assert.is((await one(made.channel_id)).last_delivery.ok, false);
    receiver.reply({ status: 204 });
    world.later(5 * 60_000);
    await until(async () => of('operator').length === 3, 'the third');
    assert.is(new Set(of('operator').map(({ id }) => id)).size, 1);
    for (const delivery of of('operator')) verify(delivery, made.secret);
    await until(async () => (await one(made.channel_id)).last_delivery.ok, 'it having arrived');
    const ids = new Set(receiver.got.map(({ id }) => id));
    assert.is(ids.size, receiver.got.length - 2, 'every notification has an id of its own');
  });

  test('a redirect is a failure, and nobody is called elsewhere', async () => {
    const elsewhere = await receive();
    receiver.reply({ status: 307, headers: { location: `${elsewhere.url}/stolen` } });
    const before = receiver.got.length;
    await ada.turn('viewer');
    await until(async () => (await one(made.channel_id)).last_delivery.status_code === 307, 'the failure');
    receiver.reply({ status: 200 });
    world.later(6_000);
    await until(async () => receiver.got.length === before + 2, 'the second attempt');
    assert.equal([elsewhere.got, elsewhere.challenges], [[], []]);
    elsewhere.close();
  });

  test('a receiver that is gone for good with 410 is called no more', async () => {
    receiver.reply({ status: 410 });
    await ada.turn('editor');
    const channel = await inState(made.channel_id, 'disabled');
    assert.is(channel.last_delivery.status_code, 410);
    const before = receiver.got.length;
    await ada.turn('analyst');
    world.later(3_600_000);
    receiver.reply({ status: 200 });
    expected(await ada.api.patch<Json>(`${base}/${made.channel_id}`, { enabled: true }));
    expected(await ada.api.post<Json>(`${base}/${made.channel_id}/verify`, {}));
    await inState(made.channel_id, 'active');
    await ada.turn('operator');
    const since = () => receiver.got.slice(before).map(({ body }) => body.data?.data?.role);
    await until(async () => since().includes('operator'), 'the delivery');
    assert.ok(!since().includes('analyst'), 'nothing was sent while it was disabled');
    await drop(made.channel_id);
    refused(await ada.api.get<Json>(`${base}/${made.channel_id}`), 404);
  });

  test('a receiver that does not echo the challenge gets nothing until it does', async () => {
    receiver.reply({ status: 200 }, false);
    const waiting = await make(`${receiver.url}/silent`);
    assert.is((await one(waiting.channel_id)).status, 'pending_verification');
    await wants(waiting.channel_id);
    await ada.turn('viewer');
    receiver.reply({ status: 200 }, true);
    const before = receiver.challenges.length;
    expected(await ada.api.post<Json>(`${base}/${waiting.channel_id}/verify`, {}));
    assert.ok(receiver.challenges.length > before);
    verify(receiver.challenges.at(-1)!, waiting.secret);
    await inState(waiting.channel_id, 'active');
    await ada.turn('editor');
    await receiver.received(({ path, body }) => path === '/silent' && body.data?.data?.role === 'editor');
    assert.ok(
      !receiver.got.some(({ path, body }) => path === '/silent' && body.data?.data?.role === 'viewer'),
    );
    await drop(waiting.channel_id);
  });

  test('after eight failures a delivery is parked, after ten in a row the channel is failing', async () => {
    const shaky = await make(`${receiver.url}/shaky`);
    await wants(shaky.channel_id);
    receiver.reply({ status: 503 });
    const at = () => receiver.got.filter(({ path }) => path === '/shaky');
    await ada.turn('analyst');
    const waits = [5, 300, 1_800, 7_200, 18_000, 36_000, 36_000];
    for (const [i, wait] of waits.entries()) {
      await until(async () => at().length === i + 1, `attempt ${i + 1}`);
      await noted(shaky.channel_id, i + 1);
      world.later(wait * 1_000);
    }
    await until(async () => at().length === 8, 'attempt 8');
    const path = `${base}/${shaky.channel_id}`;
    const parked = await until(async () => {
      const { deliveries } = expected(await ada.api.get<Json>(`${path}/deliveries`)).data;
      return deliveries.find((each: Json) => each.status === 'parked');
    }, 'the delivery being parked');
    assert.is((await one(shaky.channel_id)).status, 'active');
    await ada.turn('operator');
    await until(async () => at().length === 9, 'attempt 9');
    await noted(shaky.channel_id, 1);
    world.later(5_000);
    await until(async () => at().length === 10, 'attempt 10');
    await inState(shaky.channel_id, 'failing');
    receiver.reply({ status: 200 });
    world.later(300_000);
    await inState(shaky.channel_id, 'active');
    expected(await ada.api.post<Json>(`${path}/deliveries/${parked.delivery_id}/replay`), 202);
    await until(async () => at().filter(({ id }) => id === at()[0]!.id).length === 9, 'the replay');
    assert.is(at().at(-1)!.body.data.data.role, 'analyst');
    for (const delivery of at()) verify(delivery, shaky.secret);
    refused(await ada.api.post<Json>(`${path}/deliveries/dlv_nobodys/replay`), 404);
    await drop(shaky.channel_id);
  });
});

suite('acceptance: where webhooks may go', test => {
  let world: World;
  test.before(async () => {
    world = await openWorld();
  });
  test.after(() => world.close());

  test('private, loopback and other special addresses are refused, however they are written', async () => {
    const receiver = await receive();
    const port = new URL(receiver.url).port;
    for (const target of [
      receiver.url,
      `http://localhost:${port}/`,
      `http://[::1]:${port}/`,
      `http://[::ffff:127.0.0.1]:${port}/`,
      `http://2130706433:${port}/`,
      `http://0x7f.1:${port}/`,
      `http://0.0.0.0:${port}/`,
      'http://10.1.2.3/',
      'http://172.16.0.9/',
      'http://192.168.1.1/',
      'http://169.254.169.254/latest/meta-data/',
      'http://[fd00::1]/',
      'http://[fe80::1]/',
    ]) {
      const answer = await world.api.post<Json>('/v1/notifications/channels', {
        type: 'webhook',
        name: 'inside',
        target,
      });
      assert.is(refused(answer, 422, 'address_not_allowed').code, 'address_not_allowed', target);
    }
    for (const target of ['ftp://example.org/', 'file:///etc/passwd', 'nonsense', '', 'http://'])
      assert.equal(
        places(
          await world.api.post<Json>('/v1/notifications/channels', { type: 'webhook', name: 'x', target }),
        ),
        ['body.target'],
      );
    assert.equal([receiver.got, receiver.challenges], [[], []]);
    receiver.close();
  });
});
