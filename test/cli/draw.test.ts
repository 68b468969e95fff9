import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { until } from '../platform.js';
import { suite } from '../suite.js';
import { accountOf, dataFolder, endAll, presage, serve, type Account, type Listening } from './presage.js';

const passengers = fileURLToPath(new URL('../../../examples/air-passengers.csv', import.meta.url));

suite('presage draw', test => {
  const folder = dataFolder('drawn');
  mkdirSync(folder);
  let platform: Listening;
  let who: Account;
  test.before(async () => {
    platform = await serve({ DATA_DIR: join(folder, 'data') });
    who = await accountOf(platform);
  });
  test.after(async () => {
    await platform.stop();
    endAll();
  });
  const call = async (path: string, body?: object): Promise<Json> => {
    const answer = await fetch(platform.base + path, {
      method: body ? 'POST' : 'GET',
      headers: {
        authorization: `Bearer ${who.token}`,
        'x-workspace-id': who.workspace,
        'content-type': 'application/json',
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Json;
  };
  const file = (name: string, content: unknown): string => {
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
    return join(folder, name);
  };
  const rows = readFileSync(passengers, 'utf8').trim().split('\n').slice(1);
  const values = rows.map(row => [`${row.split(',')[0]}-01`, Number(row.split(',')[1])]);

  test('what a deployment answered, with what was before and what came since', async () => {
    await call('/v1/signal/push', { key: 'air', values: values.slice(0, 132) });
    const { data } = await call('/v1/models/deploy-foundation', { family: 'presage', slug: 'nano' });
    const { promotion_id } = data;
    const isReady = async () =>
      (await call(`/v1/deployments/${promotion_id}/status`)).data.status === 'deployed';
    await until(isReady, 'the deployment');
    const answer = await call('/v1/inference/forecast', { promotion_id, key: 'air', horizon: 12 });
    const points = file('points.json', await call('/v1/signal/points?key=air'));
    const svg = join(folder, 'answer.svg');
    const drawn = await presage(['draw', file('answer.json', answer), '--points', points, '--svg', svg], {});
    assert.equal([drawn.code, drawn.stderr], [0, `written: ${svg}\n`]);
    const first = readFileSync(svg, 'utf8');
    const last = answer.forecasts[0].points[11];
    const ends = `${last.quantiles['0.05']} to ${last.quantiles['0.95']}`;
    assert.ok(first.includes(`<title>air</title>\n<desc>72 values of history and 12 steps of forecast; `));
    assert.ok(first.includes(`the median of the last step is ${last.mean}, 90% band ${ends}</desc>`));
    assert.match(first, '12 steps ahead by presage nano');

    await call('/v1/signal/push', { key: 'air', values: values.slice(132) });
    const record = async () => call(`/v1/inference/${answer.inference_id}`);
    await until(async () => (await record()).actuals?.[0].points.length === 12, 'the actuals');
    const png = join(folder, 'record.png');
    const since = await presage(
      ['draw', file('record.json', await record()), '--points', points, '--png', png, '--svg', svg],
      {},
    );
    assert.is(since.code, 0, since.stderr);
    const second = readFileSync(svg, 'utf8');
    const line = /<path d="([^"]*)"[^>]*stroke="#333d47" stroke-width="1.6"/.exec(second)![1]!;
    assert.is(line.match(/[ML]/g)!.length, 72, 'the newest history, of which 12 came since');
    assert.is(readFileSync(png).toString('latin1', 1, 4), 'PNG');
    const later = file('later.json', await call('/v1/signal/points?key=air'));
    const text = await presage(['draw', join(folder, 'answer.json'), '--points', later], {});
    assert.is(Math.max(...text.stdout.split('\n').map(row => row.replace(/.*│ /, '').length)), 72);
  });

  test('the folds of a training, over what came', async () => {
    const months = { target: 'air', step_s: 2_592_000, timezone: 'UTC', split: { folds: 2, horizon: 6 } };
    const { segment_id } = (await call('/v1/segment', { name: 'Months', ...months })).data;
    const isBuilt = async () => (await call(`/v1/segment/${segment_id}`)).data.status === 'ready';
    await until(isBuilt, 'the segment');
    const { uid: model } = (await call('/v1/models', { kind: 'custom', algorithm: 'naive', name: 'N' })).data;
    const { training_id } = (await call('/v1/training', { segment_id, model })).data;
    const isOver = async () => (await call(`/v1/training/${training_id}`)).data.status === 'completed';
    await until(isOver, 'the training');
    const report = await call(`/v1/training/${training_id}/report`);
    const points = file('months.json', await call('/v1/signal/points?key=air'));
    const svg = join(folder, 'report.svg');
    const drawn = await presage(['draw', file('report.json', report), '--points', points, '--svg', svg], {});
    assert.equal([drawn.code, drawn.stderr], [0, `written: ${svg}\n`]);
    const picture = readFileSync(svg, 'utf8');
    for (const { fold } of report.data.folds) {
      const last = report.data.backtest.points.filter((point: Json) => point.fold === fold).at(-1);
      assert.match(picture, `<title>fold ${fold}</title>`);
      assert.match(picture, `the median of the last step is ${last.mean}, 95% band`);
    }
    assert.match(picture, '6 steps ahead, which the training did not see');
  });

  test('what presage forecast told programs, as text', async () => {
    const { stdout } = await presage(['forecast', passengers, '--json', '--horizon', '6'], {});
    const { code, stdout: text } = await presage(['draw', file('own.json', stdout)], {});
    assert.is(code, 0);
    assert.match(text, /^passengers: 6 steps ahead by presage nano\n/);
    assert.is(text.split('\n').filter(line => line.includes('│')).length, 12);
    assert.match(text, '━');
  });

  const point = { ts: '2026-01-01T00:00:00Z', mean: 1, quantiles: {} };
  const faults: [string, unknown, RegExp][] = [
    ['no JSON', 'a,b\n', /is not JSON/],
    ['another answer', { data: {} }, /it has no forecasts/],
    ['no points', { forecasts: [{ id: 'a', points: [] }] }, /it has no points/],
    [
      'a time that is none',
      { forecasts: [{ id: 'a', points: [{ ...point, ts: 'soon' }] }] },
      /'soon' is no time/,
    ],
    ['no median', { forecasts: [{ id: 'a', points: [{ ts: point.ts }] }] }, /'undefined' is no number/],
  ];
  for (const [what, content, message] of faults)
    test(`${what} is refused by name`, async () => {
      const { code, stderr } = await presage(['draw', file('bad.json', content)], {});
      assert.is(code, 2);
      assert.match(stderr, message);
    });

  test('points that are none are refused by name', async () => {
    const answer = file('fine.json', { forecasts: [{ id: 'a', points: [point] }] });
    const { code, stderr } = await presage(['draw', answer, '--points', answer], {});
    assert.equal([code, stderr], [2, `presage: ${answer} is no answer of /v1/signal/points\n`]);
  });
});
