import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { openFamily, type Family } from '../../adapters/forecaster/family.js';
import { localPool } from '../../adapters/serving/local.js';
import { Places } from '../../adapters/serving/room.js';
import { Tally } from '../../adapters/serving/tally.js';
import { JobHung } from '../../adapters/threads/pooled-worker.js';
import { ModelFailed, NoWorkers } from '../../commands/serving-pool.js';
import { allotment } from '../../domain/deployments/allotment.js';
import { latencyAt } from '../../domain/deployments/figures.js';
import { Cancelled } from '../../domain/maths/compute.js';
import type { Forecaster } from '../../domain/maths/forecasting/forecaster.js';
import type { Rejected } from '../../domain/rejected.js';
import { MINUTE } from '../../domain/time.js';
import { until } from '../platform.js';
import { suite } from '../suite.js';
import { bitsOf, failure, never, newLog } from './forecaster-family.js';
import { nano, oneSeries, path, serving, token } from './serving-processes.js';

suite('a model that takes too long', test => {
  test('is told of as one that failed if it was made here, and its deployment has the error', async () => {
    const family = {
      within: () => ({ forecast: () => Promise.reject(new JobHung(60_000)) }) as unknown as Forecaster,
    } as unknown as Family;
    const pool = localPool({
      placeOf: async () => ({ family, slug: 'a' }),
      worked: () => undefined,
      failed: async () => undefined,
      ...{ families: [], threads: 1, clock: Date.now },
    });
    const made = { ...path('a'), model: { ...nano, family: 'trained' } };
    assert.instance(await failure(pool.forecaster(made).forecast(oneSeries(), 3, never)), ModelFailed);
    assert.is((await pool.figures('a')).errors, 1);
    const ours = await failure(pool.forecaster(path('b')).forecast(oneSeries(), 3, never));
    assert.instance(ours, JobHung, 'no model of ours, which may be tried again');
  });
});

