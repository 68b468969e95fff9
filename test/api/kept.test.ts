import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { suite } from '../suite.js';
import { activeGoal, goalSettings } from './forecasts-world.js';
import { ingestionApi, type IngestionApi } from './ingestion-world.js';

const env = {
  ...{ ALERTS_PER_WORKSPACE: '4', ALERTS_PER_GOAL: '2', PUBLIC_MODELS_PER_WORKSPACE: '2' },
  ...{ SOURCES_PER_WORKSPACE: '3', JOBS_PER_WORKSPACE: '4', JOBS_PER_SOURCE: '2' },
  OUTGOING_ALLOW: '127.0.0.1',
};

suite('how many things a workspace may have', test => {
  let world: IngestionApi;
  test.before(async () => {
    world = await ingestionApi({ env });
  });
  test.after(() => world.close());

  const post = async (path: string, body: object, client = world.client): Promise<Json> => {
    const answer = await client.post<Json>(path, body);
    assert.ok([200, 201].includes(answer.status), answer.text);
    return answer.body.data;
  };
  const refused = async (path: string, body: object, limit: number, message: string): Promise<void> => {
    const { status, body: said } = await world.client.post<Json>(path, body);
    assert.equal([status, said.error.code], [403, 'plan_limit_reached'], said.error.message);
    const { limit: most, used } = said.error.details;
    assert.equal([most, used, said.error.message], [limit, limit, message]);
  };

  test('alerts, of each goal and in all', async () => {
    const rule = { name: 'A rule', kind: 'event', params: { stream: 'news', min_importance: 0.5 } };
    const all = '/v1/goals/alerts';
    const [one, two] = await Promise.all([1, 2].map(() => activeGoal(world.api, goalSettings())));
    const made = [];
    for (let i = 0; i < 2; i++) made.push(await post(`/v1/goals/${one}/alerts`, rule));
    await refused(`/v1/goals/${one}/alerts`, rule, 2, 'A goal may have 2 alerts');
    await post(`/v1/goals/${two}/alerts`, rule);
    await post(all, rule);
    const message = 'A workspace may have 4 alerts';
    await refused(all, rule, 4, message);
    await refused(`/v1/goals/${two}/alerts`, rule, 4, message);
    await world.client.send({ method: 'DELETE', path: `${all}/${made[0]!.alert_id}` });
    await post(all, rule);
  });

  test('sources by each way, and jobs of each source and in all', async () => {
    const sources = '/v1/ingestion/sources';
    const jobs = '/v1/ingestion/jobs';
    const event_config = { url: 'http://127.0.0.1:9/', stream: 'polled' };
    const short = '/v1/ingestion/connect/create-event';
    const [first, second] = [
      await post(short, { mode: 'poll', event_config }),
      await post(sources, { connector_id: 'rest_poll', event_config }),
    ];
    const pushed = await post(short, { mode: 'push', event_config: {} });
    const message = 'A workspace may have 3 sources';
    await refused(short, { mode: 'push', event_config: {} }, 3, message);
    await refused(short, { mode: 'poll', event_config }, 3, message);
    await refused(sources, { connector_id: 'webhook' }, 3, message);
    await refused(sources, { connector_id: 'rest_poll', event_config }, 3, message);
    const job = ({ source_id }: Json) => ({ source_id, schedule: { interval_seconds: 3600 } });
    await post(jobs, job(first!));
    await refused(jobs, job(first!), 2, 'A source may have 2 jobs');
    await post(jobs, job(second!));
    const noMore = 'A workspace may have 4 jobs';
    await refused(jobs, job(second!), 4, noMore);
    await world.client.send({ method: 'DELETE', path: `${sources}/${pushed.source_id}` });
    await refused(short, { mode: 'poll', event_config }, 4, noMore);
    await refused(sources, { connector_id: 'rest_poll', event_config }, 4, noMore);
    await post(short, { mode: 'push', event_config: {} });
  });

  test('models that all may see; those that are private, or of others, do not count', async () => {
    const model = { kind: 'custom', algorithm: 'theta', visibility: 'public' };
    await post('/v1/models', { ...model, visibility: 'private' });
    for (let i = 0; i < 2; i++) await post('/v1/models', model);
    await refused('/v1/models', model, 2, 'A workspace may have 2 public models');
    await post('/v1/models', { ...model, visibility: 'private' });
    await post('/v1/models', model, world.clientFor(await world.people.tenant('other@example.org')));
  });
});
