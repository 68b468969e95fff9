import * as assert from 'uvu/assert';
import { scopes, type Scope } from '../../domain/tokens/scopes.js';
import type { Json } from '../json.js';
import { suite } from '../suite.js';
import { airline, custom, openTraining, over, queue, trained } from './training.js';
import { expected, refused, type World } from './world.js';

// Who may train, and who may look (open-parts 24, 25, 30.6, 31.3, 31.8).

suite('acceptance: rights about trainings', test => {
  let world: World;
  let [segment, model, training] = ['', '', ''];
  test.before(async () => {
    world = await openTraining();
    segment = (await airline(world.api)).segment_id;
    model = await custom(world.api, 'drift');
    training = (await trained(world.api, { segment_id: segment, model, horizon: 12 })).training_id;
  });
  test.after(() => world.close());

  const reads = ['', '/report', '/logs'];
  const path = (below = '') => `/v1/training/${training}${below}`;
  const asked = () => ({ segment_id: segment, model, horizon: 12 });
  const without = (...missing: Scope[]) => world.withScopes(scopes.filter(scope => !missing.includes(scope)));

  test('reading takes trainings.read, and nothing else', async () => {
    const reader = await world.withScopes(['trainings.read']);
    const blind = await without('trainings.read');
    for (const each of ['/v1/training', ...reads.map(path)]) {
      expected(await reader.get<Json>(each));
      const answer = await blind.get<Json>(each);
      assert.equal(refused(answer, 403, 'insufficient_scope').details.required, ['trainings.read']);
    }
    assert.is.not((await reader.get<Json>(path('/download'))).status, 403);
    refused(await blind.get<Json>(path('/download')), 403, 'insufficient_scope');
  });

  test('training takes trainings.run', async () => {
    const blind = await without('trainings.run');
    for (const answer of [
      await queue(blind, asked()),
      await blind.post<Json>(path('/cancel'), {}),
      await blind.post<Json>(path('/retry'), {}),
    ])
      assert.equal(refused(answer, 403, 'insufficient_scope').details.required, ['trainings.run']);
    const trainer = await world.withScopes(['trainings.run', 'trainings.read']);
    const { training_id } = expected(await queue(trainer, asked()), 202).data;
    assert.is((await over(trainer, training_id)).status, 'completed');
  });

  test('viewers and analysts read, editors and above train', async () => {
    for (const [role, trains] of [
      ['viewer', false],
      ['analyst', false],
      ['editor', true],
      ['operator', true],
      ['admin', true],
    ] as const) {
      const api = await world.member(role);
      expected(await api.get<Json>(path()));
      const answer = await queue(api, { ...asked(), horizon: 0 });
      if (trains) assert.is(answer.status, 422, `${role}: ${answer.text}`);
      else refused(answer, 403, 'role_forbidden');
    }
  });

  test('to another workspace nothing of it is there', async () => {
    const tenant = await world.tenant();
    for (const each of [...reads, '/download']) refused(await tenant.get<Json>(path(each)), 404);
    for (const each of ['/cancel', '/retry']) refused(await tenant.post<Json>(path(each), {}), 404);
    assert.is(expected(await tenant.get<Json>('/v1/training')).data.total, 0);
    assert.ok([404, 422].includes((await queue(tenant, asked())).status));
    const headers = { 'x-workspace-id': 'wsp_nobodys' };
    refused(await world.api.get<Json>(path(), headers), 403, 'workspace_forbidden');
  });

  test('without a token or a workspace nothing is answered', async () => {
    for (const each of ['/v1/training', ...reads.map(path)]) {
      refused(await world.api.get<Json>(each, { authorization: undefined }), 401, 'authorization_required');
      const { message } = refused(await world.api.get<Json>(each, { 'x-workspace-id': undefined }), 400);
      assert.is(message, 'Workspace ID required');
    }
  });
});
