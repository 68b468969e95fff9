import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { doctorJob } from '../../cli/jobs/doctor.js';
import type { Finding } from '../../cli/jobs/finding.js';
import { MINUTE } from '../../domain/time.js';
import type { Json } from '../json.js';
import { silent, until } from '../platform.js';
import { suite } from '../suite.js';
import { made, promoted, recipe, run } from './pipelines.js';
import { airline, custom, report, trained } from './training.js';
import { expected, forecast, inState, openWorld, refused, type World } from './world.js';

// What one training made is lost on the server: its deployment says so and ends as failed, and nobody else
// notices (open-parts 11).

suite('acceptance: lost files of trained models', test => {
  let world: World;
  let segment_id = '';
  const ids: Json = {};
  const lines: string[] = [];
  const told = (about: unknown, line?: string): void => void lines.push(line ?? String(about));
  const record = async (id: string): Promise<Json> =>
    expected(await world.api.get<Json>(`/v1/deployments/${id}`)).data;
  const asked = (id: string) =>
    world.api.post<Json>('/v1/inference/forecast', { promotion_id: id, key: 'air' });
  const shelf = () => join(world.folder, 'trainings', ids.lost.training);
  const kept = () => join(world.folder, 'kept');
  const found = async (part: string): Promise<Finding> => {
    const { platform } = world.running;
    const job = doctorJob({ platform, base: '', signal: new AbortController().signal }, { quick: false });
    for await (const output of job)
      if (output.kind === 'row' && (output.row as Finding).part === part) return output.row as Finding;
    throw new Error(`nothing of ${part}`);
  };
  const deploy = async (algorithm: string): Promise<Json> => {
    const model = await custom(world.api, algorithm, {});
    const { training_id } = await trained(world.api, { segment_id, model, horizon: 12 });
    const { data } = expected(await world.api.post<Json>('/v1/deployments', { training_id }), 201);
    await inState(world.api, data.promotion_id, 'deployed');
    return { training: training_id, promotion: data.promotion_id };
  };
  test.before(async () => {
    world = await openWorld({ DEFAULT_PLAN: 'team' }, { ...silent, warn: told, error: told });
    ({ segment_id } = await airline(world.api));
    ids.lost = await deploy('drift');
    ids.sound = await deploy('naive');
    const body = { family: 'presage', slug: 'nano' };
    ids.nano = expected(await world.api.post<Json>('/v1/models/deploy-foundation', body), 201).data;
    assert.is((await found('made models')).state, 'ok');
    await world.restart(async () => {
      cpSync(shelf(), kept(), { recursive: true });
      rmSync(shelf(), { recursive: true });
      lines.length = 0;
    });
  });
  test.after(() => world.close());

  test('its forecasts are refused, and it becomes degraded with the reason', async () => {
    const { message } = refused(await asked(ids.lost.promotion), 503, 'model_file_unavailable');
    assert.match(message, `trained/${ids.lost.training}`);
    await inState(world.api, ids.lost.promotion, 'degraded');
    const { ready } = await record(ids.lost.promotion);
    assert.is(ready, false);
    const { training } = ids.lost;
    refused(
      await world.api.post<Json>('/v1/deployments', { training_id: training }),
      503,
      'model_file_unavailable',
    );
  });

  test('all others are listed, asked, tried and scaled as before', async () => {
    const { deployments } = expected(await world.api.get<Json>('/v1/deployments'));
    assert.is(deployments.length, 3);
    assert.is(expected(await asked(ids.sound.promotion)).forecasts.length, 1);
    for (const id of [ids.sound.promotion, ids.nano.promotion_id])
      await until(async () => (await record(id)).ready, 'being ready');
    const body = { min: 1, max: 1 };
    expected(await world.api.post<Json>(`/v1/deployments/${ids.nano.promotion_id}/scale`, body), 202);
    await inState(world.api, ids.nano.promotion_id, 'deployed');
  });

  test('the log says it once, and the doctor which file it is', async () => {
    assert.equal(lines, ['the file of a model cannot be used']);
    const { state, text } = await found('made models');
    assert.is(state, 'problem');
    assert.match(text, /^1 of 2 lack/);
    assert.match(text, `trainings/${ids.lost.training}/`);
    assert.is((await found('reports')).state, 'warning');
  });

  test('it fails with the reason; put back and retried it serves', async () => {
    // A little less than the 15 minutes, so that it is tried once more before they are over
    world.later(15 * MINUTE - 4_000);
    await inState(world.api, ids.lost.promotion, 'failed');
    const { error } = await record(ids.lost.promotion);
    assert.is(error.code, 'degraded_too_long');
    assert.match(error.message, 'is missing or damaged on the server');
    cpSync(kept(), shelf(), { recursive: true });
    expected(await world.api.post<Json>(`/v1/deployments/${ids.lost.promotion}/retry`, {}), 202);
    await inState(world.api, ids.lost.promotion, 'deployed');
    await forecast(world.api, { promotion_id: ids.lost.promotion, key: 'air' });
    assert.is((await found('made models')).state, 'ok');
  });

  test('where a pipeline serves it, trainings do without it, and put back it serves as before', async () => {
    const model = await custom(world.api, 'seasonal_naive', { hyperparameters: { period: 12 } });
    const id = await made(world.api, recipe(segment_id, [{ model }]));
    const { promotion_id, training_id } = await promoted(world.api, id);
    const before = (await forecast(world.api, { promotion_id, key: 'air' })).forecasts[0].points;
    ids.lost = { training: training_id };
    await world.restart(async () => {
      cpSync(shelf(), kept(), { recursive: true });
      rmSync(shelf(), { recursive: true });
    });
    const { results, outcome } = await run(world.api, id);
    assert.equal([results[0].status, results[0].error, outcome], ['completed', null, 'not_comparable']);
    const { warnings } = await report(world.api, results[0].training_id);
    assert.ok(warnings.includes('against_gone'), JSON.stringify(warnings));
    cpSync(kept(), shelf(), { recursive: true });
    const after = (await forecast(world.api, { promotion_id, key: 'air' })).forecasts[0].points;
    assert.ok(before.length > 0);
    assert.equal(after, before);
  });
});
