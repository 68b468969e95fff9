import * as assert from 'uvu/assert';
import { localPool } from '../../adapters/serving/local.js';
import { pathOf, type KnownDeployment } from '../../commands/serving.js';
import { suite } from '../suite.js';
import { failure, never } from './forecaster-family.js';
import { nano, oneSeries, serving } from './serving-processes.js';

const deployment: KnownDeployment = {
  ...{ _id: 'prm_1', workspace: 'wsp_w', status: 'deployed', family: 'presage', slug: 'nano' },
  ...{ horizon: 64, lookback: 512, replicas_min: 1, replicas_max: 2, replacement: null },
};

suite('whose forecasts are', test => {
  test('workers are told the workspace of the deployment', async () => {
    const lanes: (string | undefined)[] = [];
    const family = {
      within(_: string, __: unknown, lane?: string) {
        lanes.push(lane);
        return null;
      },
    };
    const pool = localPool({
      ...{
        placeOf: async () => ({ family: family as never, slug: 'nano' }),
        worked: () => undefined,
        failed: async () => undefined,
      },
      ...{ families: [], threads: 1, clock: Date.now },
    });
    const { forecast } = pool.forecaster(pathOf(deployment, nano));
    await failure(forecast(oneSeries(), 3, never));
    assert.equal(lanes, ['wsp_w']);
  });

  test('and so are those of another process', async () => {
    const here = serving();
    try {
      const one = await here.process();
      const lanes: string[] = [];
      const { forecaster } = one.pool;
      one.pool.forecaster = path => {
        lanes.push(path.lane);
        return forecaster(path);
      };
      const asking = await here.asking();
      await asking.forecaster(pathOf(deployment, nano)).forecast(oneSeries(), 3, never);
      assert.equal(lanes, ['wsp_w']);
    } finally {
      await here.close();
    }
  });
});
