import * as assert from 'uvu/assert';
import { scopes, type Scope } from '../../domain/tokens/scopes.js';
import type { Client } from '../api/client.js';
import type { Json } from '../json.js';
import { suite } from '../suite.js';
import { discovered, driven, edgeOf, edges, plant, runs } from './discovery.js';
import { openGoals, path } from './goals.js';
import { expected, refused, type World } from './world.js';

// Who may look for drivers and decide about edges (open-parts 24, 25, 30.6): reading takes `discovery.read`,
// everything else `discovery.write` and an editor; another's are 404.

suite('acceptance: rights and tenants of discoveries', test => {
  let world: World;
  let other: Client;
  let [id, edgeId, runId] = ['', '', ''];
  type Call = readonly [Scope, string, string, object?];
  const reads = (): Call[] => [
    ['discovery.read', 'GET', path(id, '/discovery')],
    ['discovery.read', 'GET', path(id, `/discovery/${runId}`)],
    ['discovery.read', 'GET', path(id, '/edges')],
    ['discovery.read', 'GET', path(id, `/edges/${edgeId}`)],
  ];
  const writes = (): Call[] => [
    ['discovery.write', 'POST', path(id, '/discovery'), { signals: [], event_streams: ['plant.incidents'] }],
    ['discovery.write', 'POST', path(id, `/discovery/${runId}/cancel`), {}],
    ...['recheck', 'pin', 'block', 'unblock'].map(
      (how): Call => ['discovery.write', 'POST', path(id, `/edges/${edgeId}/${how}`), {}],
    ),
  ];
  const send = (api: Client, [, method, at, of]: Call) =>
    api.send<Json>({ method, path: at, ...(of && { body: of }) });
  test.before(async () => {
    world = await openGoals({ RATE_HEAVY: '10000' });
    other = await world.tenant();
    await plant(world, { more: false });
    id = await driven(world.api);
    edgeId = (await edgeOf(world.api, id, 'plant.incidents')).edge_id;
    runId = (await runs(world.api, id))[0]!.discovery_id;
  });
  test.after(() => world.close());

  test('each call takes its scope, and nothing else opens it', async () => {
    for (const scope of ['discovery.read', 'discovery.write'] as const) {
      const lacking = await world.withScopes(scopes.filter(each => each !== scope));
      const calls = [...reads(), ...writes()].filter(([each]) => each === scope);
      for (const call of calls) {
        const { details } = refused(await send(lacking, call), 403, 'insufficient_scope');
        assert.equal(details.required, [scope], call[2]);
      }
    }
    const reader = await world.withScopes(['discovery.read']);
    for (const call of reads()) expected(await send(reader, call));
  });

  test('viewers and analysts read, an editor looks and decides', async () => {
    for (const role of ['viewer', 'analyst'] as const) {
      const api = await world.member(role);
      for (const call of reads()) expected(await send(api, call));
      for (const call of writes()) refused(await send(api, call), 403, 'role_forbidden');
    }
    const editor = await world.member('editor');
    await discovered(editor, id, { signals: [], event_streams: ['plant.incidents'] });
    expected(await editor.post<Json>(path(id, `/edges/${edgeId}/pin`), {}));
    assert.is((await edgeOf(world.api, id, 'plant.incidents')).status, 'pinned');
  });

  test('to another workspace there is nothing of it', async () => {
    const before = await edges(world.api, id);
    for (const call of [...reads(), ...writes()]) refused(await send(other, call), 404, 'not_found');
    assert.equal(await edges(world.api, id), before);
    const { streams } = expected(await other.get<Json>('/v1/event/streams')).data;
    assert.equal(streams, []);
  });

  test('a goal of one workspace does not lead to the edges of another goal', async () => {
    const fresh = await driven(world.api, {
      name: 'Another',
      candidates: { signals: [], event_streams: [] },
    });
    refused(await world.api.get<Json>(path(fresh, `/edges/${edgeId}`)), 404, 'not_found');
    refused(await world.api.get<Json>(path(fresh, `/discovery/${runId}`)), 404, 'not_found');
    refused(await world.api.post<Json>(path(fresh, `/edges/${edgeId}/block`), {}), 404, 'not_found');
    assert.equal(await edges(world.api, fresh), [], 'who names no candidates has none');
  });
});
