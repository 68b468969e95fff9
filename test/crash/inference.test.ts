import * as assert from 'uvu/assert';
import { accountOf, dataFolder, endAll, get, serve, type Account, type Listening } from '../cli/presage.js';
import type { Json } from '../json.js';
import { until } from '../platform.js';
import { suite } from '../suite.js';

suite('the process killed while it infers', test => {
  test.after(endAll);

  const post = async (
    base: string,
    { token, workspace }: Account,
    path: string,
    body: object,
  ): Promise<Json> => {
    const headers = {
      authorization: `Bearer ${token}`,
      'x-workspace-id': workspace,
      'content-type': 'application/json',
    };
    const answer = await fetch(base + path, { method: 'POST', headers, body: JSON.stringify(body) });
    return answer.json();
  };
  const read = async ({ base }: Listening, who: Account, path: string): Promise<Json> =>
    (await get(base, who, path)).json();

  test('queued work goes on, and what was answered is there', async () => {
    // Large answers count as several calls, and a slow machine looks for them often
    const env = { DATA_DIR: dataFolder(), LOG_LEVEL: 'error', RATE_DEFAULT: '1000000' };
    const first = await serve(env);
    const who = await accountOf(first);
    const model = { family: 'presage', slug: 'nano' };
    const { data } = await post(first.base, who, '/v1/models/deploy-foundation', model);
    const { promotion_id } = data;
    await until(
      async () => (await read(first, who, `/v1/deployments/${promotion_id}/status`)).data.ready,
      'the deployment',
    );
    const series = (count: number, length: number) =>
      Array.from({ length: count }, (_, i) => ({
        ...{ id: `s${i}`, start: '2026-01-01', step_s: 3_600 },
        values: Array.from({ length }, (__, k) => Math.sin(k / 4) * (i + 1) + (k % 7)),
      }));
    const ask = (body: object) => post(first.base, who, '/v1/inference/forecast', { promotion_id, ...body });
    const answered = await ask({ series: series(1, 40), horizon: 3 });
    const small = await ask({ series: series(10, 40), horizon: 20 });
    const queued = await ask({ series: series(60, 600), horizon: 500 });
    assert.is(queued.status, 'queued');
    const path = `/v1/inference/${queued.inference_id}`;
    await until(async () => (await read(first, who, path)).status !== 'queued', 'work');
    await first.stop('SIGKILL');

    const second = await serve(env);
    const { answer, status } = await until(async () => {
      const record = await read(second, who, path);
      return record.answer && record;
    }, 'the answer');
    assert.equal([status, answer.forecasts.length], ['completed', 60]);
    assert.is(answer.forecasts[59].points.length, 500);
    const before = await read(second, who, `/v1/inference/${answered.inference_id}`);
    assert.equal(before.answer, answered);
    const replayed = await post(second.base, who, `${path}/replay`, {});
    assert.equal(replayed, { identical: true, diff: [] });
    // Each is paid once: what was queued had its hold from the start, and was charged by who went on with it
    const paid = async (id: string): Promise<string[]> => {
      const { data } = await read(second, who, `/v1/billing/ledger?reference=${id}`);
      return data.entries.map((e: Json) => `${e.kind} ${e.amount}`).reverse();
    };
    const cycle = (amount: string) => [`hold -${amount}`, `release ${amount}`, `charge -${amount}`];
    await until(async () => (await paid(queued.inference_id)).length === 3, 'the charge');
    assert.equal(await paid(queued.inference_id), cycle('3.000'));
    assert.equal(await paid(small.inference_id), cycle('0.020'));
    assert.equal(await paid(answered.inference_id), cycle('0.001'));
    const { data: balance } = await read(second, who, '/v1/billing/balance');
    assert.equal([balance.credits, balance.held], ['96.979', '0.000']);
    await second.stop();
  });
});
