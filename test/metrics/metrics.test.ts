import { readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import type { MetricsServer } from '../../adapters/metrics/listen.js';
import { serveMetrics } from '../../cli/metrics.js';
import { START } from '../../domain/fact.js';
import { newlySetAside, SET_ASIDE } from '../../workers/engine/set-aside-facts.js';
import { projections } from '../../main.js';
import { startPlatform, temporaryFolder, until, type Running } from '../platform.js';
import { connect } from '../realtime/client.js';
import { suite } from '../suite.js';
import { familiesOf, type Family } from './text.js';

suite('metrics of a running platform', test => {
  const folder = temporaryFolder();
  let platform: Running;
  let server: MetricsServer;
  let families: ReadonlyMap<string, Family>;

  const get = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${server.port}${path}`, init);
  const scrape = async () => familiesOf(await (await get('/metrics')).text());
  /** The sum of the samples that have these labels; 0 when there are none. */
  const sum = (name: string, labels: Readonly<Record<string, string>> = {}): number =>
    [...families.values()]
      .flatMap(({ samples }) => samples)
      .filter(sample => sample.name === name)
      .filter(sample => Object.entries(labels).every(([label, value]) => sample.labels[label] === value))
      .reduce((total, { value }) => total + value, 0);
  const record = (key: string, text: string) =>
    platform.call('POST', '/v1/event/record', { body: { key, text } });

  test.before(async () => {
    platform = await startPlatform(folder.path, { env: { METRICS_LISTEN: '127.0.0.1:0', RATE_HEAVY: '1' } });
    server = (await serveMetrics(platform.platform))!;
    await record('news', 'Refinery fire halts exports');
    await record('news', 'Prices surge to a record high');
    await platform.call('POST', '/v1/event/record', { body: {} });
    await platform.call('GET', '/v1/nothing/at/all');
    await platform.call('PUT', '/health');
    await platform.call('GET', '/v1/event/evt_unknown');
    for (let i = 0; i < 3; i++) await platform.call('GET', '/v1/signal/correlation?keys=a,b');
    const shown = () =>
      sum('presage_scoring_duration_seconds_count') === 2
      && families.get('presage_scoring_backlog_events')!.samples[0]?.value === 0
      && families.get('presage_projection_lag_seconds')!.samples.length === projections.length;
    await until(async () => {
      families = await scrape();
      return shown();
    }, 'the scores');
  });
  test.after(async () => {
    await server.close();
    await platform.stop();
    folder.remove();
  });

  test('every family says what it is, and of which type', () => {
    for (const [name, { help, type }] of families) {
      assert.ok(help.length > 10, name);
      assert.ok(['counter', 'gauge', 'histogram', 'summary'].includes(type), `${name} is a ${type}`);
      if (name.startsWith('presage_') || name.startsWith('http_'))
        assert.is(type === 'counter', name.endsWith('_total'), name);
    }
  });

  test('requests are counted and timed by row and status', () => {
    const route = { http_request_method: 'POST', http_route: '/v1/event/record' };
    const count = 'http_server_request_duration_seconds_count';
    assert.is(sum(count, { ...route, http_response_status_code: '200' }), 2);
    assert.is(sum(count, route), 3);
    assert.is(
      sum(count, { http_request_method: 'GET', http_route: '', http_response_status_code: '404' }),
      1,
    );
    assert.is(sum(count, { http_route: '/health', http_response_status_code: '405' }), 1);
    assert.ok(sum('http_server_request_duration_seconds_sum', route) > 0);
  });

  test('refusals are counted by limit', () => {
    assert.is(sum('presage_rate_limit_refusals_total', { policy: 'heavy' }), 2);
    assert.is(sum('presage_rate_limit_refusals_total'), 2);
  });

  test('calls of the stores are counted by what came of them', () => {
    const count = 'presage_store_operation_duration_seconds_count';
    assert.ok(sum(count, { store: 'events', operation: 'append', outcome: 'ok' }) >= 4);
    for (const operation of ['load', 'find', 'commit', 'checkpoint'])
      assert.ok(sum(count, { store: 'models', operation, outcome: 'ok' }) > 0, operation);
    assert.ok(sum('presage_facts_appended_total') >= 4);
    assert.is(sum(count, { outcome: 'error' }), 0);
  });

  test('a projection, a reactor and the scorer say how far they are', () => {
    const facts = sum('presage_facts_appended_total');
    assert.is(sum('presage_projected_facts_total', { projection: 'events' }), facts);
    assert.is(families.get('presage_projection_lag_seconds')!.samples.length, projections.length);
    const reactors = families
      .get('presage_reactor_lag_seconds')!
      .samples.map(({ labels }) => labels['reactor']);
    assert.equal(reactors.sort(), [
      'activation',
      'alert-checking',
      'alert-health',
      'crowning',
      'cycles',
      'demoting',
      'dispatching',
      'edge-upkeep',
      'erasure',
      'first-forecasts',
      'first-jobs',
      'goal-grading',
      'grading',
      'history-revision',
      'notifying',
      'opening',
      'promotion',
      'scoring',
      'segment-staleness',
      'shock-entry',
      'shock-grading',
      'shock-rechecks',
    ]);
    assert.is(sum('presage_scoring_duration_seconds_count', { outcome: 'ok' }), 2);
  });

  test('connections of the realtime gateway are counted, and what they were told', async () => {
    assert.is(sum('presage_realtime_connections'), 0);
    const client = await connect(platform.base, { token: platform.installed.token });
    await client.welcome();
    families = await scrape();
    for (const [name, count] of [
      ['connections', 1],
      ['frames_total', 1],
      ['dropped_frames_total', 0],
    ] as const)
      assert.is(sum(`presage_realtime_${name}`), count, name);
    await client.end();
  });

  test('facts that a reactor gave up are counted', async () => {
    assert.is(sum('presage_reactor_parked_facts'), 0);
    const { stores, clock } = platform.platform;
    const [fact] = await stores.events.page(START, 1);
    const parked = { ...newlySetAside('scoring', fact!, clock()), state: 'parked' as const };
    const changes = [{ collection: SET_ASIDE.name, put: [parked], remove: [] }];
    await stores.models.commit({ projection: 'test', checkpoint: 0, changes, sweeps: [] });
    await until(async () => {
      families = await scrape();
      return sum('presage_reactor_parked_facts', { reactor: 'scoring' }) === 1;
    }, 'the parked fact');
    assert.is(sum('presage_reactor_parked_facts', { reactor: 'erasure' }), 0);
    assert.is(sum('presage_reactor_waiting_facts'), 0);
  });

  test('no label holds a tenant, a key or a raw path', () => {
    const values = [...families.values()].flatMap(({ samples }) =>
      samples.flatMap(({ labels }) => Object.values(labels)),
    );
    const { workspaceId, uid } = platform.installed;
    const routes = families
      .get('http_server_request_duration_seconds')!
      .samples.map(({ labels }) => labels['http_route']!);
    const known = new Set(['', '/health', ...platform.platform.rows.map(({ path }) => path)]);
    assert.ok(routes.includes('/v1/event/{event_id}'));
    assert.equal(
      routes.filter(route => !known.has(route)),
      [],
    );
    for (const value of values)
      for (const secret of [workspaceId, uid, 'news', 'nothing']) assert.not.match(value, secret);
  });

  test('a figure that cannot be looked up is left out, and counted', async () => {
    platform.platform.metrics!.show([
      {
        name: 'presage_broken_seconds',
        help: 'A figure that nobody can tell',
        label: null,
        look: () => Promise.reject(new Error('no answer')),
      },
    ]);
    families = await scrape();
    families = await scrape();
    assert.equal(families.get('presage_broken_seconds')!.samples, []);
    assert.ok(sum('presage_figure_failures_total', { figure: 'presage_broken_seconds' }) >= 1);
  });

  test('only /metrics is there, and only to be read', async () => {
    assert.is((await get('/')).status, 404);
    assert.is((await get('/metrics', { method: 'POST' })).status, 405);
    assert.match((await get('/metrics')).headers.get('content-type')!, /^text\/plain; version=0\.0\.4/);
  });

  for (const [page, expressions] of Object.entries(expressionsOfPages()))
    test(`${page} asks for nothing that is not there`, () => {
      assert.ok(expressions.length > 10);
      const there = new Set([...families].flatMap(([name, { type }]) => [name, ...partsOf(name, type)]));
      for (const expression of expressions) {
        const names = namesIn(expression);
        assert.ok(names.length > 0, expression);
        assert.equal(
          names.filter(name => !there.has(name)),
          [],
          expression,
        );
      }
    });
});

const partsOf = (name: string, type: string): string[] =>
  type === 'histogram' ? ['bucket', 'sum', 'count'].map(part => `${name}_${part}`) : [];

/** Names of metrics in PromQL: what is no label, no text and no function. */
const namesIn = (expression: string): string[] =>
  expression
    .replace(/\{[^}]*\}|\b(by|without) \([^)]*\)|\[[^\]]*\]/g, ' ')
    .match(/[a-z_:][a-z0-9_:]*_[a-z0-9_:]*\b(?!\s*\()/g) ?? [];

function expressionsOfPages(): Record<string, string[]> {
  const text = (file: string) =>
    readFileSync(new URL(`../../../docs/${file}`, import.meta.url), 'utf8').replace(/```[\s\S]*?```/g, '');
  const lines = (file: string, pattern: RegExp) => [...text(file).matchAll(pattern)].map(match => match[1]!);
  const dashboard = JSON.parse(text('monitoring/dashboard.json')) as {
    panels: { targets?: { expr: string }[] }[];
  };
  return {
    'the dashboard': dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
    // `up` is the scraper's own
    'the alerts': lines('monitoring/alerts.yml', /^ +expr: (?!up\{)(.+)$/gm),
    'the page for operators': lines('observability.md', /^ {4}(.+)$/gm),
  };
}
