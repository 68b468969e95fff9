import * as assert from 'uvu/assert';
import { newInferenceId } from '../../commands/inference/records.js';
import { replay } from '../../commands/inference/replay.js';
import { tasks } from '../../commands/inference/tasks/index.js';
import { prepareIncoming } from '../../commands/inference/work.js';
import type { InferenceRequest } from '../../domain/inference/request.js';
import { Rejected } from '../../domain/rejected.js';
import { inferenceWork } from '../../workers/inferences.js';
import { until } from '../platform.js';
import { quiet } from '../projections/world.js';
import { suite } from '../suite.js';
import { inferenceWorld, noGoals, W } from '../workers/inference-world.js';

const series = [{ id: 'a', start: '2026-01-01', step_s: 86_400, values: [1, 2, 3, 4] }];
const [past, future] = [{ price: [1, 2, 3, 4] }, { price: [5, 6] }];

/** A model that reads prices; it serves a pipeline, too. */
async function world() {
  const made = await inferenceWorld();
  const deployment = { ...made.deployment, reads: ['price'] };
  const served = async () => deployment;
  return { ...made, served, work: { ...made.work, served, servingOf: async () => 'prm_last' } };
}
const codeOf = ({ work, clock }: Awaited<ReturnType<typeof world>>, request: InferenceRequest) =>
  prepareIncoming(work, tasks.forecast, W, request, clock.now).then(
    () => 'taken',
    (error: unknown) => {
      assert.instance(error, Rejected);
      const { code, details } = error as Rejected;
      return details['missing_steps'] === undefined ? code : `${code} ${details['missing_steps']}`;
    },
  );

suite('inferences that are not taken any more', test => {
  const short = { promotion_id: 'prm_last', series, past, future };
  const both = { promotion_id: 'prm_last', pipeline_id: 'pip_1', series, past };

  test('are refused when they come in', async () => {
    const made = await world();
    assert.is(await codeOf(made, short), 'insufficient_future_covariates 1');
    assert.is(await codeOf(made, { ...short, horizon: 2 }), 'taken');
    assert.is(await codeOf(made, { ...short, future: {} }), 'taken');
    assert.is(await codeOf(made, both), 'validation_error');
  });

  for (const [name, body] of Object.entries({ short, both }))
    test(`and done and replayed where they were taken before: ${name}`, async () => {
      const { records, queries, context, project, clock, newId, credits, store, served, work } =
        await world();
      const about = { task: 'forecast', promotionId: 'prm_last', key: null, series: 1, horizon: 3 } as const;
      const asked = { ...about, inferenceId: newInferenceId(), body, bytes: 99 };
      const { inferenceId } = await records.queue(W, asked, context());
      await project();
      const working = inferenceWork({
        ...{ ...work, records, queries, newId, credits, log: quiet },
        ...{ clock: () => clock.now, visible: project },
      });
      const record = await until(async () => {
        const found = await records.read(W, inferenceId);
        return found.endedAt !== null && found;
      }, 'its end');
      await working.stop();
      assert.is(record.status, 'completed', JSON.stringify(record.failed));
      const { signal } = new AbortController();
      const { identical, diff } = await replay({ served, goals: noGoals, store }, W, record, signal);
      assert.ok(identical, JSON.stringify(diff));
    });
});
