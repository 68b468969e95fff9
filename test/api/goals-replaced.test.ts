import * as assert from 'uvu/assert';
import type { Champion } from '../../domain/goals/model.js';
import type { Json } from '../json.js';
import { startPlatform, temporaryFolder, until, type Running } from '../platform.js';
import { suite } from '../suite.js';
import { clientOf, type Client } from './client.js';
import { activeGoal, goalSettings } from './forecasts-world.js';
import { hours, HOUR_S, push, START_S } from './segments-world.js';
import { held } from './tournaments-world.js';

const LENGTH = 240;

suite('goals whose deployment was retired in favour of another', test => {
  const folder = temporaryFolder();
  let now = (START_S + LENGTH * HOUR_S) * 1_000 + 60_000;
  let api: Running;
  let client: Client;
  let goalId: string;
  /** One took the place of the other, in this order. */
  let [first, second, third] = ['', '', ''];

  const deployed = async (uid: string): Promise<string> => {
    const { status, body } = await client.post('/v1/deployments', { blueprint_uid: uid });
    assert.is(status, 201);
    const id = body.data['promotion_id'] as string;
    await until(async () => (await deployment(id)).ready, 'being ready');
    return id;
  };
  const deployment = async (id: string): Promise<Json> =>
    (await client.get<Json>(`/v1/deployments/${id}`)).body.data;
  const unpromote = (id: string, body: object = {}) =>
    client.post<Json>(`/v1/deployments/${id}/unpromote`, body);
  const forecast = async (): Promise<Json> => {
    now += 1_000;
    return (await client.post<Json>(`/v1/goals/${goalId}/forecasts`, {})).body.data;
  };
  const codes = ({ warnings }: Json): string[] => warnings.map(({ code }: Json) => code);

  /** A goal whose champion is the first of them, and that falls back to nobody. */
  const goalOfFirst = (name: string): Promise<string> => {
    const model = { family: 'presage', slug: 'nano', version: '1' };
    const champion: Champion = {
      model: { kind: 'served', promotionId: first, model },
      ...{ name: 'Presage nano', score: 1, since: now, tournamentId: null },
    };
    const options = { ...goalSettings().options, fallback: 'none' as const };
    return activeGoal(api, goalSettings({ name, options }), champion);
  };
  test.before(async () => {
    api = await startPlatform(folder.path, { clock: () => now, env: { SERVING_THREADS: '1' } });
    const description = (await api.call('GET', '/openapi/v1.json')).json;
    const { token, workspaceId: workspace } = api.installed;
    client = clientOf(api.base, description, { token, workspace });
    await push(
      api,
      'sales',
      hours(LENGTH, i => 10 + 3 * Math.sin((i * Math.PI) / 12) + (i % 5) / 10),
    );
    first = await deployed('presage__nano');
    second = await deployed('presage__mini');
    goalId = await goalOfFirst('Sales');
  });
  test.after(async () => {
    client.close();
    await api.stop();
    folder.remove();
  });

  test('its champion forecasts as long as it serves, and is not retired unawares', async () => {
    const made = await forecast();
    assert.equal([made.model.promotion_id, made.served_by, codes(made)], [first, 'champion', []]);
    assert.equal((await deployment(first)).goal_ids, [goalId]);
    const refused = await unpromote(first);
    assert.equal([refused.status, refused.body.error.code], [409, 'IN_USE']);
  });

  test('the replacement forecasts it, and says so', async () => {
    assert.is((await unpromote(first, { replacement: second })).status, 200);
    const made = await forecast();
    const { promotion_id: by, slug, name } = made.model;
    assert.equal([by, slug, name, made.served_by], [second, 'mini', 'Presage mini', 'champion']);
    assert.equal(codes(made), ['champion_replaced']);
    assert.match(made.warnings[0].message, new RegExp(`${first}.*${second}`));
    const { body } = await client.post<Json>('/v1/inference/forecast', { goal_id: goalId });
    assert.equal([body.promotion_id, body.model.slug, codes(body)], [second, 'mini', ['champion_replaced']]);
    const again = await client.post<Json>(`/v1/inference/${body.inference_id}/replay`);
    assert.is(again.body.identical, true, JSON.stringify(again.body));
  });

  test('the goal depends on it then', async () => {
    assert.equal((await deployment(first)).goal_ids, []);
    assert.equal((await deployment(second)).goal_ids, [goalId]);
    const refused = await unpromote(second);
    assert.equal([refused.status, refused.body.error.details.goal_ids], [409, [goalId]]);
  });

  test('in a tournament it plays the part of the champion', async () => {
    const contested = await goalOfFirst('Contested');
    const body = { folds: 3, models: [{ model: 'blueprint__theta' }] };
    const { contestants } = await held(api, contested, body);
    const champion = contestants.find(({ roles }: Json) => roles.includes('champion'));
    assert.equal([champion.name, champion.status], ['Presage mini', 'scored'], JSON.stringify(champion));
    assert.not.ok(contestants.some(({ status }: Json) => status === 'failed'));
  });

  test('and so does what takes its place in turn; where nothing does, there is no forecast', async () => {
    third = await deployed('presage__nano');
    assert.is((await unpromote(second, { replacement: third })).status, 200);
    const made = await forecast();
    assert.equal([made.model.promotion_id, codes(made)], [third, ['champion_replaced']]);
    assert.is((await unpromote(third, { force: true })).status, 200);
    assert.is((await client.post<Json>(`/v1/goals/${goalId}/forecasts`, {})).status, 410);
  });

  test('a scenario still asks the model of its base', async () => {
    const { forecasts } = (await client.get<Json>(`/v1/goals/${goalId}/forecasts`)).body.data;
    assert.is(forecasts[0].model.promotion_id, third);
    const assumptions = [{ kind: 'signal_scale', key: 'sales', factor: 2, to: forecasts[0].as_of }];
    const given = { name: 'Had it been twice as much', assumptions };
    const { status, body } = await client.post<Json>(`/v1/goals/${goalId}/scenarios`, given);
    assert.is(status, 201, JSON.stringify(body));
    assert.ok(body.data.total_delta > 0);
  });
});
