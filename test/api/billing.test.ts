import * as assert from 'uvu/assert';
import { rateItemNames } from '../../domain/billing/rates.js';
import { DAY, iso } from '../../domain/time.js';
import { peopleOf } from '../people.js';
import { startPlatform, temporaryFolder, type Running } from '../platform.js';
import { suite } from '../suite.js';
import { clientOf, type Client } from './client.js';

const NOW = Date.parse('2026-03-31T22:30:00Z');

suite('rates, estimates, quota and usage over HTTP', test => {
  const folder = temporaryFolder();
  let now = NOW;
  let api: Running;
  let client: Client;

  test.before(async () => {
    api = await startPlatform(folder.path, { clock: () => now });
    const description = (await api.call('GET', '/openapi/v1.json')).json;
    const { token, workspaceId: workspace } = api.installed;
    client = clientOf(api.base, description, { token, workspace });
  });
  test.after(async () => {
    client.close();
    await api.stop();
    folder.remove();
  });
  const visible = async () => api.platform.visible(await api.platform.stores.events.head());
  const estimate = (operation: string, params: unknown) =>
    client.post('/v1/billing/estimates', { operation, params });
  type Quota = { name: string; used: number; limit: number | null; period: string; resets_at: string | null };
  const quota = async () => {
    await visible();
    const { data } = (await client.get('/v1/billing/quota')).body;
    return new Map((data['quotas'] as Quota[]).map(each => [each.name, each]));
  };
  const used = async () => Object.fromEntries([...(await quota())].map(([name, each]) => [name, each.used]));

  test('rates say what each thing costs, and since when', async () => {
    const { data } = (await client.get('/v1/billing/rates')).body;
    const { version, effective_from, rates } = data as {
      rates: { item: string; credits: string }[];
    } & Record<string, unknown>;
    assert.equal([version, effective_from], ['1', '2026-11-01T00:00:00.000Z']);
    assert.equal(
      rates.map(({ item }) => item),
      rateItemNames,
    );
    assert.is(rates[0]!.credits, '0.0001');
  });

  test('an estimate says what work costs and what would be left', async () => {
    const { status, body } = await estimate('inference', { steps: 14, series: 20, calls: 100 });
    assert.is(status, 200);
    assert.equal(body.data, {
      credits: 2.8,
      breakdown: [
        {
          ...{ item: 'inference.series_step', quantity: 28_000, unit: 'step of one series' },
          ...{ rate: '0.0001', credits: 2.8 },
        },
      ],
      ...{ available_after: 97.2, within_budget: true, rates_version: '1' },
      valid_until: iso(now + 15 * 60_000),
    });
    const dear = (await estimate('finetune', { intensity: 'forge', trainings: 2 })).body.data;
    assert.equal([dear['credits'], dear['available_after'], dear['within_budget']], [120, -20, false]);
    const pool = { models: [{ model: 'mod_1' }, { family: 'presage', slug: 'nano' }], cycles: 3 };
    assert.is((await estimate('pipeline_cycle', pool)).body.data['credits'], 18);
  });

  const ignored: [string, object, string][] = [
    ['inference', { steps: 5, serie: 3, contestants: 2 }, 'params.serie, params.contestants'],
    ['pipeline_cycle', { models: [{ uid: 'mod_1' }], depth: 1 }, 'params.models[].uid, params.depth'],
    ['training', { steps: 1 }, 'params.steps'],
  ];
  for (const [operation, params, names] of ignored)
    test(`an estimate of ${operation} passes over ${names}`, async () => {
      const { status, headers } = await estimate(operation, params);
      assert.equal([status, headers['x-ignored-fields']], [200, names]);
    });

  const refused: [string, unknown, string[]][] = [
    ['tea', {}, ['body', 'operation']],
    ['inference', {}, ['body', 'params', 'steps']],
    ['inference', { steps: 0 }, ['body', 'params', 'steps']],
    ['inference', { steps: 1.5 }, ['body', 'params', 'steps']],
    ['finetune', { intensity: 'deep' }, ['body', 'params', 'intensity']],
    ['pipeline_cycle', { models: [] }, ['body', 'params', 'models']],
    ['deployment', { replicas: '2' }, ['body', 'params', 'replicas']],
    ['fleet', { goals: 1 }, ['body', 'params', 'contestants']],
    ['training', [], ['body', 'params']],
  ];
  for (const [operation, params, loc] of refused)
    test(`an estimate of ${operation} ${JSON.stringify(params)} names the field`, async () => {
      const { status, body } = await estimate(operation, params);
      assert.is(status, 422);
      assert.equal(body.detail[0]!.loc, loc);
    });

  test('quotas count what is there, against what the plan allows', async () => {
    const before = await quota();
    assert.equal([...before.keys()].length, 9);
    assert.equal([before.get('pipelines')!.limit, before.get('goals')!.limit], [3, 10]);
    const rows = before.get('streaming_rows')!;
    assert.equal([rows.limit, rows.period, rows.resets_at], [100_000, 'month', '2026-04-01T00:00:00.000Z']);
    const members = before.get('members')!;
    assert.equal([members.used, members.limit, members.period, members.resets_at], [1, null, 'total', null]);
    assert.is(before.get('tokens')!.used, 1);
  });

  test('what is written counts as rows for good; events are those that are there', async () => {
    const record = (text: string) => client.post('/v1/event/record', { key: 'news', text, raw: { a: 1 } });
    await record('Grüße');
    await record('two');
    const points = [1, 2, 3].map(value => ({ key: 's', timestamp: NOW + value, value }));
    await client.post('/v1/signal/push', { points });
    await client.post('/v1/signal/push', { key: 's', timestamp: NOW + 2, value: 5 });
    assert.equal(await used(), {
      ...{ pipelines: 0, goals: 0, deployments: 0, inference_calls: 0, members: 1, tokens: 1 },
      ...{ streaming_rows: 6, events: 2, storage_bytes: 7 + 3 + 2 * '{"a":1}'.length + 4 * 16 },
    });
    await client.delete('/v1/event/streams/news');
    const after = await used();
    assert.equal([after['events'], after['streaming_rows']], [0, 6]);
  });

  test('a month begins anew at midnight UTC', async () => {
    now = Date.parse('2026-04-01T00:00:00Z');
    await client.post('/v1/event/record', { key: 'news', text: 'april' });
    const { streaming_rows, storage_bytes } = await used();
    assert.equal([streaming_rows, storage_bytes], [1, 93]);
    assert.is((await quota()).get('streaming_rows')!.resets_at, '2026-05-01T00:00:00.000Z');
  });

  test('usage adds up what was paid, by day, item and pipeline', async () => {
    const { commands } = api.platform.areas.billing;
    const pay = async (id: string, item: string, amount: number, pipelineId: string | null) => {
      const { workspaceId: workspace, organizationId } = api.installed;
      const context = { ...peopleOf(api.platform).operator(), workspace, at: now };
      const reference = { type: 'inference', id };
      const price = { item, quantity: 10, rate: '1', ratesVersion: '1', amount };
      await commands.hold(organizationId, { price, reference, pipelineId }, context);
      await commands.charge(organizationId, reference, null, context);
    };
    await pay('a', 'inference.series_step', 5, null);
    await pay('b', 'training.custom', 1_000, 'pip_1');
    now += DAY;
    await pay('c', 'inference.series_step', 7, null);
    await visible();
    const usage = async (query: string) => {
      const { buckets, total } = (await client.get(`/v1/billing/usage${query}`)).body.data as {
        buckets: { key: string; credits: string; charges: number }[];
        total: unknown;
      };
      return [...buckets.map(({ key, credits, charges }) => `${key} ${credits} ${charges}`), total];
    };
    const all = { credits: '1.012', charges: 3 };
    assert.equal(await usage(''), ['2026-04-01 1.005 2', '2026-04-02 0.007 1', all]);
    assert.equal(await usage('?group_by=item'), [
      'inference.series_step 0.012 2',
      'training.custom 1.000 1',
      all,
    ]);
    assert.equal(await usage('?group_by=pipeline'), ['none 0.012 2', 'pip_1 1.000 1', all]);
    assert.equal(await usage('?group_by=goal'), ['none 1.012 3', all]);
    const last = { credits: '0.007', charges: 1 };
    assert.equal(await usage('?from=2026-04-02T05:00:00Z'), ['2026-04-02 0.007 1', last]);
    assert.equal(await usage('?to=2026-03-31T00:00:00Z'), [{ credits: '0.000', charges: 0 }]);
    const wrong = await client.get('/v1/billing/usage?from=2026-04-02&to=2026-04-01');
    assert.is(wrong.status, 422);
  });
});
