import * as assert from 'uvu/assert';
import { memoryReadModels } from '../../adapters/memory-read-models.js';
import { paidFor } from '../../commands/inference/paying.js';
import { newInferenceId } from '../../commands/inference/records.js';
import { tasks } from '../../commands/inference/tasks/index.js';
import { make } from '../../commands/inference/making.js';
import { prepare } from '../../commands/inference/work.js';
import { MINUTE } from '../../domain/time.js';
import { applyPage } from '../../projections/engine/apply.js';
import { checkpointName, collectionsOf } from '../../projections/engine/projection.js';
import { reader } from '../../projections/engine/reader.js';
import { billingProjection } from '../../projections/billing/projection.js';
import { ledgerQueries } from '../../projections/billing/queries.js';
import { settling } from '../../workers/settling.js';
import { quiet } from '../projections/world.js';
import { suite } from '../suite.js';
import { inferenceWorld, ORGANIZATION, W } from './inference-world.js';

const series = [{ id: 'a', start: '2026-01-01', step_s: 86_400, values: [1, 2, 3, 4] }];
const body = { promotion_id: 'prm_last', series };
const about = { task: 'forecast', promotionId: 'prm_last', key: null, series: 1, horizon: 3 } as const;

async function settled() {
  const world = await inferenceWorld();
  const { store, ledger, credits, records, context, clock, newId } = world;
  const models = memoryReadModels();
  await models.prepare(collectionsOf(billingProjection, 0));
  const queries = ledgerQueries(reader(models, billingProjection, () => 0));
  const project = async (): Promise<void> => {
    const from = await models.checkpoint(checkpointName(billingProjection, 0));
    const page = await store.page(from, 1_000);
    if (page.length > 0) await applyPage(billingProjection, models, 0, page);
  };
  const asked = (inferenceId: string) => ({ ...about, inferenceId, body, bytes: 99 });
  return {
    ...world,
    hold: (id: string) =>
      credits.hold(
        W,
        { price: credits.priceOf('inference.series_step', 3), reference: paidFor(id), pipelineId: null },
        context(),
      ),
    queue: async (id: string) => void (await records.queue(W, asked(id), context())),
    async answer(id: string) {
      const prepared = await prepare(world.work, tasks.forecast, W, body, clock.now);
      const asking = { workspace: W, askedBy: 'token:t', began: 0, signal: new AbortController().signal };
      const made = await make(world.work, tasks.forecast, prepared, asking);
      await (await records.record(W, asked(id), made, context()))();
    },
    /** Settles as a process does that is just started; `alone`: the only one. */
    async settle(alone = true): Promise<void> {
      await project();
      const holds = async function* (before: number) {
        yield* queries.holdsBefore(before);
        ended();
      };
      let ended = (): void => undefined;
      const round = new Promise<void>(resolve => {
        ended = resolve;
      });
      const work = settling({
        ...{ commands: ledger, clock: () => clock.now, newId, log: quiet, alone },
        queries: { holdsBefore: holds },
        became: { inference: records.became },
      });
      await round;
      await work.stop();
      await project();
    },
    /** What is left of a thousand credits, and what is held of it. */
    async account(): Promise<readonly number[]> {
      const { account } = (await queries.account(ORGANIZATION))!;
      return [account.credits / 1_000, account.held / 1_000];
    },
    released: async () =>
      (await store.read(`ledger-${ORGANIZATION}`)).flatMap(({ type, data }) =>
        type === 'HoldReleased' ? [(data as { reason: string }).reason] : [],
      ),
  };
}

suite('holds that nobody ended', test => {
  test('are charged where the work was done, and given back where it failed or was cancelled', async () => {
    const world = await settled();
    const [done, failed, cancelled] = [newInferenceId(), newInferenceId(), newInferenceId()];
    for (const id of [done, failed, cancelled]) await world.hold(id);
    await world.answer(done);
    await world.queue(failed);
    const data = { inferenceId: failed, promotionId: 'prm_last', code: 'c', message: 'm', tookMs: 1 };
    await world.records.fail(W, { ...data, askedBy: 'token:t' }, world.context());
    await world.queue(cancelled);
    await world.records.cancel(W, cancelled, world.context());
    await world.settle();
    assert.equal(await world.account(), [997, 0]);
    assert.equal((await world.released()).sort(), ['cancelled', 'charged', 'failed']);
    await world.settle();
    assert.equal(await world.account(), [997, 0]);
  });

  test('stay for work that is queued', async () => {
    const world = await settled();
    const id = newInferenceId();
    await world.hold(id);
    await world.queue(id);
    world.clock.now += 60 * MINUTE;
    await world.settle();
    assert.equal(await world.account(), [1_000, 3]);
  });

  test('without any trace of the work go back at the next start, or after ten minutes', async () => {
    const world = await settled();
    await world.hold(newInferenceId());
    // Of the same moment as this process it may be its own
    await world.settle();
    assert.equal(await world.account(), [1_000, 3]);
    world.clock.now += 9 * MINUTE;
    await world.settle(false);
    assert.equal(await world.account(), [1_000, 3]);
    await world.settle();
    assert.equal(await world.account(), [1_000, 0]);
    await world.hold(newInferenceId());
    world.clock.now += 10 * MINUTE;
    await world.settle(false);
    assert.equal(await world.account(), [1_000, 0]);
    assert.equal(await world.released(), ['abandoned', 'abandoned']);
  });
});
