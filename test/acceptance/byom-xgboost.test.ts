import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { suite } from '../suite.js';
import { byom, checksThat, registered, uploaded, validated } from './byom.js';
import { threeTrees, threeTreesForecast, threeTreesSignature } from './made-elsewhere.js';
import { trees, treesForecasts, treesSignature } from './made-elsewhere.js';
import { openTraining } from './training.js';
import { at, expected, forecast, inState, quantile, type World } from './world.js';

// Trees that XGBoost itself wrote, served with XGBoost's own numbers (open-parts 8, 30.4, 32.23).

suite('acceptance: uploaded trees', test => {
  let world: World;
  test.before(async () => {
    world = await openTraining({ RATE_UPLOAD: '1000' });
  });
  test.after(() => world.close());
  const uploading = { format: 'xgboost_json', file: 'model.json' };
  const medians = async (file: Buffer, signature: object, pasts: readonly (readonly number[])[]) => {
    const { id } = await registered(world.api, file, signature, { uploading });
    const { data } = expected(await world.api.post<Json>('/v1/deployments', { byom_id: id }), 201);
    await inState(world.api, data.promotion_id, 'deployed');
    const series = pasts.map((values, i) => ({
      id: `s${i}`,
      start: at(Date.UTC(2026, 0, 1)),
      step_s: 86_400,
      values,
    }));
    const answer = await forecast(world.api, { promotion_id: data.promotion_id, series });
    return answer.forecasts.map((each: Json) => quantile(each.points, 0.5)) as number[][];
  };
  const near = (found: readonly number[], by: readonly number[]) => {
    assert.is(found.length, by.length);
    for (const [i, value] of by.entries())
      assert.ok(Math.abs(found[i]! - value) < 1e-3, `${found} instead of ${by}`);
  };

  test('they are validated as networks are', async () => {
    const id = await uploaded(world.api, trees, treesSignature, uploading);
    const report = await validated(world.api, id);
    assert.equal(checksThat(report, 'failed'), []);
    assert.is((await byom(world.api, id)).format, 'xgboost_json');
  });

  test('they forecast what XGBoost says, to the digits of 32 bits', async () => {
    const found = await medians(
      trees,
      treesSignature,
      treesForecasts.map(([past]) => past),
    );
    near(
      found.map(([only]) => only!),
      treesForecasts.map(([, value]) => value),
    );
  });

  test('several outputs are the steps that follow', async () => {
    const [past, expectedSteps] = threeTreesForecast;
    const [found] = await medians(threeTrees, threeTreesSignature, [past]);
    near(found!, expectedSteps);
  });

  test('a signature of another number of steps, or of features, is rejected', async () => {
    for (const wrong of [
      { ...treesSignature, outputs: threeTreesSignature.outputs, horizon: 3 },
      {
        ...treesSignature,
        inputs: [{ name: 'features', dtype: 'float32', shape: ['batch', 5] }],
        lookback: 5,
      },
    ]) {
      const report = await validated(world.api, await uploaded(world.api, trees, wrong, uploading));
      const failed = checksThat(report, 'failed');
      assert.ok(
        failed.some(name =>
          ['format_parses', 'signature_matches', 'output_shape', 'forward_pass'].includes(name),
        ),
        JSON.stringify(report.checks),
      );
    }
  });
});
