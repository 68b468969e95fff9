import * as assert from 'uvu/assert';
import { LOCAL_METHODS, type GoalModel } from '../../domain/goals/model.js';
import type { ForecastWanted } from '../../domain/inference/forecasting.js';
import type { Rejected } from '../../domain/rejected.js';
import { startPlatform, temporaryFolder, type Running } from '../platform.js';
import { suite } from '../suite.js';
import { hours, HOUR_S, push, START_S } from './segments-world.js';

const settings = { target: 'sales', stepS: HOUR_S, timezone: 'UTC' };
const wanted: ForecastWanted = {
  ...{ horizon: 6, levels: [0.1, 0.5, 0.9], fill: 'linear', explain: false, lookback: 2_048 },
};
const never = new AbortController().signal;

suite('what can forecast a goal', test => {
  const folder = temporaryFolder();
  let running: Running;
  let workspace: string;

  test.before(async () => {
    running = await startPlatform(folder.path, { env: { SERVING_THREADS: '1', COMPUTE_WORKERS: '1' } });
    workspace = running.installed.workspaceId;
    await push(
      running,
      'sales',
      hours(120, i => 10 + Math.sin((i * Math.PI) / 12) * 3 + (i % 5) / 10),
    );
  });
  test.after(async () => {
    await running.stop();
    folder.remove();
  });

  const history = async (asOf: number | null = null) =>
    (await running.platform.areas.forecasts.targetOf(workspace, settings, { asOf, most: 2_048 })).series;
  const by = async (model: GoalModel) => {
    const [made] = await running.platform.areas.forecasts.forecastBy(
      workspace,
      model,
      [await history()],
      wanted,
      never,
    );
    return made!;
  };

  test('reads the target on its steps, and refuses one that is not there', async () => {
    const { targetOf } = running.platform.areas.forecasts;
    const found = await targetOf(workspace, settings, { asOf: null, most: 50 });
    assert.is(found.series.values.length, 50);
    assert.is(found.cutoff, (START_S + 119 * HOUR_S) * 1_000);
    assert.is(found.read.points, 50);
    const coarser = await targetOf(workspace, { ...settings, stepS: 86_400 }, { asOf: null, most: 5 });
    assert.is(coarser.series.values.length, 5);
    await targetOf(workspace, { ...settings, target: 'none' }, { asOf: null, most: 5 }).then(
      () => assert.unreachable(),
      (error: unknown) => assert.is((error as Rejected).code, 'not_found'),
    );
  });

  test('everything that stands forecasts, and the same again with the same bits', async () => {
    const stands = await running.platform.areas.forecasts.standing(workspace);
    const names = stands.map(({ model }) => (model.kind === 'local' ? model.method : model.model.slug));
    assert.ok(LOCAL_METHODS.every(method => names.includes(method)) && names.includes('nano'));
    for (const { model } of stands) {
      const made = await by(model);
      assert.is(made.mean.length, 6);
      assert.is(made.times[0], (START_S + 120 * HOUR_S) * 1_000);
      assert.ok(made.quantiles[0]!.values.every((low, h) => low <= made.quantiles[2]!.values[h]!));
      assert.equal(await by(model), made);
    }
  });

  test('the mean of two lies between them', async () => {
    const [nano] = (await running.platform.areas.forecasts.standing(workspace)).filter(
      ({ model }) => model.kind === 'served' && model.model.slug === 'nano',
    );
    const ets = { kind: 'local', method: 'ets' } as const;
    const members = [nano!.model, ets].map(model => ({ model, weight: 0.5 }));
    const [mixed, one, other] = await Promise.all([
      by({ kind: 'ensemble', members }),
      by(nano!.model),
      by(ets),
    ]);
    mixed!.mean.forEach((value, h) =>
      assert.ok(Math.abs(value - (one!.mean[h]! + other!.mean[h]!) / 2) < 1e-9),
    );
  });

  test('what is not served is refused with a reason', async () => {
    const model = { family: 'presage', slug: 'none', version: '1' };
    for (const [promotionId, code] of [
      [null, 'model_not_available'],
      ['prm_0123456789abcdef_0123456789abcdef', 'not_found'],
    ] as const)
      await by({ kind: 'served', promotionId, model }).then(
        () => assert.unreachable(),
        (error: unknown) => assert.is((error as Rejected).code, code),
      );
  });
});
