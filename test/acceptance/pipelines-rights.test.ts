import * as assert from 'uvu/assert';
import { scopes, type Scope } from '../../domain/tokens/scopes.js';
import type { Client } from '../api/client.js';
import type { Json } from '../json.js';
import { suite } from '../suite.js';
import { create, decide, dormant, made, path, recipe } from './pipelines.js';
import { airline, custom, openTraining } from './training.js';
import { expected, refused, type World } from './world.js';

// Who may make pipelines, who may decide, who may look (open-parts 24, 25, 30.6, 31.3, 31.8, 32.25).

suite('acceptance: rights about pipelines', test => {
  let world: World;
  let [segment, model, id] = ['', '', ''];
  test.before(async () => {
    world = await openTraining();
    segment = (await airline(world.api)).segment_id;
    model = await custom(world.api, 'drift');
    id = await made(world.api, recipe(segment, [{ model }], dormant(world.now())));
  });
  test.after(() => world.close());

  const reads = () => ['/v1/pipelines', path(id), path(id, '/cycles'), path(id, '/promotions')];
  const writes = async (api: Client) => [
    await create(api, recipe(segment, [{ model }])),
    await api.patch<Json>(path(id), { name: 'Theirs' }),
    await api.put<Json>(path(id), recipe(segment, [{ model }])),
    await api.delete<Json>(path(id)),
    await api.post<Json>(path(id, '/run'), {}),
    await api.post<Json>(path(id, '/pause'), {}),
    await api.post<Json>(path(id, '/resume'), {}),
  ];
  const without = (...missing: Scope[]) => world.withScopes(scopes.filter(scope => !missing.includes(scope)));

  test('reading takes trainings.read, and nothing else', async () => {
    const reader = await world.withScopes(['trainings.read']);
    const blind = await without('trainings.read');
    for (const each of reads()) {
      expected(await reader.get<Json>(each));
      const answer = await blind.get<Json>(each);
      assert.equal(refused(answer, 403, 'insufficient_scope').details.required, ['trainings.read']);
    }
  });

  test('writing takes trainings.run, a decision deployments.write besides', async () => {
    for (const answer of await writes(await without('trainings.run')))
      assert.equal(refused(answer, 403, 'insufficient_scope').details.required, ['trainings.run']);
    for (const missing of ['trainings.run', 'deployments.write'] as const) {
      const answer = await decide(await without(missing), id, { decision: 'approve' });
      const { details } = refused(answer, 403, 'insufficient_scope');
      assert.equal(details.required.toSorted(), ['deployments.write', 'trainings.run']);
    }
  });

  test('viewers and analysts read, editors write, operators decide, admins set budgets', async () => {
    for (const role of ['viewer', 'analyst'] as const) {
      const api = await world.member(role);
      for (const each of reads()) expected(await api.get<Json>(each));
      for (const answer of await writes(api)) refused(answer, 403, 'role_forbidden');
      refused(await decide(api, id, { decision: 'approve' }), 403, 'role_forbidden');
    }
    const editor = await world.member('editor');
    expected(await editor.patch<Json>(path(id), { name: 'An editor’s' }));
    refused(await decide(editor, id, { decision: 'approve' }), 403, 'role_forbidden');
    const operator = await world.member('operator');
    refused(await decide(operator, id, { decision: 'approve' }), 409, 'no_pending_decision');
    const budget = { budget: { monthly_credit_cap: 10 } };
    refused(await operator.patch<Json>(path(id), budget), 403, 'role_forbidden');
    refused(await create(operator, recipe(segment, [{ model }], budget)), 403, 'role_forbidden');
    const admin = await world.member('admin');
    assert.is(expected(await admin.patch<Json>(path(id), budget)).data.spend.cap, 10);
  });

  test('to another workspace nothing of it is there', async () => {
    const tenant = await world.tenant();
    for (const each of reads().slice(1)) refused(await tenant.get<Json>(each), 404);
    assert.is(expected(await tenant.get<Json>('/v1/pipelines')).data.total, 0);
    for (const answer of (await writes(tenant)).filter((_, i) => i !== 0 && i !== 2)) refused(answer, 404);
    refused(await decide(tenant, id, { decision: 'approve' }), 404);
    assert.is(expected(await world.api.get<Json>(path(id))).data.pipeline_id, id);
  });

  test('without a token or a workspace nothing is answered', async () => {
    for (const each of reads()) {
      refused(await world.api.get<Json>(each, { authorization: undefined }), 401, 'authorization_required');
      const { message } = refused(await world.api.get<Json>(each, { 'x-workspace-id': undefined }), 400);
      assert.is(message, 'Workspace ID required');
    }
  });
});
