import * as assert from 'uvu/assert';
import { rememberedForecasts } from '../../adapters/forecaster/remembered.js';
import { newInferenceId } from '../../commands/inference/records.js';
import { tasks } from '../../commands/inference/tasks/index.js';
import { make } from '../../commands/inference/making.js';
import { prepare } from '../../commands/inference/work.js';
import type { Forecaster } from '../../domain/maths/forecasting/forecaster.js';
import { Cancelled, Overloaded } from '../../domain/maths/compute.js';
import { inferenceWork } from '../../workers/inferences.js';
import { until } from '../platform.js';
import { quiet } from '../projections/world.js';
import { suite } from '../suite.js';
import { inferenceWorld, lastValue, ORGANIZATION, W } from './inference-world.js';

const series = [{ id: 'a', start: '2026-01-01', step_s: 86_400, values: [1, 2, 3, 4] }];

async function worked(forecaster?: Forecaster) {
  const world = await inferenceWorld(forecaster);
  const { records, context, clock, newId, queries, project } = world;
  const start = () =>
    inferenceWork({
      ...world.work,
      ...{ records, queries, newId, credits: world.credits, log: quiet },
      clock: () => clock.now,
      visible: project,
    });
  return {
    ...world,
    start,
    async queue(workspace = W): Promise<string> {
      const body = { promotion_id: 'prm_last', series };
      const about = { task: 'forecast', promotionId: 'prm_last', key: null, series: 1, horizon: 3 } as const;
      const { inferenceId } = await records.queue(
        workspace,
        { ...about, inferenceId: newInferenceId(), body, bytes: 99 },
        context(workspace),
      );
      await project();
      return inferenceId;
    },
    read: (id: string, workspace = W) => records.read(workspace, id),
    over: (id: string, workspace = W) =>
      until(async () => {
        const record = await records.read(workspace, id);
        return record.endedAt !== null && record;
      }, `the end of ${id}`),
  };
}

/** A gate that holds every call until it is opened; one that is aborted leaves. */
function gate() {
  const waiting = new Set<() => void>();
  let open = false;
  return {
    calls: () => waiting.size,
    pass: (signal: AbortSignal) =>
      new Promise<void>((resolve, reject) => {
        if (open) return resolve();
        waiting.add(resolve);
        signal.addEventListener('abort', () => reject(new Cancelled()));
      }),
    open() {
      open = true;
      for (const go of waiting) go();
    },
  };
}

