import * as assert from 'uvu/assert';
import {
  accountOf,
  dataFolder,
  endAll,
  presage,
  serve,
  type Account,
  type Listening,
} from '../cli/presage.js';
import type { Json } from '../json.js';
import { until } from '../platform.js';
import { suite } from '../suite.js';
import { daily } from './series.js';

// The platform as people run it, in a process of its own: killed amid forecasts, and spoken to by the
// operator while it runs (specification 8; open-parts 23, 31.9, 32.36).

const series = [{ id: 'a', start: '2026-01-01T00:00:00Z', step_s: 86_400, values: daily(60) }];

suite('acceptance: credits across kills', test => {
  const env = { DATA_DIR: dataFolder(), LOG_LEVEL: 'silent' };
  let running: Listening;
  let who: Account;
  test.before(async () => {
    running = await serve(env);
    who = await accountOf(running);
  });
  test.after(() => endAll());

  const call = async (
    method: string,
    path: string,
    body?: object,
  ): Promise<{ status: number; json: Json }> => {
    const answer = await fetch(running.base + path, {
      method,
      headers: {
        authorization: `Bearer ${who.token}`,
        'x-workspace-id': who.workspace,
        'content-type': 'application/json',
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: answer.status, json: await answer.json() };
  };
  const money = async (): Promise<Json> => (await call('GET', '/v1/billing/balance')).json.data;
  const entries = async (): Promise<Json[]> => {
    const rows: Json[] = [];
    for (let page = 1, pages = 1; page <= pages; page++) {
      const { data } = (await call('GET', `/v1/billing/ledger?per_page=100&page=${page}`)).json;
      rows.push(...data.entries);
      pages = data.total_pages;
    }
    return rows;
  };
  const ready = async (id: string) =>
    until(async () => (await call('GET', `/v1/deployments/${id}/status`)).json.data?.ready, 'being ready');

  /** Waits until queued work is done. */
  const over = (id: string) =>
    until(async () => (await call('GET', `/v1/inference/${id}`)).json.status === 'completed', id);

  test('whatever moment it is killed at, each forecast is charged once or not at all', async () => {
    const { json } = await call('POST', '/v1/models/deploy-foundation', { family: 'presage', slug: 'nano' });
    const id: string = json.data.promotion_id;
    await ready(id);
    const answered: string[] = [];
    for (let round = 0; round < 3; round++) {
      let asking = true;
      const asked = Array.from({ length: 8 }, async (_, worker) => {
        while (asking) {
          const body = { promotion_id: id, series, horizon: 10 + worker, async: worker > 5 };
          const answer = await call('POST', '/v1/inference/forecast', body).catch(() => null);
          if (!answer) return;
          if (answer.status === 200) answered.push(answer.json.inference_id);
          else if (answer.status === 202) await over(answer.json.inference_id).catch(() => undefined);
        }
      });
      const enough = answered.length + 20;
      await until(async () => answered.length >= enough, 'forecasts under way');
      await running.stop('SIGKILL');
      asking = false;
      await Promise.all(asked);
      running = await serve(env);
      await ready(id);
    }
    await until(async () => Number((await money()).held) === 0, 'no hold being left');
    const rows = await entries();
    const by = (reference: string, kind: string) =>
      rows.filter(row => row.reference?.id === reference && row.kind === kind).length;
    for (const inference of answered)
      assert.equal([by(inference, 'hold'), by(inference, 'release'), by(inference, 'charge')], [1, 1, 1]);
    const ids = new Set<string>(rows.filter(row => row.kind === 'hold').map(row => row.reference.id));
    for (const inference of ids) {
      assert.equal([by(inference, 'hold'), by(inference, 'release')], [1, 1], inference);
      const { status, json: record } = await call('GET', `/v1/inference/${inference}`);
      const done = status === 200 && ['completed', 'graded'].includes(record.status);
      assert.is(by(inference, 'charge'), done ? 1 : 0, `${inference} ${record.status}`);
    }
    const sum = rows.reduce((total, row) => total + Math.round(Number(row.amount) * 1e3), 0);
    assert.is(sum, Math.round(Number((await money()).available) * 1e3));
  });

  test('the operator grants credits and changes the plan beside the running platform', async () => {
    const me = (await call('GET', '/v1/user/me')).json.data;
    const { organization_id } = me.memberships[0];
    const before = Number((await money()).credits);
    const granted = await presage(['credits', 'grant', organization_id, '12.5', '--note', 'thanks'], env);
    assert.is(granted.code, 0, granted.stdout + granted.stderr);
    assert.is(Number((await money()).credits), Math.round((before + 12.5) * 1e3) / 1e3);
    const planned = await presage(['plan', 'set', organization_id, 'scale'], env);
    assert.is(planned.code, 0, planned.stdout + planned.stderr);
    await until(async () => (await money()).plan.id === 'scale', 'the plan');
    assert.is((await running.stop()).code, 0);
  });
});
