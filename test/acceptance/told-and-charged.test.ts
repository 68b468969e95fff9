import * as assert from 'uvu/assert';
import { presage } from '../cli/presage.js';
import type { Json } from '../json.js';
import { until } from '../platform.js';
import { suite } from '../suite.js';
import { feedOf, person, type Person } from './inbox.js';
import { addsUp, balance, ledger } from './money.js';
import { LOCAL, receive, type Receiver } from './receivers.js';
import { daily } from './series.js';
import { deploy, expected, forecast, openWorld, refused, type World } from './world.js';

// What notifications, channels and credits are after a stop, after the read models are built anew, and after
// the person they belong to is erased.

suite('acceptance: stop, rebuild and erasure of what was told and charged', test => {
  let world: World;
  let ada: Person;
  let receiver: Receiver;
  let [channel, secret] = ['', ''];
  const path = '/v1/notifications';
  const got = (role: string) => receiver.got.filter(({ body }) => body.data?.data?.role === role);
  test.before(async () => {
    world = await openWorld(LOCAL);
    ada = await person(world);
    receiver = await receive();
    const body = { type: 'webhook', name: 'Ops', target: `${receiver.url}/secret-place` };
    const made = expected(await ada.api.post<Json>(`${path}/channels`, body), 201).data;
    [channel, secret] = [made.channel_id, made.secret];
    const kinds = { 'workspace.role_changed': { [channel]: true } };
    expected(await ada.api.put<Json>(`${path}/preferences`, { kinds }));
    const id = await deploy(world.api);
    const series = [{ id: 'a', start: '2026-01-01T00:00:00Z', step_s: 86_400, values: daily(60) }];
    for (let i = 0; i < 4; i++) await forecast(world.api, { promotion_id: id, series, horizon: 20 + i });
    for (const role of ['editor', 'analyst']) {
      await ada.turn(role);
      await until(async () => got(role).length === 1, role);
    }
  });
  test.after(async () => {
    receiver.close();
    await world.close();
  });

  /** Everything of these areas that a user can read. */
  const everything = async (): Promise<Json> => {
    const read = async (of: Person['api'], at: string) => expected(await of.get<Json>(at));
    const { as_of: _, ...money } = (await read(world.api, '/v1/billing/balance')).data;
    const feed = await feedOf(ada.api, '?per_page=100');
    return {
      money,
      ledger: await ledger(world.api),
      usage: await read(world.api, '/v1/billing/usage?group_by=item'),
      feed,
      channels: await read(ada.api, `${path}/channels`),
      preferences: await read(ada.api, `${path}/preferences`),
      deliveries: await read(ada.api, `${path}/channels/${channel}/deliveries`),
    };
  };

  /** Whether the last delivery worked. */
  const last = async (): Promise<boolean> =>
    expected(await ada.api.get<Json>(`${path}/channels/${channel}`)).data.last_delivery.ok;

  test('after a stop all is there, and nothing is sent again', async () => {
    await until(async () => {
      const { deliveries } = expected(await ada.api.get<Json>(`${path}/channels/${channel}/deliveries`)).data;
      return deliveries.every((each: Json) => each.status === 'delivered');
    }, 'both deliveries being noted');
    const [before, sent] = [await everything(), receiver.got.length];
    await world.restart();
    assert.equal(await everything(), before);
    await ada.turn('operator');
    await until(async () => got('operator').length === 1, 'the next delivery');
    assert.is(receiver.got.length, sent + 1);
    await addsUp(world.api);
  });

  test('a delivery that waits outlives the stop', async () => {
    receiver.reply({ status: 500 });
    await ada.turn('viewer');
    await until(async () => (await last()) === false, 'the failure being noted');
    await world.restart(async () => receiver.reply({ status: 200 }));
    world.later(6_000);
    await until(async () => got('viewer').length === 2, 'the second attempt');
    assert.is(got('viewer')[0]!.id, got('viewer')[1]!.id);
  });

  test('read models that are built anew are the same, and nothing is sent again', async () => {
    await until(last, 'the last delivery being noted');
    const [before, sent] = [await everything(), receiver.got.length];
    await world.restart(async () => {
      const env = { DATA_DIR: world.folder, LOG_LEVEL: 'silent' };
      const verified = await presage(['replay', '--verify'], env);
      assert.is(verified.code, 0, verified.stdout + verified.stderr);
      const rebuilt = await presage(['replay'], env);
      assert.is(rebuilt.code, 0, rebuilt.stdout + rebuilt.stderr);
    });
    assert.equal(await everything(), before);
    await ada.turn('editor');
    await until(async () => got('editor').length === 2, 'the next delivery');
    assert.is(receiver.got.length, sent + 1);
  });

  test('the organization spends from one purse, and each workspace sees its own work', async () => {
    const second = expected(await world.api.post<Json>('/v1/workspace', { name: 'Second' }), 201);
    const workspace = second.data.workspace_id;
    const theirs = world.api.as({ token: world.running.installed.token, workspace });
    const id = await deploy(theirs);
    const before = await balance(world.api);
    const series = [{ id: 'a', start: '2026-01-01T00:00:00Z', step_s: 86_400, values: daily(60) }];
    const { inference_id } = await forecast(theirs, { promotion_id: id, series, horizon: 30 });
    assert.ok((await balance(world.api)).credits < before.credits);
    assert.equal(await balance(theirs), await balance(world.api));
    const work = (entries: Json[]) => entries.filter(entry => entry.reference?.id === inference_id).length;
    assert.equal([work(await ledger(theirs)), work(await ledger(world.api))], [3, 0]);
    const grants = (entries: Json[]) => entries.filter(entry => entry.kind === 'grant').length;
    assert.equal([grants(await ledger(theirs)), grants(await ledger(world.api))], [1, 1]);
    theirs.close();
  });

  test('somebody who leaves loses the items of the workspace, and its deliveries', async () => {
    const bob = await person(world);
    const body = { type: 'webhook', name: 'Bob', target: `${receiver.url}/bob` };
    const made = expected(await bob.api.post<Json>(`${path}/channels`, body), 201).data;
    const kinds = { 'workspace.role_changed': { [made.channel_id]: true } };
    expected(await bob.api.put<Json>(`${path}/preferences`, { kinds }));
    await bob.turn('editor');
    const of = () => receiver.got.filter(each => each.path === '/bob').length;
    await until(async () => of() === 1, 'the delivery');
    const { workspaceId } = world.running.installed;
    expected(await world.api.delete<Json>(`/v1/workspace/${workspaceId}/members/${bob.uid}`));
    refused(await bob.api.get<Json>(path), 403, 'workspace_forbidden');
    await ada.turn('analyst');
    await until(async () => got('analyst').length === 2, 'what is for Ada');
    const told = receiver.got.filter(each => each.path === '/bob');
    assert.ok(told.every(each => each.body.data.workspace_id === workspaceId));
    assert.ok(told.length <= 2, 'at most that the membership ended');
  });

  test('who is erased has no channel, no item and no secret left', async () => {
    receiver.reply({ status: 500 });
    await ada.turn('operator');
    await until(async () => got('operator').length >= 2, 'a failure that would be tried again');
    const tried = receiver.got.length;
    await world.restart(async () => {
      const env = { DATA_DIR: world.folder, LOG_LEVEL: 'silent' };
      const erased = await presage(['user', 'erase', ada.uid], env);
      assert.is(erased.code, 0, erased.stdout + erased.stderr);
      const replayed = await presage(['replay', '--verify'], env);
      assert.is(replayed.code, 0, replayed.stdout + replayed.stderr);
      const audit = await presage(['audit', '--ndjson'], env);
      assert.is(audit.stdout.includes('secret-place'), false, 'the target is noise in the log');
      assert.is(audit.stdout.includes(secret), false);
    });
    receiver.reply({ status: 200 });
    assert.is((await ada.api.get<Json>(path)).status, 401);
    const bob = await person(world);
    const kinds = { 'workspace.role_changed': { [channel]: true } };
    const foreign = await bob.api.put<Json>(`${path}/preferences`, { kinds });
    assert.ok(foreign.status === 422, "the channel of the erased is nobody's");
    world.later(6 * 3_600_000);
    await bob.turn('editor');
    assert.is(receiver.got.length, tried, 'nothing more is sent to it');
  });
});