suite('queued inferences', test => {
  test('are answered, and seen to be', async () => {
    const world = await worked();
    const id = await world.queue();
    const work = world.start();
    const record = await world.over(id);
    await work.stop();
    assert.is(record.status, 'completed');
    assert.is(record.completed!.askedBy, 'token:t');
    const doc = await world.queries.inference(W, id);
    assert.equal([doc!.status, doc!.open], ['completed', false]);
  });

  test('that were cut short begin again', async () => {
    const held = gate();
    const world = await worked(lastValue(held.pass));
    const id = await world.queue();
    const first = world.start();
    await until(async () => held.calls() > 0, 'work');
    await first.stop();
    assert.is((await world.read(id)).status, 'running');
    held.open();
    const second = world.start();
    const record = await world.over(id);
    await second.stop();
    assert.equal([record.status, record.attempts], ['completed', 2]);
  });

  test('that another completed meanwhile are not paid back when they fail here', async () => {
    let id: string | null = null;
    const world = await worked(
      lastValue(async signal => {
        if (id === null) return;
        const inferenceId = id;
        id = null;
        const body = { promotion_id: 'prm_last', series };
        const prepared = await prepare(world.work, tasks.forecast, W, body, world.clock.now);
        const asking = { workspace: W, askedBy: 'token:t', began: 0, signal };
        const made = await make(world.work, tasks.forecast, prepared, asking);
        await world.records.complete(W, inferenceId, made, world.context());
        throw new Error('gone');
      }),
    );
    id = await world.queue();
    const reference = { type: 'inference', id };
    const price = world.credits.priceOf('inference.series_step', 3);
    await world.credits.hold(W, { price, reference, pipelineId: null }, world.context());
    const work = world.start();
    await until(async () => (await world.read(reference.id)).status === 'completed', 'its end');
    await work.stop();
    await world.ledger.settled(ORGANIZATION);
    assert.is(world.ledger.stands(ORGANIZATION)!.account!.held, 3_000);
  });

  test('that are cancelled while they are worked on end, and keep no answer', async () => {
    const held = gate();
    const world = await worked(lastValue(held.pass));
    const id = await world.queue();
    const work = world.start();
    await until(async () => held.calls() > 0, 'work');
    await world.records.cancel(W, id, world.context());
    await world.project();
    const other = await world.queue();
    held.open();
    await world.over(other);
    await work.stop();
    const record = await world.read(id);
    assert.equal([record.status, record.completed], ['cancelled', null]);
  });

  test('that were cut short again and again are not begun for ever', async () => {
    const world = await worked();
    const id = await world.queue();
    for (let times = 0; times < 10; times++) await world.records.start(W, id, world.context());
    await world.project();
    const work = world.start();
    const { status, failed } = await world.over(id);
    await work.stop();
    assert.equal([status, failed!.code], ['failed', 'cut_short']);
  });

  test('are remembered for their own workspace alone', async () => {
    const world = await worked();
    const deps = { ...world.work, remembered: rememberedForecasts(1_000_000) };
    const cached = async (workspace: string) => {
      const prepared = await prepare(
        deps,
        tasks.forecast,
        workspace,
        { promotion_id: 'prm_last', series },
        0,
      );
      const asking = { workspace, askedBy: 'token:t', began: 0, signal: new AbortController().signal };
      return (await make(deps, tasks.forecast, prepared, asking)).cached;
    };
    assert.equal([await cached(W), await cached(W), await cached('w2')], [false, true, false]);
  });

  test('that the server cannot do just now are tried again', async () => {
    let refusals = 1;
    const world = await worked(
      lastValue(async () => {
        if (refusals-- > 0) throw new Overloaded();
      }),
    );
    const id = await world.queue();
    const work = world.start();
    const record = await world.over(id);
    await work.stop();
    assert.equal([record.status, record.attempts], ['completed', 2]);
  });

  test('that cannot be done fail, and say why', async () => {
    const world = await worked(
      lastValue(async () => {
        throw new Error('a fault');
      }),
    );
    const id = await world.queue();
    const work = world.start();
    const { status, failed } = await world.over(id);
    await work.stop();
    assert.equal([status, failed!.code, failed!.message], ['failed', 'internal_error', 'Internal error']);
    const { total } = await world.queries.usage(W, 0, world.clock.now, 'day');
    assert.equal([total.calls, total.errors], [1, 1]);
  });

  test('of one workspace do not hold up those of another', async () => {
    const held = gate();
    const begun: string[] = [];
    const world = await worked(lastValue(held.pass));
    const { served } = world.work;
    const start = () =>
      inferenceWork({
        ...world.work,
        ...{ records: world.records, queries: world.queries, newId: world.newId, log: quiet },
        credits: world.credits,
        async served(workspace, promotionId) {
          begun.push(workspace);
          return served(workspace, promotionId);
        },
        clock: () => world.clock.now,
        visible: world.project,
      });
    for (const workspace of ['many', 'more', 'many', 'more', 'many', 'more', 'few'])
      await world.queue(workspace);
    const work = start();
    await until(async () => begun.length >= 2, 'two at once');
    held.open();
    await until(async () => begun.length >= 3, 'a third');
    await work.stop();
    // Also that of a third, whose work is the newest of all
    assert.equal(begun.slice(0, 3).toSorted(), ['few', 'many', 'more']);
  });
});
