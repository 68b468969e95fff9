import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { until } from '../platform.js';
import { suite } from '../suite.js';
import { item } from './inbox.js';
import { connect } from './socket.js';
import { airline, completed, custom, has, openTraining, OVER, queue, queued, training } from './training.js';
import { expected, refused, tokenOf, type World } from './world.js';

// A training from its queueing to its end, as polls, the socket, the feed and the logs tell it (open-parts
// 0.1, 10, 21, 22, 32.19, 32.21). Readings: progress ends at 1, and never goes back.

suite('acceptance: trainings', test => {
  let world: World;
  let segment: Json;
  let model = '';
  const path = (id: string, below = '') => `/v1/training/${id}${below}`;
  test.before(async () => {
    world = await openTraining();
    segment = await airline(world.api);
    model = await custom(world.api, 'ridge');
  });
  test.after(() => world.close());

  const body = () => ({ segment_id: segment.segment_id, model, horizon: 12, seed: 7 });

  test('it is queued, seen at work, and completed', async () => {
    const answer = await queue(world.api, body());
    const { status, data } = expected(answer, 202);
    assert.equal([status, data.status], ['queued', 'queued']);
    assert.is(data.poll_url, path(data.training_id));
    const seen: Json[] = [];
    await until(async () => {
      seen.push(await training(world.api, data.training_id));
      return OVER.includes(seen.at(-1).status);
    }, 'the end');
    const order = ['queued', 'preparing', 'running', 'evaluating', 'completed'];
    const places = seen.map(each => order.indexOf(each.status));
    assert.ok(!places.includes(-1), seen.map(each => each.status).join());
    assert.equal(
      places,
      places.toSorted((a, b) => a - b),
      'it never goes back',
    );
    const progress = seen.map(each => each.progress);
    assert.equal(
      progress,
      progress.toSorted((a, b) => a - b),
    );
    assert.ok(progress.every(share => share >= 0 && share <= 1));
    assert.is(progress.at(-1), 1);
  });

  test('its record says what was trained, on what, and how', async () => {
    const found = await completed(world.api, await queued(world.api, body()));
    has(found, 'training_id status pipeline_id cycle_id segment_id segment_version table_hash data_cutoff');
    has(found, 'model blueprint kind intensity lookback horizon seed trigger queued_at started_at');
    has(found, 'finished_at duration_s progress stage credits_charged artifact report error');
    assert.equal([found.pipeline_id, found.cycle_id, found.error], [null, null, null]);
    assert.equal(
      [found.segment_id, found.segment_version, found.table_hash, found.data_cutoff],
      [segment.segment_id, segment.version, segment.table_hash, segment.data_cutoff],
    );
    assert.equal([found.kind, found.horizon, found.seed, found.trigger], ['custom', 12, 7, 'manual']);
    assert.equal([found.intensity, found.model.uid, found.model.name], [null, model, 'ridge of ours']);
    assert.is(found.blueprint.uid, model);
    assert.type(found.blueprint.hyperparameters, 'object');
    for (const name of ['queued_at', 'started_at', 'finished_at'])
      assert.match(found[name], /^\d{4}-.*\.\d{3}Z$/);
    assert.ok(found.queued_at <= found.started_at && found.started_at <= found.finished_at);
    assert.ok(found.duration_s >= 0 && Number.isInteger(found.duration_s));
    has(found.artifact, 'format size_bytes sha256');
    assert.match(found.artifact.sha256, /^[0-9a-f]{64}$/);
    assert.ok(['onnx', 'xgboost_json'].includes(found.artifact.format), found.artifact.format);
    assert.type(found.report, 'object');
    assert.is(found.report.metric, 'mase');
  });

  test('whoever listens hears of each state, and the feed tells the end', async () => {
    const { token } = await tokenOf(world.api, ['workspaces.read', 'trainings.read']);
    const socket = await connect(world.running.base, token);
    const workspace = `workspace:${world.running.installed.workspaceId}`;
    await socket.subscribe(workspace);
    const id = await queued(world.api, body());
    const mine = (frame: Json) => frame.data.training_id === id;
    const last = await socket.heard(
      'training.updated',
      frame => mine(frame) && frame.data.status === 'completed',
    );
    assert.equal([last.channel, last.data.pipeline_id, last.data.progress], [workspace, null, 1]);
    for (const frame of socket.events('training.updated').filter(mine))
      has(frame.data, 'training_id pipeline_id status progress');
    socket.close();
    const told = await item(world.api, 'training.completed', each => JSON.stringify(each).includes(id));
    assert.is(told.workspace_id, world.running.installed.workspaceId);
  });

  test('its logs say what was done, in order', async () => {
    const id = await queued(world.api, body());
    await completed(world.api, id);
    const { logs } = expected(await world.api.get<Json>(path(id, '/logs'))).data;
    assert.ok(Array.isArray(logs) && logs.length > 0, JSON.stringify(logs));
    const times = logs.map((line: Json) => line.at).filter((at: unknown) => at !== undefined);
    assert.equal(times, times.toSorted());
  });

  test('what is not there is 404', async () => {
    for (const below of ['', '/report', '/logs', '/download'])
      refused(await world.api.get<Json>(path('trn_nobodys', below)), 404);
    for (const below of ['/cancel', '/retry'])
      refused(await world.api.post<Json>(path('trn_nobodys', below), {}), 404);
  });

  test('it is there after a restart, to the last member', async () => {
    const found = await completed(world.api, await queued(world.api, body()));
    const logs = await world.api.get<Json>(path(found.training_id, '/logs'));
    await world.restart();
    assert.equal(await training(world.api, found.training_id), found);
    assert.equal((await world.api.get<Json>(path(found.training_id, '/logs'))).body, logs.body);
  });
});
