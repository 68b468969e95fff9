import * as assert from 'uvu/assert';
import { clientOf, type Client } from '../api/client.js';
import { accountOf, dataFolder, endAll, serve, type Account, type Listening } from '../cli/presage.js';
import type { Json } from '../json.js';
import { until } from '../platform.js';
import { suite } from '../suite.js';
import {
  activated,
  active,
  body,
  forecasts,
  happened,
  HOUR,
  hours,
  latest,
  made,
  newer,
  openGoals,
  upToNow,
} from './goals.js';
import { push, type World } from './world.js';

// A forecast is late rather than missing: no cadence goes by silently, and none is issued twice (open-parts
// 13.4, 32.27). Readings: what a stopped platform did not issue is issued late, or noted as
// `forecast.missed` in the timeline, once for what was missed together or once each.

suite('acceptance: forecasts that are late', test => {
  let world: World;
  test.before(async () => {
    world = await openGoals();
    await upToNow(world, 'demand', hours(100));
  });
  test.after(() => world.close());

  test('a scheduler that comes late issues what is due now, and is silent about nothing', async () => {
    const id = await active(world.api, body('demand'));
    const first = await latest(world.api, id);
    world.later(5 * HOUR);
    const next = await newer(world.api, id, first);
    assert.ok(Math.abs(Date.parse(next.issued_at) - world.now()) < HOUR, 'what it issues is of now');
    const [newest] = await forecasts(world.api, id);
    world.later(HOUR);
    await newer(world.api, id, newest!);
    const count = (await forecasts(world.api, id)).length;
    const missed = await happened(world.api, id, 'forecast.missed');
    assert.ok(count >= 7 || missed.length > 0, `${count} forecasts of 7, and nothing said of the others`);
  });

  test('a stopped platform issues what is due when it is back', async () => {
    const id = await active(world.api, body('demand', { cadence_s: 7_200 }));
    const first = await latest(world.api, id);
    await world.restart(async () => world.later(9 * HOUR));
    await newer(world.api, id, first);
    world.later(2 * HOUR);
    const [newest] = await forecasts(world.api, id);
    await newer(world.api, id, newest!);
    const count = (await forecasts(world.api, id)).length;
    const missed = await happened(world.api, id, 'forecast.missed');
    assert.ok(count >= 6 || missed.length > 0, `${count} forecasts, and nothing said of the others`);
  });

  test('of many goals that are due at once each has its forecast, once', async () => {
    const ids: string[] = [];
    for (let i = 0; i < 8; i++) ids.push(await made(world.api, body('demand', { name: `Many ${i}` })));
    await Promise.all(ids.map(id => activated(world.api, id)));
    const before = await Promise.all(ids.map(id => forecasts(world.api, id)));
    world.later(HOUR);
    await Promise.all(ids.map((id, i) => newer(world.api, id, before[i]![0]!)));
    for (const [i, id] of ids.entries())
      assert.is((await forecasts(world.api, id)).length, before[i]!.length + 1);
  });
});

suite('acceptance: forecasts across kills', test => {
  const env = { DATA_DIR: dataFolder(), LOG_LEVEL: 'silent', DEFAULT_PLAN: 'team', RATE_DEFAULT: '100000' };
  let running: Listening;
  let who: Account;
  let api: Client;
  const open = async () => {
    running = await serve(env);
    who ??= await accountOf(running);
    const headers = { authorization: `Bearer ${who.token}` };
    const description = (await (await fetch(`${running.base}/openapi/v1.json`, { headers })).json()) as Json;
    api = clientOf(running.base, description, who);
  };
  test.before(open);
  test.after(() => endAll());

  test('killed again and again, a goal of every third second goes on, and issues none twice', async () => {
    const now = Date.now();
    await push(api, 'quick', hours(100), { from: now - (now % 3_000) - 99 * 3_000, step: 3_000 });
    const id = await made(api, body('quick', { step_s: 3 }));
    await activated(api, id);
    for (let i = 0; i < 2; i++) {
      const before = await latest(api, id);
      api.close();
      await running.stop('SIGKILL');
      await open();
      await newer(api, id, before);
    }
    const all = await until(async () => {
      const found = await forecasts(api, id);
      return found.length >= 4 && found;
    }, 'four forecasts');
    const periods = all.map(each => Math.floor(Date.parse(each.issued_at) / 3_000));
    assert.equal(new Set(all.map(each => each.forecast_id)).size, all.length);
    assert.is(new Set(periods).size >= all.length - 3, true, `issued in ${periods}`);
    const gone = periods.slice(1).some((period, i) => periods[i]! - period > 2);
    if (gone) assert.ok((await happened(api, id, 'forecast.missed')).length > 0, 'what was missed is told');
  });
});
