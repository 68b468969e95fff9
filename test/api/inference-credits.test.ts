import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { builtInRates } from '../../domain/billing/rates.js';
import { startPlatform, temporaryFolder, until, type Running } from '../platform.js';
import { suite } from '../suite.js';
import { clientOf, type Client } from './client.js';

type Entry = {
  readonly kind: string;
  readonly amount: string;
  readonly note: string | null;
  readonly reference: { readonly id: string };
};

/** A credit for a hundred values: 100 credits are ten thousand of them. */
const rates = {
  version: 'dear',
  effective_from: '2026-01-01T00:00:00Z',
  credits: { ...builtInRates.credits, 'inference.series_step': '0.01' },
};
const series = (count: number, length = 40) =>
  Array.from({ length: count }, (_, i) => ({
    ...{ id: `s${i}`, start: '2026-01-01', step_s: 3_600 },
    values: Array.from({ length }, (__, k) => Math.sin(k / 4) * (i + 1) + (k % 7)),
  }));

suite('inferences are paid for', test => {
  const folder = temporaryFolder();
  let api: Running;
  let client: Client;
  let promotion_id: string;

  test.before(async () => {
    const file = join(folder.path, 'rates.json');
    writeFileSync(file, JSON.stringify(rates));
    api = await startPlatform(folder.path, { env: { RATES_FILE: file, SERVING_THREADS: '1' } });
    const description = (await api.call('GET', '/openapi/v1.json')).json;
    const { token, workspaceId: workspace } = api.installed;
    client = clientOf(api.base, description, { token, workspace });
    const deployed = await client.post('/v1/models/deploy-foundation', { family: 'presage', slug: 'nano' });
    promotion_id = deployed.body.data['promotion_id'] as string;
    await until(
      async () => (await client.get(`/v1/deployments/${promotion_id}/status`)).body.data['ready'] === true,
      'the deployment',
    );
  });
  test.after(async () => {
    client.close();
    await api.stop();
    folder.remove();
  });

  const ask = (task: string, body: object) =>
    client.post<Record<string, never>>(`/v1/inference/${task}`, { promotion_id, ...body });
  const available = async () => (await client.get('/v1/billing/balance')).body.data['available'];
  const entries = async (id: string): Promise<string[]> => {
    const { body } = await client.get(`/v1/billing/ledger?reference=${id}`);
    return (body.data['entries'] as Entry[]).map(e => [e.kind, e.amount, e.note].join(' ')).reverse();
  };
  const cycle = (amount: string) => [`hold -${amount} `, `release ${amount} charged`, `charge -${amount} `];

  test('each task by the values that it answers, once it has answered', async () => {
    let left = 100_000;
    for (const [task, body, values] of [
      ['forecast', { series: series(2), horizon: 30 }, 60],
      // Remembered: it costs the same
      ['forecast', { series: series(2), horizon: 30 }, 60],
      ['backtest', { series: series(1, 60), horizon: 4, windows: 3 }, 12],
      ['anomaly', { series: series(1), window: 25 }, 25],
      ['impute', { series: series(2, 30) }, 60],
    ] as const) {
      const { status, body: answer } = await ask(task, body);
      assert.is(status, 200, task);
      const { usage, inference_id } = answer as unknown as {
        usage: { credits: number; output_points: number };
        inference_id: string;
      };
      assert.equal([usage.output_points, usage.credits], [values, values / 100], task);
      left -= values * 10;
      assert.is(await available(), (left / 1_000).toFixed(3), task);
      assert.equal(await entries(inference_id), cycle((values / 100).toFixed(3)), task);
      const record = (await client.get<Record<string, never>>(`/v1/inference/${inference_id}`)).body;
      assert.equal(record['answer'], answer, task);
    }
    const { inferences } = (await client.get<Record<string, never>>('/v1/inference')).body as unknown as {
      inferences: { credits: number }[];
    };
    assert.equal(inferences.map(({ credits }) => credits).reverse(), [0.6, 0.6, 0.12, 0.25, 0.6]);
    const usage = (await client.get<{ total: { credits: number } }>('/v1/inference/usage')).body;
    assert.is(usage.total.credits, 2.17);
  });

  test('more than the caller is ready to pay is refused before anything begins', async () => {
    const before = await available();
    const body = { series: series(1), horizon: 50, max_credits: 0.499 };
    const { status, body: refused } = await client.post('/v1/inference/forecast', { promotion_id, ...body });
    assert.equal([status, refused.error.code], [402, 'price_above_max']);
    const { request_id: _, ...details } = refused.error.details;
    assert.equal(details, { price: 0.5, max_credits: 0.499, rates_version: 'dear' });
    assert.is((await ask('forecast', { ...body, max_credits: 0.5 })).status, 200);
    assert.is((await ask('forecast', { ...body, async: true })).status, 402);
    assert.is(await available(), (Number(before) - 0.5).toFixed(3));
  });

  test('what fails and what is refused costs nothing', async () => {
    const before = await available();
    const lines = (await client.get('/v1/billing/ledger')).body.data['total'];
    const short = await ask('backtest', { series: series(1, 20), horizon: 10, windows: 5 });
    assert.is(short.status, 422);
    assert.is((await ask('forecast', { series: series(1), horizon: 100_000 })).status, 400);
    assert.is(await available(), before);
    assert.is((await client.get('/v1/billing/ledger')).body.data['total'], lines);
  });

  test('queued work is held from the start, and charged when it is done', async () => {
    const { status, body } = await ask('forecast', { series: series(60), horizon: 5 });
    assert.is(status, 202);
    const id = (body as unknown as { inference_id: string }).inference_id;
    assert.is((await entries(id))[0], 'hold -3.000 ');
    await until(async () => (await entries(id)).length === 3, 'the charge');
    assert.equal(await entries(id), cycle('3.000'));
    const record = (
      await client.get<{ status: string; answer: { usage: { credits: number } } }>(`/v1/inference/${id}`)
    ).body;
    assert.equal([record.status, record.answer.usage.credits], ['completed', 3]);
  });

  test('an empty purse: 402, for work at once and queued; a grant opens it again', async () => {
    const { commands } = api.platform.areas.billing;
    const { organizationId } = api.installed;
    const correlation = 'c';
    const context = {
      workspace: null,
      actor: 'operator',
      request: null,
      correlation,
      causation: null,
      at: Date.now(),
    };
    const take = -Math.round(Number(await available()) * 1_000) + 99;
    await commands.adjust(organizationId, { amount: take, note: 'taken' }, context);
    assert.is(await available(), '0.099');
    for (const more of [{}, { async: true }]) {
      const body = { promotion_id, series: series(1), horizon: 10, ...more };
      const { status, body: refused } = await client.post('/v1/inference/forecast', body);
      assert.equal([status, refused.error.code], [402, 'insufficient_credits']);
      const { request_id: _, ...details } = refused.error.details;
      assert.equal(details, { needed: '0.100', balance: '0.099' });
    }
    assert.is((await ask('forecast', { series: series(1), horizon: 9 })).status, 200);
    assert.is(await available(), '0.009');
    await commands.grant(
      organizationId,
      { amount: 91, reason: 'operator', note: null, period: null },
      context,
    );
    assert.is((await ask('forecast', { series: series(1), horizon: 10 })).status, 200);
    assert.is(await available(), '0.000');
  });
});
