import * as assert from 'uvu/assert';
import type { Answer } from '../platform.js';

type Call = (
  method: string,
  path: string,
  sent: { readonly body: unknown },
) => Promise<Pick<Answer, 'status' | 'text' | 'json'>>;

/** A pipeline on a segment, a cycle of it that was asked for, and a training beside them. */
export async function pipelinedBy(call: Call, segmentId: string) {
  const models = [{ model: 'blueprint__naive' }];
  // Windows to come: nothing is trained when it is made
  const training_schedule = { days: ['monday'], start_time: '03:00', end_time: '03:01', timezone: 'UTC' };
  const settings = { name: 'Nightly', segment: segmentId, models, forecast_horizon: 2, training_schedule };
  const pipeline = await call('POST', '/v1/pipelines', { body: settings });
  assert.is(pipeline.status, 201, pipeline.text);
  const pipelineId = pipeline.json.data.pipeline_id as string;
  const run = await call('POST', `/v1/pipelines/${pipelineId}/run`, { body: {} });
  assert.is(run.status, 202, run.text);
  const training = await call('POST', '/v1/training', {
    body: { segment_id: segmentId, model: 'blueprint__naive', horizon: 2 },
  });
  assert.is(training.status, 202, training.text);
  return {
    pipelineId,
    cycleId: run.json.data.cycle_id as string,
    trainingId: training.json.data.training_id as string,
  };
}
