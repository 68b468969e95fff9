import * as assert from 'uvu/assert';
import { scopes, type Scope } from '../../domain/tokens/scopes.js';
import type { Client } from '../api/client.js';
import type { Json } from '../json.js';
import { suite } from '../suite.js';
import {
  act,
  alert,
  alerting,
  alertsPath,
  changeAlert,
  fired,
  hourOf,
  instances,
  makeAlert,
  rule,
} from './alerts.js';
import { active, body, hours, latest, made, newer, openGoals, rows, upToNow } from './goals.js';
import { LOCAL, receive, type Receiver } from './receivers.js';
import { has } from './training.js';
import { expected, places, refused, type World } from './world.js';

// The rules of alerts: made, read, changed, deleted, sent over channels, and whose they are (open-parts 0.1,
// 19, 24, 25, 29.4, 30.6, 32.31). Readings: an analyst makes, changes and deletes alerts of their own, and
// answers instances; another's are changed by an editor; a channel of somebody else is 422.

suite('acceptance: rules of alerts', test => {
  let world: World;
  let receiver: Receiver;
  let id = '';
  const over = { value: 150, direction: 'above' };
  const channelOf = async (api: Client): Promise<string> => {
    const of = { type: 'webhook', name: 'Ops', target: `${receiver.url}/` };
    return expected(await api.post<Json>('/v1/notifications/channels', of), 201).data.channel_id;
  };
  test.before(async () => {
    world = await openGoals(LOCAL);
    receiver = await receive();
    await upToNow(world, 'demand', hours(60));
    id = await active(world.api, body('demand'));
  });
  test.after(async () => {
    receiver.close();
    await world.close();
  });

  test('it has every member, and what was not said has its default', async () => {
    const said = { name: 'High', kind: 'threshold', params: over };
    const { data } = expected(await makeAlert(world.api, id, said), 201);
    const found = await alert(world.api, id, data.alert_id);
    has(found, 'alert_id goal_id name kind params for_seconds severity channels enabled mute_until');
    has(found, 'cooldown_seconds created_by state');
    assert.equal(data, found);
    assert.equal([found.goal_id, found.name, found.kind, found.state], [id, 'High', 'threshold', 'normal']);
    assert.equal([found.params.value, found.params.direction], [150, 'above']);
    assert.equal([found.for_seconds, found.cooldown_seconds, found.enabled], [0, 3_600, true]);
    assert.equal([found.channels, found.mute_until], [[], null]);
    assert.ok(['info', 'warning', 'critical'].includes(found.severity));
    assert.match(JSON.stringify(found.created_by), world.running.installed.uid);
    assert.equal(await instances(world.api, id, data.alert_id), []);
  });

  test('a change touches what it names; a deleted one is gone', async () => {
    const alertId = await alerting(world.api, id, 'threshold', over, { severity: 'info' });
    expected(await changeAlert(world.api, id, alertId, { name: 'Higher', severity: 'critical' }));
    const found = await alert(world.api, id, alertId);
    assert.equal([found.name, found.severity, found.params.value], ['Higher', 'critical', 150]);
    assert.match(
      places(await changeAlert(world.api, id, alertId, { severity: 'loud' })).join(),
      'body.severity',
    );
    assert.is(expected(await world.api.delete<Json>(alertsPath(id, `/${alertId}`))).status, 'deleted');
    refused(await world.api.get<Json>(alertsPath(id, `/${alertId}`)), 404, 'not_found');
    refused(await changeAlert(world.api, id, alertId, { name: 'Ghost' }), 404, 'not_found');
  });

  test('a wrong rule says what is wrong', async () => {
    const wrong = async (of: object, place: string) => {
      const found = places(await makeAlert(world.api, id, of));
      assert.ok(
        found.some(each => each.startsWith(place)),
        `${JSON.stringify(of)}: ${found} instead of ${place}`,
      );
    };
    await wrong(rule('hunch'), 'body.kind');
    await wrong({ ...rule('threshold', over), name: '' }, 'body.name');
    await wrong(rule('threshold', over, { severity: 'loud' }), 'body.severity');
    await wrong(rule('threshold', over, { for_seconds: -1 }), 'body.for_seconds');
    await wrong(rule('threshold', over, { cooldown_seconds: 1.5 }), 'body.cooldown_seconds');
    await wrong(rule('threshold', over, { enabled: 'yes' }), 'body.enabled');
    await wrong(rule('threshold', { value: 'high', direction: 'above' }), 'body.params');
    await wrong(rule('threshold', { value: 150, direction: 'up' }), 'body.params');
    await wrong(rule('threshold', {}), 'body.params');
    await wrong(rule('forecast_threshold', { ...over, probability: 1.5, within_steps: 2 }), 'body.params');
    await wrong(rule('forecast_threshold', { ...over, probability: 0.5, within_steps: 0 }), 'body.params');
    await wrong(rule('event', { stream: 7, min_importance: 0.5 }), 'body.params');
    await wrong(rule('event', { stream: 's', min_importance: 1.5 }), 'body.params');
    await wrong(rule('data_stale', { cadences: 0 }), 'body.params');
    await wrong(rule('coverage', { below: 1.5 }), 'body.params');
    await wrong(rule('budget', { share: -1 }), 'body.params');
    await wrong(rule('threshold', over, { channels: ['chn_nobodys'] }), 'body.channels');
  });

  test('under one Idempotency-Key it is made once', async () => {
    const make = () => makeAlert(world.api, id, rule('threshold', over), { 'idempotency-key': 'alert-once' });
    assert.equal(expected(await make(), 201), expected(await make(), 201));
  });

  test('the workspace’s list has all of them, and its own besides', async () => {
    const other = await made(world.api, body('demand', { name: 'Another' }));
    const there = await alerting(world.api, other, 'threshold', over);
    const own = await alerting(world.api, null, 'event', { stream: 'news', min_importance: 0.5 });
    const list = rows(expected(await world.api.get<Json>(`${alertsPath(null)}?per_page=100`)));
    const ids = list.map(each => each.alert_id);
    for (const each of [there, own]) assert.ok(ids.includes(each), `${each} in ${ids}`);
    assert.is(list.find(each => each.alert_id === own)!.goal_id, null);
    const of = rows(expected(await world.api.get<Json>(`${alertsPath(other)}?per_page=100`)));
    assert.equal(
      of.map(each => each.alert_id),
      [there],
    );
    const page = expected(await world.api.get<Json>(`${alertsPath(null)}?per_page=1&page=2`)).data;
    assert.equal([page.total, page.page, page.per_page], [list.length, 2, 1]);
    refused(await world.api.get<Json>(alertsPath(other, `/${own}`)), 404, 'not_found');
  });

  test('what fires goes over the channels it names, and channels are one’s own', async () => {
    const channel = await channelOf(world.api);
    const named = await alerting(world.api, id, 'threshold', over, {
      channels: [channel],
      severity: 'critical',
    });
    assert.equal((await alert(world.api, id, named)).channels, [channel]);
    const editor = await world.member('editor');
    const theirs = await makeAlert(editor, id, rule('threshold', over, { channels: [channel] }));
    assert.match(places(theirs).join(), 'body.channels');
    const before = await latest(world.api, id);
    await hourOf(world, 'demand', 170);
    await newer(world.api, id, before);
    const { instance_id } = await fired(world.api, id, named);
    const delivery = await receiver.received(
      ({ raw }) => raw.includes(instance_id) && raw.includes('alert.fired'),
      'the alert over the channel',
    );
    assert.match(delivery.raw, named);
  });

  test('each call takes its scope', async () => {
    const alertId = await alerting(world.api, id, 'threshold', over);
    const without = (scope: Scope) => world.withScopes(scopes.filter(each => each !== scope));
    const [blind, mute] = [await without('goals.read'), await without('goals.write')];
    const below = `/${alertId}`;
    for (const each of [
      alertsPath(id),
      alertsPath(null),
      alertsPath(id, below),
      alertsPath(id, `${below}/instances`),
    ]) {
      expected(await mute.get<Json>(each));
      const { details } = refused(await blind.get<Json>(each), 403, 'insufficient_scope');
      assert.equal(details.required, ['goals.read']);
    }
    for (const answer of [
      await makeAlert(mute, id, rule('threshold', over)),
      await makeAlert(mute, null, rule('event', { stream: 's', min_importance: 0.5 })),
      await changeAlert(mute, id, alertId, { name: 'Theirs' }),
      await mute.post<Json>(alertsPath(id, `${below}/test`), {}),
      await act(mute, id, alertId, 'ali_nobodys', 'acknowledge'),
      await mute.delete<Json>(alertsPath(id, below)),
    ])
      assert.equal(refused(answer, 403, 'insufficient_scope').details.required, ['goals.write']);
  });

  test('a viewer reads, an analyst has alerts of their own', async () => {
    const owners = await alerting(world.api, id, 'threshold', over);
    const viewer = await world.member('viewer');
    expected(await viewer.get<Json>(alertsPath(id)));
    refused(await makeAlert(viewer, id, rule('threshold', over)), 403, 'role_forbidden');
    const analyst = await world.member('analyst');
    const mine = await alerting(analyst, id, 'threshold', over);
    expected(await changeAlert(analyst, id, mine, { name: 'Mine' }));
    assert.is((await changeAlert(analyst, id, owners, { name: 'Theirs' })).status, 403);
    assert.is((await analyst.delete<Json>(alertsPath(id, `/${owners}`))).status, 403);
    expected(await analyst.delete<Json>(alertsPath(id, `/${mine}`)));
    assert.is((await alert(world.api, id, owners)).name, 'When threshold');
  });

  test('to another workspace there is nothing of it', async () => {
    const alertId = await alerting(world.api, id, 'threshold', over);
    const other = await world.tenant();
    for (const each of ['', `/${alertId}`, `/${alertId}/instances`])
      refused(await other.get<Json>(alertsPath(id, each)), 404, 'not_found');
    refused(await makeAlert(other, id, rule('threshold', over)), 404, 'not_found');
    refused(await changeAlert(other, id, alertId, { name: 'Theirs' }), 404, 'not_found');
    assert.equal(rows(expected(await other.get<Json>(alertsPath(null)))), []);
  });
});
