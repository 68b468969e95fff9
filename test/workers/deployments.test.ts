import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { DAY, MINUTE, SECOND } from '../../domain/time.js';
import type { Json } from '../json.js';
import { lastValuePlus } from '../models/onnx-file.js';
import { peopleOf } from '../people.js';
import { startPlatform, temporaryFolder, until, type Running } from '../platform.js';
import { suite } from '../suite.js';

/** A model of another maker: its file lies in the data folder, and can be taken away. */
const manifest = {
  ...{ family: 'other', slug: 'tiny', vendor: 'Somebody', licence: 'CC-BY-NC-4.0', commercial_use: false },
  ...{ parameters: 24, caps: { context: 64, horizon: 8 }, tasks: ['forecast'], quantiles: [0.1, 0.5, 0.9] },
  graph: {
    input: { name: 'x', type: 'float32', channel: false, length: null, missing: 'linear', pad: 'first' },
    output: { name: 'y', form: 'levels_last' },
    scaling: 'none',
  },
};
const network = lastValuePlus({
  added: Array.from({ length: 8 }, (_, step) => [-1 - step, 0, 1 + step]).flat(),
  shape: [1, 8, 3],
});
const series = [{ values: Float64Array.of(1, 2, 3), period: 1 }];
const never = new AbortController().signal;