suite('processes that serve', test => {
  let here: ReturnType<typeof serving>;
  test.before.each(() => {
    here = serving();
  });
  test.after.each(async () => {
    await here.close();
  });

  test('one that does not serve asks one that does, and gets the same bits', async () => {
    const one = await here.process();
    const pool = await here.asking();
    const wanted = await one.pool.forecaster(path('a')).forecast(oneSeries(), 12, never);
    const found = await pool.forecaster(path('a')).forecast(oneSeries(), 12, never);
    assert.is(bitsOf(found[0]!), bitsOf(wanted[0]!));
    await one.known.refresh();
    await pool.refresh();
    assert.equal([pool.workers(), pool.ready(nano)], [1, 1]);
    const figures = await pool.figures('a');
    assert.equal([figures.count, figures.errors, figures.inFlight], [2, 0, 0]);
    assert.equal([...(await pool.called()).keys()], ['a']);
  });

  test('what is refused there is refused here, with its reasons', async () => {
    await here.process();
    const { forecast } = (await here.asking()).forecaster(path('a'));
    const refused = (await failure(forecast(oneSeries(), 100_000, never))) as Rejected;
    assert.is(refused.code, 'invalid_horizon');
    const huge = [{ values: Float64Array.of(1e308, -1e308, 1e308), period: 1 }];
    const lost = (await failure(forecast(huge, 3, never))) as Rejected;
    assert.equal([lost.kind, lost.details], ['unprocessable', { index: 0 }]);
    const leaving = AbortSignal.abort();
    assert.instance(await failure(forecast(oneSeries(), 3, leaving)), Cancelled);
  });

  test('nobody serves: that is said at once', async () => {
    const pool = await here.asking();
    assert.instance(await failure(pool.forecaster(path('a')).forecast(oneSeries(), 3, never)), NoWorkers);
    assert.is(pool.workers(), 0);
  });

  test('a stranger is answered by nobody', async () => {
    const { listener } = await here.process();
    for (const authorization of ['', 'Bearer x', `Bearer ${token}x`])
      assert.is((await fetch(`${listener.url}/figures`, { headers: { authorization } })).status, 401);
    const stranger = await here.asking('another token');
    assert.instance(await failure(stranger.forecaster(path('a')).forecast(oneSeries(), 3, never)), NoWorkers);
  });

  test('one that ends or was killed: another is asked, and no call fails', async () => {
    const both = [await here.process(), await here.process()];
    const pool = await here.asking();
    const { forecast } = pool.forecaster(path('a', 1));
    const [first] = allotment(
      'a',
      both.map(each => ({ ...each, threads: 1 })),
      1,
    );
    const [used, other] = [both, [...both].reverse()].find(([each]) => each!.id === first!.server.id)!;
    await forecast(oneSeries(), 3, never);
    assert.equal(await Promise.all(both.map(async ({ pool: each }) => (await each.figures('a')).count)), [
      Number(used === both[0]),
      Number(used === both[1]),
    ]);
    // Its address is there no more, and its place among the others still is: as after a kill
    await used!.listener.close();
    await Promise.all(Array.from({ length: 5 }, (_, i) => forecast(oneSeries(i), 3, never)));
    assert.is((await other!.pool.figures('a')).count, 5);
  });

  test('calls of one that fell silent go to another', async () => {
    let asked = 0;
    const silentOne = createServer(() => void asked++).listen(0, '127.0.0.1');
    await once(silentOne.unref(), 'listening');
    const url = `http://127.0.0.1:${(silentOne.address() as AddressInfo).port}`;
    const dead = { id: 'dead', url, threads: 1, ready: { 'presage/nano': 1 }, until: Date.now() + 2_000 };
    await here.kv.set('serving/processes', [dead], 0, null);
    const pool = await here.asking();
    const call = pool.forecaster(path('a')).forecast(oneSeries(), 3, never);
    await until(async () => asked === 1, 'a call to the silent one');
    await here.process();
    assert.is((await call).length, 1);
    assert.is(asked, 1);
    silentOne.closeAllConnections();
    silentOne.close();
  });

  test('one that is ready goes before one that is not', async () => {
    const [one, two] = [await here.process(), await here.process()];
    await two.pool.warm(nano, 1);
    await two.known.refresh();
    const pool = await here.asking();
    for (let i = 0; i < 8; i++)
      await pool.forecaster(path(`deployment ${i}`)).forecast(oneSeries(), 3, never);
    assert.equal([(await one.pool.called()).size, (await two.pool.called()).size], [0, 8]);
  });

  test('calls of a deployment are ended everywhere', async () => {
    await here.process();
    const pool = await here.asking();
    const many = Array.from({ length: 600 }, (_, i) => oneSeries(i)[0]!);
    const call = failure(pool.forecaster(path('a', 1)).forecast(many, 700, never));
    await until(async () => (await pool.figures('a')).inFlight === 1, 'the call');
    await pool.end('a');
    assert.instance(await call, Cancelled);
    assert.is((await pool.figures('a')).errors, 0);
  });
});

suite('replicas', test => {
  test('a deployment has as many workers at once as it may, over all its calls', async () => {
    const log = newLog();
    const worker = new URL('./forecaster-worker.js', import.meta.url);
    const family = openFamily({ threads: 3, worker });
    const pool = localPool({
      ...{ families: [family], threads: 3, clock: Date.now },
      placeOf: async ({ slug }) => ({ family, slug }),
      worked: () => undefined,
      failed: async () => undefined,
    });
    // Workers start when there is work for them
    const started = (): number => readFileSync(join(log, 'started'), 'utf8').length;
    const ask = (max: number) =>
      Promise.all(
        Array.from({ length: 30 }, (_, i) =>
          pool.forecaster(path('a', max)).forecast(oneSeries(i), 64, never),
        ),
      );
    const alone = await ask(1);
    assert.is(started(), 1);
    let together = await ask(3);
    await until(async () => {
      together = await ask(3);
      return started() === 3;
    }, 'three workers');
    assert.equal(
      together.map(([answer]) => bitsOf(answer!)),
      alone.map(([answer]) => bitsOf(answer!)),
    );
    await pool.close();
    rmSync(log, { recursive: true });
  });
});

