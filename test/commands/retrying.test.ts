import { randomUUID } from 'node:crypto';
import * as assert from 'uvu/assert';
import { memoryReadModels } from '../../adapters/memory-read-models.js';
import { memoryEventStore } from '../../adapters/memory.js';
import { handler, loader } from '../../commands/engine/handle.js';
import { newId } from '../../commands/engine/ids.js';
import { pipelineCommands } from '../../commands/pipelines/records.js';
import { trainingCommands, type TrainingWanted } from '../../commands/trainings/records.js';
import type { Resolved } from '../../commands/trainings/resolving.js';
import { retry } from '../../commands/trainings/retrying.js';
import { pipelines } from '../../domain/pipelines/decider.js';
import type { LivePipeline } from '../../domain/pipelines/state.js';
import { Rejected } from '../../domain/rejected.js';
import { MINUTE } from '../../domain/time.js';
import { applyPage } from '../../projections/engine/apply.js';
import { checkpointName, collectionsOf } from '../../projections/engine/projection.js';
import { reader } from '../../projections/engine/reader.js';
import { pipelinesProjection } from '../../projections/pipelines/projection.js';
import { pipelineQueries } from '../../projections/pipelines/queries.js';
import { lostRetries } from '../../workers/lost-retries.js';
import { NOW, of, settings } from '../domain/pipelines/given.js';
import { queuedData } from '../domain/trainings-given.js';
import { quiet } from '../projections/world.js';
import { suite } from '../suite.js';

const { blueprint, intensity, lookback, what, horizon, price } = queuedData;
const wanted: Omit<TrainingWanted, 'trainingId'> = {
  ...{ segmentId: 'seg_1', seed: 7, metric: 'mase', trigger: 'retry', owner: 'usr_1', against: null },
  ...{ pipelineId: of.pipelineId, cycleId: null, retryOf: 'trn_0000000000000001', unpaid: 'refuse' },
  model: { blueprint, intensity, lookback, what, horizon } as Resolved,
};

/** A pipeline whose trainings are tried once more; `holds`: what becomes of asking for credits. */
async function world(holds: () => Promise<void> = async () => {}) {
  const [store, models] = [memoryEventStore(), memoryReadModels()];
  const [handle, load] = [handler(store, randomUUID), loader(store)];
  const clock = { now: NOW };
  const contextOf = () => ({
    ...{ workspace: of.workspace, actor: 'usr_1', request: null, correlation: 'c', causation: null },
    at: clock.now,
  });
  const credits = { priceOf: () => price, hold: holds, charge() {}, release() {} };
  const commands = trainingCommands({ handle, load, credits: credits as never });
  const { startRetry, endRetry, state } = pipelineCommands({ handle, load });
  const data = { ...of, settings: settings(), owner: 'usr_1', rowsSeen: 0 };
  await handle(pipelines, { type: 'CreatePipeline', data }, contextOf());
  await models.prepare(collectionsOf(pipelinesProjection, 0));
  const queries = pipelineQueries(reader(models, pipelinesProjection, () => 0));
  return {
    clock,
    commands,
    start: (trainingId: string) => startRetry({ ...of, trainingId, price: price.amount }, contextOf()),
    /** What it comes to: `queued`, or why not. */
    retry: (queue = commands.queue, end: typeof endRetry = endRetry) =>
      retry(
        { commands: { ...commands, queue }, credits, retries: { start: startRetry, end } },
        of.workspace,
        wanted,
        contextOf(),
      ).then(
        ({ training }) => training.status as string,
        (error: Error) => error.message,
      ),
    /** Ids of those that are not over, and what they count. */
    async counted(): Promise<readonly [string[], number]> {
      const { retries = [], spent } = (await state(of)) as LivePipeline;
      return [retries.map(({ trainingId }) => trainingId), spent.credits];
    },
    /** Looks once for those that came to nothing. */
    async settle(): Promise<void> {
      const from = await models.checkpoint(checkpointName(pipelinesProjection, 0));
      const page = await store.page(from, 1_000);
      if (page.length > 0) await applyPage(pipelinesProjection, models, 0, page);
      let looked = (): void => undefined;
      const round = new Promise<void>(resolve => {
        looked = resolve;
      });
      const work = lostRetries({
        queries: {
          async *retryingSince(by) {
            yield* queries.retryingSince(by);
            looked();
          },
        },
        ...{ commands: { endRetry }, became: commands.became },
        ...{ clock: () => clock.now, contextOf, log: quiet },
      });
      await round;
      await work.stop();
    },
  };
}

suite('a training of a pipeline that is tried once more', test => {
  test('counts once it is queued', async () => {
    const { retry, counted } = await world();
    assert.is(await retry(), 'queued');
    const [open, credits] = await counted();
    assert.equal([open.length, credits], [1, price.amount]);
  });

  test('counts no more where it comes to nothing, whatever went wrong', async () => {
    const unpaid = new Rejected('unpaid', 'insufficient_credits', 'too few');
    for (const error of [unpaid, new Error('the store is away')]) {
      const { retry, counted } = await world(() => Promise.reject(error));
      assert.is(await retry(), error.message);
      assert.equal(await counted(), [[], 0]);
    }
  });

  test('counts where it was queued, and what went wrong did so behind that', async () => {
    const { retry, counted, commands } = await world();
    const queued = await retry(async (...asked) => {
      await commands.queue(...asked);
      throw new Error('late');
    });
    assert.is(queued, 'late');
    assert.is((await counted())[0].length, 1);
  });

  test('that was cut short in between, or could not be ended, counts no more after ten minutes', async () => {
    const { retry, start, counted, settle, clock } = await world(() => Promise.reject(new Error('away')));
    // Killed: nothing follows
    await start(newId('trn_'));
    assert.is(await retry(undefined, () => Promise.reject(new Error('away, too'))), 'away');
    clock.now += 10 * MINUTE - 1;
    await settle();
    assert.equal(await counted().then(([open, credits]) => [open.length, credits]), [2, 2 * price.amount]);
    clock.now += 1;
    await settle();
    assert.equal(await counted(), [[], 0]);
  });

  test('that waits, however long, counts as before', async () => {
    const { retry, start, counted, settle, clock } = await world();
    await retry();
    const [open] = await counted();
    await start(newId('trn_'));
    clock.now += 60 * MINUTE;
    await settle();
    assert.equal(await counted(), [open, price.amount]);
  });
});
