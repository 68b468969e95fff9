import * as assert from 'uvu/assert';
import type { Role } from '../../domain/groups/roles.js';
import { scopes, type Scope } from '../../domain/tokens/scopes.js';
import type { Client } from '../api/client.js';
import type { Json } from '../json.js';
import { suite } from '../suite.js';
import { noise } from './series.js';
import { deploy, expected, forecast, openWorld, push, refused, type World } from './world.js';

// Who may what (open-parts 25, 30.6, 31.8, 32.25), and that nobody sees another's.

suite('acceptance: rights and tenants of models in service', test => {
  let world: World;
  let other: Client;
  let id = '';
  let inference = '';
  let model = '';
  const series = [{ id: 'a', start: '2026-01-01T00:00:00Z', step_s: 86_400, values: noise(40) }];
  const examples = ['a', 'b'].map((label, i) => ({ label, values: noise(40, i) }));
  test.before(async () => {
    world = await openWorld();
    other = await world.tenant();
    id = await deploy(world.api, 'nano', { horizon: 3, reason: 'nobody else reads this' });
    await push(world.api, 'secret.orders', noise(40), { from: Date.UTC(2026, 0, 1) });
    inference = (await forecast(world.api, { promotion_id: id, key: 'secret.orders' })).inference_id;
    const body = { kind: 'foundation', name: 'Hidden', visibility: 'private', family: 'presage' };
    model = expected(await world.api.post<Json>('/v1/models', body)).data.uid;
  });
  test.after(() => world.close());

  /** Every call of the area, with the scope it takes; `of` puts in whose things are asked for. */
  const calls = (of = { id, inference, model }): [Scope, string, string, object?][] => [
    ['models.read', 'GET', '/v1/models/foundation'],
    ['models.read', 'GET', '/v1/models/foundation/presage/nano'],
    ['models.read', 'GET', '/v1/models/foundation/adapters'],
    ['models.read', 'GET', '/v1/models/public'],
    ['models.read', 'GET', '/v1/models/recommended'],
    ['models.read', 'GET', `/v1/models/${of.model}`],
    ['models.write', 'POST', '/v1/models', { kind: 'foundation', name: 'x', family: 'presage' }],
    ['deployments.write', 'POST', '/v1/models/deploy-foundation', { blueprint_uid: 'presage__mini' }],
    ['deployments.read', 'GET', '/v1/deployments'],
    ['deployments.read', 'GET', `/v1/deployments/${of.id}`],
    ['deployments.read', 'GET', `/v1/deployments/${of.id}/status`],
    ['deployments.read', 'GET', `/v1/deployments/${of.id}/events`],
    ['deployments.write', 'POST', `/v1/deployments/${of.id}/scale`, { min: 1, max: 1 }],
    ['deployments.write', 'POST', `/v1/deployments/${of.id}/retry`, {}],
    ['inferences.read', 'GET', '/v1/inference'],
    ['inferences.read', 'GET', `/v1/inference/${of.inference}`],
    ['inferences.read', 'GET', '/v1/inference/usage'],
    ['inferences.create', 'POST', `/v1/inference/${of.inference}/replay`],
    ['inferences.create', 'POST', `/v1/inference/${of.inference}/cancel`],
    ...['forecast', 'anomaly', 'backtest', 'embed', 'impute', 'classify'].map(
      (task): [Scope, string, string, object] => [
        'inferences.create',
        'POST',
        `/v1/inference/${task}`,
        { promotion_id: of.id, series, ...(task === 'classify' && { examples }) },
      ],
    ),
    ['deployments.write', 'POST', `/v1/deployments/${of.id}/unpromote`, {}],
  ];
  const send = (api: Client, [, method, path, body]: [Scope, string, string, object?]) =>
    api.send<Json>({ method, path, ...(body && { body }) });

  test('each call takes its scope, and nothing else opens it', async () => {
    for (const scope of new Set(calls().map(([each]) => each))) {
      const lacking = await world.withScopes(scopes.filter(each => each !== scope));
      for (const call of calls().filter(([each]) => each === scope)) {
        const { details } = refused(await send(lacking, call), 403, 'insufficient_scope');
        assert.equal(details.required, [scope], call[2]);
      }
      const having = await world.withScopes([scope]);
      for (const call of calls().filter(([each, method]) => each === scope && method === 'GET'))
        assert.is((await send(having, call)).status, 200, call[2]);
    }
  });

  test('a viewer reads, an analyst infers, an editor makes models, an operator deploys', async () => {
    const may: Record<string, readonly string[]> = {
      viewer: [],
      analyst: ['inferences.create'],
      editor: ['inferences.create', 'models.write'],
      operator: ['inferences.create', 'models.write', 'deployments.write'],
    };
    for (const [role, allowed] of Object.entries(may)) {
      const api = await world.member(role as Role);
      for (const call of calls()) {
        const [scope, method, path] = call;
        if (method !== 'GET' && !allowed.includes(scope))
          refused(await send(api, call), 403, 'role_forbidden');
        else if (method === 'GET') assert.is((await send(api, call)).status, 200, `${role} ${path}`);
      }
      if (allowed.includes('inferences.create')) await forecast(api, { promotion_id: id, series });
    }
  });

  test("another's things are 404, word for word like things that there are not", async () => {
    const words = (text: string, of: object) =>
      Object.values(of)
        .reduce((left: string, name) => left.replaceAll(name as string, 'X'), text)
        .replace(/req_\w+|"request_id":"[^"]*"/g, '');
    const ours = { id, inference, model };
    const nobodys = { id: 'prm_nobodys', inference: 'inf_nobodys', model: 'mdl_nobodys' };
    const mine = calls(ours);
    for (const [i, call] of calls(nobodys).entries()) {
      if (JSON.stringify(call) === JSON.stringify(mine[i])) continue;
      const [theirs, none] = [await send(other, mine[i]!), await send(other, call)];
      assert.equal([theirs.status, none.status], [404, 404], `${mine[i]![1]} ${mine[i]![2]}`);
      assert.is(words(theirs.text, ours), words(none.text, nobodys));
    }
    assert.is(expected(await world.api.get<Json>(`/v1/deployments/${id}`)).data.status, 'deployed');
  });

  test('lists and usage show what is of the workspace alone', async () => {
    assert.is(expected(await other.get<Json>('/v1/deployments')).total, 0);
    assert.is(expected(await other.get<Json>('/v1/inference')).total, 0);
    assert.equal(expected(await other.get<Json>('/v1/inference/usage')).buckets, []);
    const own = await deploy(other, 'nano', { horizon: 3 });
    refused(
      await other.post<Json>('/v1/inference/forecast', { promotion_id: own, key: 'secret.orders' }),
      404,
    );
    for (const path of [
      '/v1/deployments',
      '/v1/inference',
      '/v1/models/public?limit=100',
      '/v1/models/foundation',
    ])
      assert.is(
        /nobody else reads this|secret\.orders|Hidden/.test((await other.get<Json>(path)).text),
        false,
      );
    refused(await other.post<Json>(`/v1/deployments/${own}/unpromote`, { replacement: id }), 404);
  });

  test('without a token it is 401, without a workspace 400, with another 403', async () => {
    for (const call of calls()) {
      const [, method, path, body] = call;
      const sent = { method, path, ...(body && { body }) };
      refused(
        await world.api.send<Json>({ ...sent, headers: { authorization: undefined } }),
        401,
        'authorization_required',
      );
      const { message } = refused(
        await world.api.send<Json>({ ...sent, headers: { 'x-workspace-id': undefined } }),
        400,
      );
      assert.is(message, 'Workspace ID required');
      refused(
        await other.send<Json>({
          ...sent,
          headers: { 'x-workspace-id': world.running.installed.workspaceId },
        }),
        403,
        'workspace_forbidden',
      );
    }
  });
});
