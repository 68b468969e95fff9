import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { openFamily, type Family, type FamilyOptions } from '../../adapters/forecaster/family.js';
import { Cancelled, Overloaded } from '../../domain/maths/compute.js';
import type { Forecaster, ForecastSeries } from '../../domain/maths/forecasting/forecaster.js';
import { until } from '../platform.js';
import { skipped, suite } from '../suite.js';
import { bitsOf, failure, FAMILY_DIR, manySeries, never, newLog, NO_MODEL } from './forecaster-family.js';

const DIES = 1_000_001;
const DIES_ONCE = 1_000_002;
const worker = new URL('./forecaster-worker.js', import.meta.url);

if (NO_MODEL) skipped('calls of a forecaster', NO_MODEL);
else
  suite('calls of a forecaster', test => {
    let log = '';
    let family: Family;
    let nano: Forecaster;
    const open = (options: Partial<FamilyOptions> = {}): void => {
      family = openFamily({ threads: 2, dir: FAMILY_DIR, worker, ...options });
      nano = family.forecasters.get('nano')!;
    };
    test.before.each(() => {
      log = newLog();
    });
    test.after.each(async () => {
      await family.close();
      rmSync(log, { recursive: true });
    });
    const noted = (file: string): string =>
      existsSync(join(log, file)) ? readFileSync(join(log, file), 'utf8') : '';
    const done = (): number => noted('done').length;
    const portions = (): number[][] =>
      noted('portions')
        .split('\n')
        .filter(Boolean)
        .map(line => JSON.parse(line) as number[]);
    const short = (count: number, period = 12): ForecastSeries[] =>
      Array.from({ length: count }, (_, n) => ({
        values: Float64Array.from({ length: 30 }, (_, i) => (i * n) % 13),
        period,
      }));

    test('workers start when there is work, as many as have some, and stay', async () => {
      open({ threads: 3 });
      const started = (): number => noted('started').length;
      assert.is(started(), 0);
      await nano.forecast(short(1), 3, never);
      assert.is(started(), 1);
      for (let i = 0; i < 3; i++) await nano.forecast(short(200), 3, never);
      assert.equal([started(), done()], [3, 601]);
    });

    test('a cancelled call rejects at once, the rest never begins, the next is served', async () => {
      open();
      const leaving = new AbortController();
      const call = failure(nano.forecast(short(1000), 10, leaving.signal));
      while (done() === 0) await after(1);
      leaving.abort();
      const begun = done() + 2; // a series may be at work in each of two workers
      assert.instance(await call, Cancelled);
      await nano.forecast(short(4), 10, never);
      assert.ok(done() <= begun + 4, `${done()} done, ${begun} had begun`);
      assert.instance(await failure(nano.forecast(short(4), 10, leaving.signal)), Cancelled);
    });

    test('a short call does not wait for a long one', async () => {
      open();
      const long = nano.forecast(short(600), 10, never);
      while (done() === 0) await after(1);
      await nano.forecast(short(4), 10, never);
      assert.ok(done() < 200, `${done()}`);
      assert.is((await long).length, 600);
    });

    test('a worker that dies: another does its series again, and no call notices', async () => {
      open();
      const series = manySeries(30);
      const calm = (await nano.forecast(series, 10, never)).map(bitsOf);
      const before = done();
      const [answer, beside] = await Promise.all([
        nano.forecast([...series.slice(0, 15), ...short(1, DIES_ONCE), ...series.slice(15)], 10, never),
        nano.forecast(short(40), 10, never),
      ]);
      assert.equal(
        answer.map(bitsOf).filter((_, i) => i !== 15),
        calm,
      );
      assert.is(beside.length, 40);
      assert.ok(existsSync(join(log, 'died')) && done() > before + 71, 'some were done twice');
    });

    test('a call that kills two workers fails with a clear error, the one beside it is served', async () => {
      open();
      const [fatal, beside] = await Promise.all([
        failure(nano.forecast([...short(30), ...short(1, DIES), ...short(30)], 10, never)),
        nano.forecast(short(60), 10, never),
      ]);
      assert.match(fatal.message, /A worker died of this job twice/);
      assert.is(beside.length, 60);
      assert.is((await nano.forecast(short(3), 10, never)).length, 3);
    });

    test('a few series go to a worker at a time, each cut to what is read, whatever it views', async () => {
      open();
      const { context } = nano.caps;
      const values = Float64Array.from({ length: 50_000 }, (_, i) => i % 91);
      await nano.forecast(
        Array.from({ length: 50 }, () => ({ values: values.subarray(7), period: 7 })),
        2,
        never,
      );
      assert.is(portions().flat().length, 50);
      assert.ok(
        portions().every(lengths => lengths.length <= 8 && lengths.every(length => length === context)),
      );
    });

    test('too much for one call is refused as such; too much together as too much for now', async () => {
      open({ limits: { series: 100, steps: 1000 } });
      for (const [count, horizon] of [
        [101, 1],
        [11, 100],
      ] as const)
        assert.match(
          (await failure(nano.forecast(short(count), horizon, never))).message,
          /too much for one call: at most 100 series, 1000 steps/,
        );
      const leaving = new AbortController();
      const under = failure(nano.forecast(short(60), 10, leaving.signal));
      const beside = await failure(nano.forecast(short(41), 1, never));
      assert.instance(beside, Overloaded);
      assert.instance(await failure(nano.forecast(short(10), 50, never)), Overloaded);
      assert.is((await nano.forecast(short(40), 10, never)).length, 40);
      leaving.abort();
      await under;
      assert.is((await nano.forecast(short(3), 1, never)).length, 3);
      // What was at work when the call was stopped is counted out when it comes to its end
      const all = await until(
        () =>
          nano.forecast(short(100), 10, never).catch((error: unknown) => {
            if (error instanceof Overloaded) return null;
            throw error;
          }),
        'all that was counted in to be counted out',
      );
      assert.is(all.length, 100);
    });

    test('closing refuses what has not begun and what comes later, as often as it is closed', async () => {
      open();
      const calls = [1, 2, 3].map(() => failure(nano.forecast(short(500), 10, never)));
      while (done() === 0) await after(1);
      await Promise.all([family.close(), family.close()]);
      for (const call of calls) assert.instance(await call, Overloaded);
      assert.match((await failure(nano.forecast(short(1), 1, never))).message, /ending/);
      assert.ok(done() < 1500);
    });

    test('closing a family that was never asked', async () => {
      open();
      await family.close();
      assert.is(noted('portions'), '');
    });
  });