suite('places at the workers', test => {
  test('no more works are under way than there are places, in the order they came', async () => {
    const places = new Places(2);
    const begun: number[] = [];
    const ends: (() => void)[] = [];
    const works = [0, 1, 2, 3, 4].map(n =>
      places.room(async () => {
        begun.push(n);
        await new Promise<void>(resolve => ends.push(resolve));
      }),
    );
    const settled = () => new Promise(resolve => setImmediate(resolve));
    assert.equal(begun, [0, 1]);
    ends.shift()!();
    await settled();
    assert.equal(begun, [0, 1, 2]);
    places.resize(1);
    ends.shift()!();
    await settled();
    assert.equal(begun, [0, 1, 2], 'one place is left, and taken');
    places.resize(3);
    await settled();
    assert.equal(begun, [0, 1, 2, 3, 4]);
    for (const end of ends) end();
    await Promise.all(works);
    await assert.is(await places.room(async () => 7), 7);
  });
  test('a work that fails gives its place back', async () => {
    const places = new Places(1);
    assert.is((await failure(places.room(() => Promise.reject(new Error('no'))))).message, 'no');
    assert.is(await places.room(async () => 1), 1);
  });
});

suite('what is counted of calls', test => {
  test('an hour is remembered, five minutes apart, and no more', () => {
    const tally = new Tally();
    const start = 1_000 * MINUTE;
    for (let i = 0; i < 90; i++) tally.add(start + i * MINUTE, 10, i % 10 === 0);
    const now = start + 89 * MINUTE;
    const figures = tally.figures(now);
    assert.equal([figures.count, figures.errors], [60, 6]);
    assert.equal(
      figures.recent.map(({ minute }) => minute),
      [85, 86, 87, 88, 89].map(i => start + i * MINUTE),
    );
    assert.ok(Math.abs(latencyAt(0.5, figures)! / 10 - 1) < 0.1);
    assert.is(tally.isOver(now), false);
    assert.is(tally.isOver(now + 60 * MINUTE), true);
    assert.is(tally.figures(now + 60 * MINUTE).count, 0);
  });
  test('a clock that is set back loses nothing', () => {
    const tally = new Tally();
    tally.add(10 * MINUTE, 1, false);
    tally.add(MINUTE, 1, true);
    assert.equal(tally.figures(10 * MINUTE).recent, [{ minute: 10 * MINUTE, count: 2, errors: 1 }]);
  });
});

suite('which processes a deployment uses', test => {
  const servers = Array.from({ length: 6 }, (_, i) => ({ id: `process ${i}`, threads: 4 }));
  const used = (id: string, max: number, among = servers) =>
    allotment(id, among, max).filter(({ workers }) => workers > 0);
  test('as many workers as it may have, of as few processes as can be', () => {
    const shares = used('a', 10);
    assert.equal(
      shares.map(({ workers }) => workers),
      [4, 4, 2],
    );
    assert.is(used('a', 64).length, 6);
    assert.is(allotment('a', servers, 1).length, 6, 'the others stand behind');
  });
  test('the same ones while they are there; where one goes, only its place is taken', () => {
    const before = used('a', 8).map(({ server }) => server.id);
    const without = servers.filter(({ id }) => id !== before[0]);
    const after = used('a', 8, without).map(({ server }) => server.id);
    assert.is(after[0], before[1]);
    assert.equal(
      used('a', 8, [...servers].reverse()).map(({ server }) => server.id),
      before,
    );
  });
  test('deployments spread over them', () => {
    const counts = new Map<string, number>();
    for (let i = 0; i < 600; i++) {
      const { id } = used(`prm_${i}`, 1)[0]!.server;
      counts.set(id, (counts.get(id) ?? 0) + 1);
    }
    for (const [id, count] of counts) assert.ok(count > 60 && count < 140, `${id}: ${count}`);
  });
});
