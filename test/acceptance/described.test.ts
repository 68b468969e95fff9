import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { suite } from '../suite.js';
import { openWorld, type World } from './world.js';

// What a client may build on: the description names every path (specification 4, 9).

suite('acceptance: the description', test => {
  let world: World;
  test.before(async () => {
    world = await openWorld();
  });
  test.after(() => world.close());

  test('every path of the areas that stand is described', async () => {
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
      GET /v1/inference/usage
      GET /v1/billing/balance, GET /v1/billing/quota, GET /v1/billing/rates, POST /v1/billing/estimates
      GET /v1/billing/ledger, GET /v1/billing/usage
      GET /v1/notifications, GET /v1/notifications/unread-count, POST /v1/notifications/read-all
      POST /v1/notifications/{}/read, POST /v1/notifications/{}/unread, POST /v1/notifications/{}/archive
      GET /v1/notifications/channels, POST /v1/notifications/channels
      GET /v1/notifications/channels/{}, PATCH /v1/notifications/channels/{}
      DELETE /v1/notifications/channels/{}, POST /v1/notifications/channels/{}/verify
      POST /v1/notifications/channels/{}/test, GET /v1/notifications/preferences
      PUT /v1/notifications/preferences, GET /v1/notifications/stream, GET /v1/ws
      POST /v1/ingestion/connect/create-event, POST /v1/ingestion/webhooks/{}
      POST /v1/ingestion/webhooks/{}/events, POST /v1/ingestion/webhooks/{}/signal
      GET /v1/ingestion/connectors, GET /v1/ingestion/connectors/{}
      GET /v1/ingestion/sources, POST /v1/ingestion/sources, GET /v1/ingestion/sources/{}
      PATCH /v1/ingestion/sources/{}, DELETE /v1/ingestion/sources/{}
      POST /v1/ingestion/sources/{}/test, POST /v1/ingestion/sources/{}/pause
      POST /v1/ingestion/sources/{}/resume, POST /v1/ingestion/sources/{}/rotate-secret
      GET /v1/ingestion/sources/{}/deliveries, POST /v1/ingestion/sources/{}/deliveries/{}/replay
      GET /v1/ingestion/jobs, POST /v1/ingestion/jobs, GET /v1/ingestion/jobs/{}
      PATCH /v1/ingestion/jobs/{}, DELETE /v1/ingestion/jobs/{}, POST /v1/ingestion/jobs/{}/run
      GET /v1/ingestion/executions, GET /v1/ingestion/executions/{}
      POST /v1/ingestion/executions/{}/cancel, POST /v1/ingestion/files
      GET /v1/ingestion/files/{}, POST /v1/ingestion/files/{}/preview, POST /v1/ingestion/files/{}/commit
      GET /v1/segment, POST /v1/segment, GET /v1/segment/{}, PUT /v1/segment/{}, DELETE /v1/segment/{}
      POST /v1/segment/preview, POST /v1/segment/{}/preview
      GET /v1/segment/{}/normalization, PUT /v1/segment/{}/normalization
      GET /v1/segment/{}/features, POST /v1/segment/{}/features, PATCH /v1/segment/{}/features/{}
      DELETE /v1/segment/{}/features/{}, POST /v1/segment/{}/features/suggest
      POST /v1/segment/{}/rebuild, GET /v1/segment/{}/versions, GET /v1/segment/{}/versions/{}
      GET /v1/segment/{}/rows`
      .split(/[,\n]/)
      .map(line => line.trim())
      .filter(line => line !== '' && !described.includes(line));
    assert.equal(missing, []);
  });

  test('what takes credits takes max_credits, and says that it may be refused for want of them', async () => {
    for (const task of ['forecast', 'anomaly', 'backtest', 'embed', 'impute', 'classify']) {
      const { requestBody, responses } = world.api.description.paths[`/v1/inference/${task}`]!.post as Json;
      const { properties } = requestBody.content['application/json'].schema;
      assert.ok('max_credits' in properties, task);
      assert.ok('402' in responses, task);
    }
  });

  test('deliveries are described with a body of any content type, and with what may sign them', async () => {
    const { paths } = world.api.description;
    for (const kind of ['', '/events', '/signal']) {
      const { requestBody, parameters } = paths[`/v1/ingestion/webhooks/{source_id}${kind}`]!.post as Json;
      assert.is(requestBody.required, true, kind);
      assert.equal(requestBody.content['application/json'].schema.type, ['object', 'array'], kind);
      assert.ok('*/*' in requestBody.content, kind);
      for (const name of ['X-Signature', 'X-Hub-Signature-256', 'X-Webhook-Signature']) {
        const { in: place, required } = (parameters as Json[]).find(each => each.name === name)!;
        assert.equal([place, required], ['header', false], name);
      }
    }
  });

  test('groups of operations are named as their pages are', async () => {
    const tags = world.api.description.tags as { name: string; parent?: string }[];
    const above = new Map(tags.map(({ name, parent }) => [name, parent]));
    assert.equal([above.get('Deployments'), above.get('Inference')], ['Serving', 'Serving']);
    for (const name of ['Data', 'Modeling', 'Serving', 'Goals', 'Tenancy']) assert.ok(above.has(name), name);
  });

  test('tables are described as CSV, too', async () => {
    const { responses } = world.api.description.paths['/v1/segment/{segment_id}/rows']!.get as Json;
    assert.equal(Object.keys(responses[200].content), ['application/json', 'text/csv']);
  });

  test('the stream is described as events, and the socket as a change of protocols', async () => {
    const { paths } = world.api.description;
    const stream = (paths['/v1/notifications/stream']!.get as Json).responses['200'];
    assert.ok('text/event-stream' in stream.content);
    assert.ok('101' in (paths['/v1/ws']!.get as Json).responses);
  });
});
