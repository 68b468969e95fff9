import * as assert from 'uvu/assert';
import type { CausalityAnswer, PairResult } from '../../domain/maths/causality/answer.js';
import type { Correlation } from '../../domain/maths/analysis.js';
import { randomOf } from '../random.js';
import { send, startPlatform, temporaryFolder, type Running } from '../platform.js';
import { suite } from '../suite.js';
import { clientOf, type Client } from './client.js';

const DAY = 86_400_000;
const START = Date.parse('2024-01-01');
const LENGTH = 400;
type Caused = Omit<CausalityAnswer, 'error'> & { readonly error?: string };
type Ranking = {
  readonly data: {
    readonly rows: readonly {
      readonly key: string;
      readonly relevance: number;
      readonly lag_s: number | null;
    }[];
  };
  readonly error?: string;
};

/** Made truth: `effect` follows `cause` two days later; `noise` has to do with neither. */
function world(): Record<string, number[]> {
  const random = randomOf(7);
  const noise = () =>
    Array.from({ length: LENGTH }, () => random.next() + random.next() + random.next() - 1.5);
  const cause = noise();
  const own = noise();
  return { cause, effect: own.map((value, t) => 0.3 * value + (t < 2 ? 0 : cause[t - 2]!)), noise: noise() };
}

suite('analyses over HTTP', test => {
  const folder = temporaryFolder();
  let api: Running;
  let client: Client;
  test.before(async () => {
    api = await startPlatform(folder.path);
    const { token, workspaceId: workspace } = api.installed;
    const { json } = await send(api.base, 'GET', '/openapi/v1.json', api.installed);
    client = clientOf(api.base, json, { token, workspace });
    for (const [key, values] of Object.entries(world())) {
      await client.post('/v1/signal/push', {
        key: `made.${key}`,
        values: values.map((value, t) => [START + t * DAY, value]),
      });
    }
    await client.post('/v1/signal/push', {
      key: 'made.flat',
      values: Array.from({ length: LENGTH }, (_, t) => [START + t * DAY, 5]),
    });
  });
  test.after(async () => {
    client.close();
    await api.stop();
    folder.remove();
  });

  const causality = async (query: string) => (await client.get<Caused>(`/v1/signal/causality${query}`)).body;
  const tested = ({ causality_results: { granger_results: results } }: Caused, name: string): PairResult =>
    results[name]!;

  test('causality finds the planted edge, its lag and its direction', async () => {
    const answer = await causality('?keys=made.cause,made.effect,made.noise&max_lag=4');
    const there = tested(answer, 'made.cause -> made.effect');
    const back = tested(answer, 'made.effect -> made.cause');
    assert.ok(there.is_significant && there.q_value! < 1e-6);
    assert.is(there.optimal_lag, 2);
    assert.is(there.p_values.length, 4);
    assert.ok(there.strength > 0.7 && back.strength < 0.1);
    assert.is(answer.causality_results.significant_relationships[0]!.cause, 'made.cause');
    const { metadata, causality_network: network } = answer.causality_results;
    assert.equal(
      [metadata.windows_analyzed, metadata.total_observations, metadata.max_lag_tested],
      [5, 250, 4],
    );
    assert.equal(network.nodes, ['made.cause', 'made.effect', 'made.noise']);
    assert.is(network.adjacency_matrix[0]![1], there.strength);
    assert.is(answer.error, undefined);
  });

  test('without keys it takes the signals with the newest points; a constant one is no fault', async () => {
    const answer = await causality('');
    assert.is(answer.causality_results.metadata.number_of_variables, 4);
    assert.is(tested(answer, 'made.flat -> made.cause').status, 'constant');
  });

  test('too little data, or nothing significant, is 200 with an error beside the tables', async () => {
    const little = await causality('?keys=made.cause');
    assert.is(little.error, 'insufficient_data');
    assert.equal(little.causality_results.causality_network.edges, []);
    const nothing = await causality('?keys=made.cause,made.noise&significance_level=0');
    assert.is(nothing.error, 'no_significant_relationship');
    assert.is(tested(nothing, 'made.cause -> made.noise').status, 'tested');
  });

  for (const [query, message] of [
    ['windows=0', /windows must be >= 1/],
    ['windows=21', /windows must be <= 20/],
    ['signal_count=9', /signal_count must be >= 10/],
    ['signal_count=1001', /signal_count/],
    ['max_lag=0', /max_lag/],
    ['max_lag=16', /max_lag/],
    ['max_lag=two', /max_lag must be an integer/],
    ['significance_level=1.1', /significance_level/],
    ['keys=made.cause,no.such', /no\.such/],
    ['difference=maybe', /difference/],
  ] as const)
    test(`causality with ${query} is 400, and says why`, async () => {
      const { status, body } = await client.get(`/v1/signal/causality?${query}`);
      assert.is(status, 400);
      assert.is(body.error.code, 'invalid_parameter');
      assert.match(body.error.message, message);
    });

  test('correlation says which follows which, by how many steps', async () => {
    const { data } = (
      await client.get<{ data: Correlation }>('/v1/signal/correlation?keys=made.cause,made.effect&max_lag=5')
    ).body;
    const [pair] = data.pairs;
    assert.equal(
      [pair!.a, pair!.b, pair!.best_lag, data.step_s, pair!.n],
      ['made.cause', 'made.effect', 2, 86_400, LENGTH],
    );
    assert.ok(pair!.r_at_best_lag! > 0.8 && Math.abs(pair!.r!) < 0.2);
    const part = (
      await client.get<{ data: Correlation }>(
        '/v1/signal/correlation?keys=made.cause,made.effect&from=2024-02-01&to=2024-02-10',
      )
    ).body;
    assert.is(part.data.observations, 10);
  });

  test('an unknown key is 422 and named', async () => {
    for (const path of [
      'correlation?keys=made.cause,no.such',
      'relevance?target=no.such',
      'relevance?target=made.cause&keys=no.such',
    ]) {
      const { status, body } = await client.get(`/v1/signal/${path}`);
      assert.is(status, 422);
      assert.is(body.detail[0]!.input, 'no.such');
    }
  });

  test('relevance ranks the driver first, with its lag', async () => {
    const { body } = await client.get<Ranking>(
      '/v1/signal/relevance?target=made.effect&keys=made.noise,made.cause',
    );
    const [first, second] = body.data.rows;
    assert.equal([first!.key, first!.lag_s], ['made.cause', 2 * 86_400]);
    assert.ok(first!.relevance > 0.5 && second!.relevance < 0.1);
  });

  test('relevance of a short target is 200 with an error and no rows', async () => {
    await client.post('/v1/signal/push', {
      key: 'short',
      values: Array.from({ length: 20 }, (_, t) => [START + t * DAY, t % 3]),
    });
    const { body } = await client.get<Ranking>('/v1/signal/relevance?target=short&keys=made.cause');
    assert.is(body.error, 'insufficient_data');
    assert.equal(body.data.rows, []);
  });

  test('steps and lags are whole seconds, however points came', async () => {
    const uneven = 1_500.3 * 1_000;
    for (const key of ['cause', 'effect']) {
      const values = world()[key]!.map((value, t) => [Math.round(START + t * uneven), value]);
      await client.post('/v1/signal/push', { key: `uneven.${key}`, values });
    }
    const keys = 'uneven.cause,uneven.effect';
    type Stepped = { readonly data: { readonly step_s: number } };
    const { data } = (await client.get<Stepped>(`/v1/signal/correlation?keys=${keys}`)).body;
    assert.is(data.step_s, 1_500);
    const asked = `/v1/signal/relevance?target=uneven.effect&keys=uneven.cause`;
    const { body } = await client.get<Ranking & Stepped>(asked);
    assert.equal([body.data.step_s, body.data.rows[0]!.lag_s], [1_500, 3_001]);

    const values = Array.from({ length: 5 }, (_, t) => [START + t * 100, t]);
    await client.post('/v1/signal/push', { key: 'uneven.fast', values });
    const fast = await client.get<Stepped>('/v1/signal/relevance?target=uneven.fast&keys=uneven.fast');
    assert.is(fast.body.data.step_s, 1);
  });

  test('an event stream takes part when it is named', async () => {
    for (let t = 0; t < 60; t += 3) {
      await client.post('/v1/event/record', {
        key: 'news',
        text: `Refinery fire number ${t}`,
        occurred_at: START + t * DAY,
      });
    }
    const { data } = (
      await client.get<{ data: Correlation }>(
        '/v1/signal/correlation?keys=made.cause,news&intensity=count&to=2024-03-01',
      )
    ).body;
    assert.is(data.pairs[0]!.n, 61);
    assert.not.type(data.pairs[0]!.r, 'object');
  });

  test('a repeated question has the same answer, until a point comes', async () => {
    const path = '/v1/signal/causality?keys=made.cause,made.effect';
    const first = await client.get(path);
    const again = await client.get(path);
    assert.is(again.text, first.text);
    await client.post('/v1/signal/push', {
      points: ['cause', 'effect'].map(key => ({
        key: `made.${key}`,
        value: 3,
        timestamp: START + LENGTH * DAY,
      })),
    });
    assert.is.not((await client.get(path)).text, first.text);
  });

  test('another workspace has none of it', async () => {
    const { body } = await client.post<{ data: { workspace_id: string } }>('/v1/workspace', {
      name: 'Other',
    });
    const other = client.as({ token: api.installed.token, workspace: body.data.workspace_id });
    assert.is((await other.get<Caused>('/v1/signal/causality')).body.error, 'insufficient_data');
    assert.is((await other.get('/v1/signal/correlation?keys=made.cause')).status, 422);
    other.close();
  });
});