suite('what becomes of deployments', test => {
  const folder = temporaryFolder();
  const time = { ahead: 0 };
  let api: Running;
  let id = '';
  let file = '';

  const start = async (
    installed?: Running['installed'],
    running?: readonly ['api', 'projections', 'workers'],
  ) => {
    api = await startPlatform(folder.path, {
      env: { SERVING_THREADS: '2', SCORER_THREADS: '1' },
      clock: () => Date.now() + time.ahead,
      ...(installed && { installed }),
      ...(running && { running }),
    });
  };
  const restart = async (...[running]: [(readonly ['api', 'projections', 'workers'])?]) => {
    const { installed } = api;
    await api.stop();
    await start(installed, running);
  };
  test.before(async () => {
    await start();
    const path = join(folder.path, 'tiny.onnx');
    writeFileSync(path, network);
    const { operated } = api.platform.areas.models;
    const { listing, position } = await operated.import(path, manifest, peopleOf(api.platform).operator());
    await api.platform.visible(position);
    file = join(folder.path, 'models', `${listing.sha256}.onnx`);
  });
  test.after(async () => {
    await api.stop();
    folder.remove();
  });

  const one = async (): Promise<Json> => (await api.call('GET', `/v1/deployments/${id}`)).json.data;
  const becomes = (status: string): Promise<Json> =>
    until(async () => {
      const record = await one();
      return record.status === status && record;
    }, `being ${status}`);
  const post = (what: string, body: object = {}) =>
    api.call('POST', `/v1/deployments/${id}/${what}`, { body });
  const served = () => api.platform.areas.deployments.served(api.installed.workspaceId, id);
  const code = async (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => 'none',
      (error: { code: string }) => error.code,
    );
  const away = (): void => renameSync(file, `${file}.away`);
  const back = (): void => renameSync(`${file}.away`, file);

  test('a licence that forbids commercial use must be accepted', async () => {
    const ask = (body: object) =>
      api.call('POST', '/v1/models/deploy-foundation', { body: { family: 'other', slug: 'tiny', ...body } });
    const refused = await ask({});
    assert.equal([refused.status, refused.json.error.code], [403, 'license_forbids_commercial_use']);
    const made = await ask({ accept_non_commercial: true });
    assert.is(made.status, 201);
    id = made.json.data.promotion_id;
    const record = await becomes('deployed');
    assert.equal([record.horizon, record.lookback, record.blueprint_uid], [8, 64, 'extfm__other__tiny']);
  });

  test('asked by nobody it sleeps, and the next forecast wakes it', async () => {
    const scaled = await post('scale', { min: 1, max: 2, scale_to_zero_after_s: 60 });
    assert.is(scaled.status, 202);
    await becomes('deployed');
    await (await served()).forecaster.forecast(series, 3, never);
    time.ahead += 61 * SECOND;
    const asleep = await becomes('sleeping');
    assert.equal([asleep.ready, asleep.replicas.desired], [false, 0]);
    const answers = await until(async () => {
      const all = await Promise.all([served(), served(), served()]).catch(() => null);
      return all && Promise.all(all.map(({ forecaster }) => forecaster.forecast(series, 3, never)));
    }, 'being woken');
    for (const [answer] of answers) assert.is(answer!.quantiles.values.length, 9);
    await becomes('deployed');
    assert.is((await post('scale', { min: 1, max: 2, scale_to_zero_after_s: null })).status, 202);
    await becomes('deployed');
  });

  test('a forecast before a restart keeps it awake after it', async () => {
    assert.is((await post('scale', { min: 1, max: 2, scale_to_zero_after_s: 60 })).status, 202);
    await becomes('deployed');
    time.ahead += 50 * SECOND;
    const start = '2026-01-01T00:00:00Z';
    const asked = {
      promotion_id: id,
      horizon: 3,
      series: [{ id: 'a', start, step_s: 86_400, values: [1, 2, 3] }],
    };
    assert.is((await api.call('POST', '/v1/inference/forecast', { body: asked })).status, 200);
    await restart();
    time.ahead += 30 * SECOND;
    // They are looked after in rounds: when two others have come and gone, this one was looked at
    for (const slug of ['nano', 'mini']) {
      const { json } = await api.call('POST', '/v1/models/deploy-foundation', {
        body: { family: 'presage', slug },
      });
      const path = `/v1/deployments/${json.data.promotion_id}`;
      await api.call('POST', `${path}/unpromote`, { body: {} });
      await until(
        async () => (await api.call('GET', path)).json.data.status === 'retired',
        'the other being retired',
      );
    }
    assert.is((await one()).status, 'deployed');
    time.ahead += 31 * SECOND;
    await becomes('sleeping');
    await until(async () => served().catch(() => null), 'being woken');
    await becomes('deployed');
    assert.is((await post('scale', { min: 1, max: 2, scale_to_zero_after_s: null })).status, 202);
    await becomes('deployed');
  });

  test('probes that fail degrade it; it recovers when they pass again', async () => {
    const { installed } = api;
    await api.stop();
    away();
    await start(installed);
    const degraded = await becomes('degraded');
    assert.match(degraded.message, /3 probes failed: The file of the model other.tiny is missing/);
    assert.equal([degraded.ready, degraded.health.state], [false, 'degraded']);
    const condition = degraded.conditions.find(({ type }: Json) => type === 'probe_passed');
    assert.equal([condition.status, condition.reason], ['false', 'Failed']);
    back();
    const recovered = await becomes('deployed');
    assert.is(recovered.health.last_probe.ok, true);
  });

  test('degraded for 15 minutes it has failed; retried, it fails again until its file is there', async () => {
    const { installed } = api;
    await api.stop();
    away();
    await start(installed);
    await becomes('degraded');
    time.ahead += 15 * MINUTE;
    const failed = await becomes('failed');
    assert.equal(
      [failed.error.code, failed.error.retryable, failed.attempts],
      ['degraded_too_long', true, 1],
    );
    assert.is(await code(served()), 'deployment_not_ready');
    assert.is((await post('retry')).status, 202);
    const again = await until(async () => {
      const record = await one();
      return record.status === 'failed' && record.attempts === 2 && record;
    }, 'failing once more');
    assert.is(again.error.code, 'probe_failed');
    back();
    assert.is((await post('retry')).status, 202);
    const deployed = await becomes('deployed');
    assert.equal([deployed.attempts, deployed.error], [3, null]);
  });

  test('the deployments of an archived workspace rest until it is restored', async () => {
    const { workspaceId: workspace, uid } = api.installed;
    const { groups, operator } = peopleOf(api.platform);
    const archived = await groups.archive('workspace', workspace, uid, 'First', operator());
    await api.platform.visible(archived.position);
    assert.is(await code(served()), 'workspace_archived');
    const { queries } = api.platform.areas.deployments;
    const tiny = { family: 'other', slug: 'tiny' };
    assert.is(await queries.wanted(tiny), null, 'no worker is kept ready for it');
    const restored = await groups.restore('workspace', workspace, uid, operator());
    await api.platform.visible(restored.position);
    assert.is(await queries.wanted(tiny), 1);
    await (await served()).forecaster.forecast(series, 3, never);
  });

  test('a size that cannot be had is rolled back', async () => {
    const scaled = await post('scale', { min: 3, max: 4 });
    assert.is(scaled.status, 202);
    assert.match(scaled.json.data.message, '3 workers are to be kept ready, and the serving pool has 2');
    assert.equal((await becomes('scaling')).replicas.possible, 2);
    await (await served()).forecaster.forecast(series, 3, never);
    time.ahead += 10 * MINUTE;
    const { replicas, message } = await becomes('deployed');
    assert.equal([replicas.min, replicas.max], [1, 2]);
    assert.match(message, 'the pool has 2 workers');
  });

  test('while nobody serves it waits, and after 10 minutes it has failed', async () => {
    await restart(['api', 'projections', 'workers']);
    const made = await api.call('POST', '/v1/models/deploy-foundation', {
      body: { family: 'presage', slug: 'nano' },
    });
    assert.equal([made.status, made.json.data.status, made.json.data.ready], [201, 'deploying', false]);
    id = made.json.data.promotion_id;
    assert.is(await code(served()), 'deployment_not_ready');
    time.ahead += 10 * MINUTE;
    assert.is((await becomes('failed')).error.code, 'not_ready_in_time');
    await restart();
    assert.is((await post('retry')).status, 202);
    await becomes('deployed');
  });

  test('a new deployment takes the place of the one that it names', async () => {
    const before = id;
    const body = { blueprint_uid: 'presage__mini', demote: before, name: 'The large one' };
    const made = await api.call('POST', '/v1/deployments', { body });
    assert.is(made.status, 201);
    const demoted = await becomes('retired');
    id = made.json.data.promotion_id;
    assert.is(demoted.replacement, id);
    assert.is((await becomes('deployed')).name, 'The large one');
    const { entries } = (
      await api.call('GET', `/v1/workspace/${api.installed.workspaceId}/audit?per_page=100`)
    ).json.data;
    const deeds = entries.map(({ action, actor }: Json) => `${action} by ${actor.split(':')[0]}`);
    for (const deed of [
      'DeploymentRequested by token',
      'DeploymentScaled by token',
      'DeploymentRetried by token',
      'DeploymentUnpromoted by reactor',
    ])
      assert.ok(deeds.includes(deed), deed);
  });

  test('a retired model goes on being served, and takes no new deployments', async () => {
    const { operated } = api.platform.areas.models;
    const ref = { family: 'presage', slug: 'mini' };
    const other = { family: 'presage', slug: 'nano' };
    const { position } = await operated.deprecate(ref, other, peopleOf(api.platform).operator());
    await api.platform.visible(position);
    time.ahead += DAY;
    await (await served()).forecaster.forecast(series, 3, never);
    const tenant = await peopleOf(api.platform).tenant('other@example.org');
    const headers = { authorization: `Bearer ${tenant.token}`, 'x-workspace-id': tenant.workspaceId };
    const refused = await api.call('POST', '/v1/models/deploy-foundation', { body: ref, headers });
    assert.equal([refused.status, refused.json.error.code], [409, 'MODEL_DEPRECATED']);
    assert.equal(refused.json.error.details.replacement, other);
  });
});
