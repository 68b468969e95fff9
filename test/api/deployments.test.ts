import * as assert from 'uvu/assert';
import { startPlatform, temporaryFolder, until, type Running } from '../platform.js';
import { suite } from '../suite.js';
import { clientOf, type Client } from './client.js';

const NANO = { family: 'presage', slug: 'nano' };
const never = new AbortController().signal;

suite('deployments over HTTP', test => {
  const folder = temporaryFolder();
  let api: Running;
  let client: Client;
  let nano: string;

  const start = async (installed?: Running['installed']) => {
    api = await startPlatform(folder.path, {
      env: { SERVING_THREADS: '2', SCORER_THREADS: '1' },
      ...(installed && { installed }),
    });
    const description = (await api.call('GET', '/openapi/v1.json')).json;
    const { token, workspaceId: workspace } = api.installed;
    client = clientOf(api.base, description, { token, workspace });
  };
  test.before(() => start());
  test.after(async () => {
    client.close();
    await api.stop();
    folder.remove();
  });
  const deploy = (body: object) => client.post('/v1/models/deploy-foundation', body);
  const one = async (id = nano) => (await client.get(`/v1/deployments/${id}`)).body.data;

  test('a model is deployed; one that is warm at once', async () => {
    const first = await deploy({ family: 'presage', slug: 'nano' });
    assert.is(first.status, 201);
    const cold = first.body.data['promotion_id'] as string;
    await until(async () => (await one(cold))['ready'] === true, 'being ready');
    assert.is((await one(cold))['status'], 'deployed');
    assert.is((await client.post(`/v1/deployments/${cold}/unpromote`)).status, 200);

    const total = async () => (await client.get<{ total: number }>('/v1/deployments')).body.total;
    const before = await total();
    for (const path of ['/v1/models/deploy-foundation', '/v1/deployments']) {
      const sent = path === '/v1/deployments' ? { blueprint_uid: 'presage__nano' } : NANO;
      const { status, body } = await client.post(`${path}?dry_run=true`, sent);
      const would = { dry_run: true, deployment_type: 'foundation', status: 'deploying' };
      assert.equal([status, body.data], [200, would]);
    }
    assert.is(await total(), before);

    const { status, body } = await deploy({ ...NANO, reason: 'a first try' });
    assert.is(status, 201);
    nano = body.data['promotion_id'] as string;
    assert.equal(
      { ...body.data, message: null },
      {
        ...{ promotion_id: nano, deployment_type: 'foundation', status: 'deployed' },
        ...{ ready: true, message: null },
      },
    );
    const record = await one();
    assert.equal(
      [record['status'], record['ready'], record['horizon'], record['reason'], record['attempts']],
      ['deployed', true, 128, 'a first try', 1],
    );
    assert.is((record['health'] as { state: string }).state, 'healthy');
    // What it says of itself fits together from its first answer on
    assert.ok((record['replicas'] as { ready: number }).ready >= 1);
    for (const { type, status: holds } of record['conditions'] as { type: string; status: string }[])
      assert.is(holds, 'true', type);
    assert.is(record['last_inference_at'], null, 'a probe is no inference');
  });

  test('once in a workspace', async () => {
    for (const body of [NANO, { blueprint_uid: 'presage__nano' }]) {
      const tried = await client.post('/v1/models/deploy-foundation?dry_run=true', body);
      for (const refused of [await deploy(body), tried]) {
        assert.is(refused.status, 409);
        assert.is(refused.body.error.code, 'ALREADY_DEPLOYED');
        assert.is(refused.body.error.details['promotion_id'], nano);
      }
    }
  });

  test('what names no model is 400, what is not hosted 404, a horizon above the cap 400', async () => {
    for (const body of [{}, { family: 'presage' }, { slug: 'nano' }, { family: '', slug: 'nano' }]) {
      const refused = await deploy(body);
      assert.equal([refused.status, refused.body.error.code], [400, 'model_reference_required']);
    }
    const { status, body: said } = await client.post('/v1/deployments', {});
    assert.equal(
      [status, said.error.message],
      [400, 'Name the model: send one of training_id, adapter_id, byom_id, blueprint_uid'],
    );
    const unknown = await deploy({ family: 'chronos', slug: 'tiny' });
    assert.is(unknown.status, 404);
    assert.match(unknown.body.error.message, 'chronos/tiny is not available');
    for (const [blueprint_uid, name] of [
      ['extfm__x__y', 'x/y'],
      ['presage__giant', 'presage/giant'],
      ['blueprint__ets', 'blueprint__ets'],
    ]) {
      const { status, body } = await deploy({ blueprint_uid });
      const { message, details } = body.error;
      const said = `The model ${name} is not available`;
      assert.equal([status, message, details['model']], [404, said, name]);
    }
    const far = await deploy({ family: 'presage', slug: 'mini', horizon: 100_000 });
    assert.equal([far.status, far.body.error.code], [400, 'horizon_above_cap']);
    assert.match(far.body.error.message, /horizon .*presage\/mini .*720/);
    assert.is((await deploy({ ...NANO, horizon: 0 })).status, 422);
    assert.is((await deploy({ ...NANO, blueprint_uid: 'presage__mini' })).status, 422);
  });

  test('it is asked through the live path, and what it does shows in its health', async () => {
    const { served } = api.platform.areas.deployments;
    const deployment = await served(api.installed.workspaceId, nano);
    const values = Float64Array.from({ length: 100 }, (_, i) => i % 12);
    const [answer] = await deployment.forecaster.forecast([{ values, period: 12 }], 12, never);
    assert.is(answer!.quantiles.values.length, 12 * 9);
    const record = await one();
    const health = record['health'] as Record<string, number>;
    assert.ok(health['latency_p50_ms']! > 0 && health['latency_p95_ms']! >= health['latency_p50_ms']!);
    assert.is(health['error_rate_1h'], 0);
  });

  test('one is shown, listed and found by its state; its changes say who made them', async () => {
    const { body } = await client.get<{ deployments: { promotion_id: string }[]; total: number }>(
      '/v1/deployments?status=deployed&deployment_type=foundation',
    );
    assert.equal([body.total, body.deployments[0]!.promotion_id], [1, nano]);
    for (const none of ['status=failed', 'deployment_type=byom', 'pipeline_id=pip_1'])
      assert.is((await client.get<{ total: number }>(`/v1/deployments?${none}`)).body.total, 0);
    const { data } = (await client.get(`/v1/deployments/${nano}/events`)).body;
    const events = data['events'] as { type: string; to: string; actor: string }[];
    assert.equal(
      events.map(({ type, to }) => [type, to]),
      [
        ['DeploymentRequested', 'deploying'],
        ['DeploymentDeployed', 'deployed'],
      ],
    );
    assert.match(events[0]!.actor, /^token:tok_/);
    const [asked, came] = (data['events'] as { at: string }[]).map(({ at }) => Date.parse(at));
    const then = (ms: number) =>
      client.get(`/v1/deployments/${nano}/events?as_of=${new Date(ms).toISOString()}`);
    const past = await then(came!);
    assert.is((past.body.data['events'] as unknown[]).length, 2);
    const said = new Date(came!).toISOString();
    assert.equal([past.body.data['as_of'], past.headers['x-as-of']], [said, said]);
    if (came! > asked!) assert.is(((await then(came! - 1)).body.data['events'] as unknown[]).length, 1);
    assert.is((await then(asked! - 1)).status, 404, 'it was not there yet');
    assert.is((await then(Date.now() + 3_600_000)).status, 422);
    for (const path of ['', '/status', '/events'])
      assert.is((await client.get(`/v1/deployments/prm_0123456789abcdef_00000000${path}`)).status, 404);
    assert.is((await client.get('/v1/deployments/x')).status, 404);
  });

  test('it is scaled while it serves', async () => {
    const scale = (body: object) => client.post(`/v1/deployments/${nano}/scale`, body);
    assert.is((await scale({ min: 3, max: 2 })).status, 422);
    const dear = await scale({ min: 2, max: 2, max_credits: 0 });
    assert.equal([dear.status, dear.body.error.code], [402, 'price_above_max']);
    const mini = { blueprint_uid: 'presage__mini', replicas: { min: 2, max: 2 }, max_credits: 0 };
    assert.equal((await client.post('/v1/deployments', mini)).body.error.code, 'price_above_max');
    const path = `/v1/deployments/${nano}/scale?dry_run=true`;
    const would = await client.post(path, { min: 2, max: 2 });
    assert.equal(
      [would.status, would.body.data['dry_run'], would.body.data['status']],
      [200, true, 'scaling'],
    );
    assert.is((await one())['status'], 'deployed');
    const { status, body } = await scale({ min: 2, max: 2, max_credits: 100 });
    assert.equal([status, body.data['status'], body.data['ready']], [202, 'scaling', true]);
    const done = await until(async () => {
      const record = await one();
      return record['status'] === 'deployed' && record;
    }, 'the new size');
    assert.equal(done['replicas'], { min: 2, max: 2, desired: 2, ready: 2, possible: 2 });
  });

  test('it goes on after a restart, loaded and probed', async () => {
    client.close();
    await api.stop();
    await start(api.installed);
    const ready = await until(async () => {
      const { data } = (await client.get(`/v1/deployments/${nano}/status`)).body;
      return data['ready'] === true && data;
    }, 'a passed probe');
    assert.is(ready['status'], 'deployed');
  });

  test('only what failed can be retried', async () => {
    const refused = await client.post(`/v1/deployments/${nano}/retry`);
    assert.equal([refused.status, refused.body.error.code], [409, 'not_retryable']);
  });

  test('it is unpromoted for good, and says what to ask instead', async () => {
    const { body: other } = await client.post('/v1/deployments', { blueprint_uid: 'presage__mini' });
    const replacement = other.data['promotion_id'] as string;
    const unpromote = (body: object) => client.post(`/v1/deployments/${nano}/unpromote`, body);
    assert.is((await unpromote({ replacement: nano })).status, 422);
    const unknown = await unpromote({ replacement: 'prm_x' });
    assert.is(unknown.status, 404);
    assert.is(unknown.body.error.details['field'], 'replacement');
    const would = await client.post(`/v1/deployments/${nano}/unpromote?dry_run=true`, { replacement });
    assert.equal(
      [would.status, would.body.data['dry_run'], would.body.data['status']],
      [200, true, 'retiring'],
    );
    assert.is((await one())['status'], 'deployed');
    const { status, body } = await unpromote({ reason: 'too small', replacement });
    assert.equal([status, body.status, body.data['status']], [200, 'ok', 'retired']);
    const { served } = api.platform.areas.deployments;
    const refused = await served(api.installed.workspaceId, nano).then(
      () => null,
      (error: { code: string; details: object }) => error,
    );
    assert.equal([refused!.code, refused!.details], ['deployment_retired', { replacement }]);
    assert.is((await unpromote({})).status, 200, 'once more changes nothing');
    const again = await deploy(NANO);
    assert.is(again.status, 201);
    assert.is.not(again.body.data['promotion_id'], nano);
  });
});
