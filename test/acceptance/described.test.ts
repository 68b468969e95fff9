import * as assert from 'uvu/assert';
import { suite } from '../suite.js';
import { openWorld, type World } from './world.js';

// What a client may build on: the description names every path (specification 4, 9).

suite('acceptance: the description', test => {
  let world: World;
  test.before(async () => {
    world = await openWorld();
  });
  test.after(() => world.close());

  test('every path of the area is described', async () => {
    const { paths } = world.api.description;
    const described = Object.entries(paths).flatMap(([path, verbs]) =>
      Object.keys(verbs as object).map(verb => `${verb.toUpperCase()} ${path.replace(/\{\w+\}/g, '{}')}`),
    );
    const missing = `
      GET /v1/models/recommended, GET /v1/models/public, GET /v1/models/{}, POST /v1/models
      POST /v1/models/deploy-foundation, GET /v1/models/foundation, GET /v1/models/foundation/{}/{}
      GET /v1/models/foundation/adapters, GET /v1/models/foundation/adapters/{}
      GET /v1/deployments, GET /v1/deployments/{}, GET /v1/deployments/{}/status
      POST /v1/deployments/{}/scale, POST /v1/deployments/{}/retry, POST /v1/deployments/{}/unpromote
      GET /v1/deployments/{}/events
      POST /v1/inference/forecast, POST /v1/inference/anomaly, POST /v1/inference/backtest
      POST /v1/inference/embed, POST /v1/inference/impute, POST /v1/inference/classify
      GET /v1/inference, GET /v1/inference/{}, POST /v1/inference/{}/replay, POST /v1/inference/{}/cancel
      GET /v1/inference/usage`
      .split(/[,\n]/)
      .map(line => line.trim())
      .filter(line => line !== '' && !described.includes(line));
    assert.equal(missing, []);
  });
});
