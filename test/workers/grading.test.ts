import * as assert from 'uvu/assert';
import { actualsSoFar } from '../../commands/inference/actuals.js';
import { make } from '../../commands/inference/making.js';
import { prepare } from '../../commands/inference/work.js';
import { newInferenceId } from '../../commands/inference/records.js';
import { tasks } from '../../commands/inference/tasks/index.js';
import { START } from '../../domain/fact.js';
import type { InferenceRequest } from '../../domain/inference/request.js';
import { DAY } from '../../domain/time.js';
import { answerOf } from '../../workers/engine/reactor.js';
import { grading } from '../../workers/grading.js';
import { suite } from '../suite.js';
import { inferenceWorld, W, type InferenceWorld } from './inference-world.js';

const JANUARY = Date.UTC(2026, 0, 1);
const days = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => JANUARY + (from + i) * DAY);

/** A world with a reactor that answers what came since it was last asked. */
async function graded() {
  const world = await inferenceWorld();
  const reactor = grading({
    ...{ records: world.records, queries: world.queries, reads: world.reads, alone: true },
    async caughtUp() {
      await world.project();
      return true;
    },
  });
  let seen = START;
  return {
    ...world,
    forecast: (request: InferenceRequest) => forecast(world, request),
    async react() {
      for (const fact of await world.store.page(seen, 1_000)) {
        await answerOf(reactor, fact, world.clock.now, world);
        seen = fact.position;
      }
      await world.project();
    },
    status: async (id: string) => (await world.records.read(W, id)).status,
  };
}

async function forecast(world: InferenceWorld, request: InferenceRequest): Promise<string> {
  const body = { promotion_id: 'prm_last', ...request };
  const task = tasks.forecast;
  await world.project();
  const prepared = await prepare(world.work, task, W, body, world.clock.now);
  const asking = { workspace: W, askedBy: 'token:t', began: 0, signal: new AbortController().signal };
  const made = await make(world.work, task, prepared, asking);
  const about = { task: 'forecast', promotionId: 'prm_last', inferenceId: newInferenceId() } as const;
  const asked = { ...about, body, bytes: 9, series: made.series };
  const { key, horizon } = prepared;
  const keep = await world.records.record(W, { ...asked, key, horizon }, made, world.context());
  return (await keep()).inferenceId;
}

suite('grading forecasts', test => {
  test('waits for the actuals of all steps', async () => {
    const world = await graded();
    await world.push('a', days(0, 30), days(0, 30).fill(5));
    const id = await world.forecast({ key: 'a', horizon: 3 });
    await world.push('a', days(30, 32), [6, 7]);
    await world.react();
    assert.is(await world.status(id), 'completed');
    await world.push('a', days(32, 33), [8]);
    await world.react();
    const { status, grades } = await world.records.read(W, id);
    assert.is(status, 'graded');
    assert.equal(grades[0]!.actuals, [6, 7, 8]);
    assert.equal([grades[0]!.grade.mae, grades[0]!.grade.n], [2, 3]);
    await world.react();
    assert.is((await world.records.read(W, id)).grades.length, 1);
    const [doc] = (await world.queries.page(W, none, 0, 10)).inferences;
    assert.equal([doc!.status, doc!.awaits], ['graded', null]);
  });

  test('does not wait for a step that never came once the signal has gone on as long again', async () => {
    const world = await graded();
    await world.push('a', days(0, 30), days(0, 30).fill(5));
    const id = await world.forecast({ key: 'a', horizon: 2 });
    await world.push('a', days(31, 33), [6, 6]);
    await world.react();
    assert.is(await world.status(id), 'completed');
    await world.push('a', days(34, 35), [6]);
    await world.react();
    const { status, grades } = await world.records.read(W, id);
    assert.is(status, 'graded');
    assert.equal([grades[0]!.actuals, grades[0]!.grade.n], [[null, 6], 1]);
  });

  test('does not wait for ever where no step came at all', async () => {
    const world = await graded();
    await world.push('a', days(0, 30), days(0, 30).fill(5));
    const id = await world.forecast({ key: 'a', horizon: 2 });
    await world.push('a', days(33, 35), [6, 6]);
    await world.react();
    const { status, grades } = await world.records.read(W, id);
    assert.is(status, 'graded');
    const { n, ...numbers } = grades[0]!.grade;
    assert.equal([n, grades[0]!.actuals], [0, [null, null]]);
    assert.ok(Object.values(numbers).every(value => value === null));
  });

  test('tells nothing of a subscribed signal once the subscription has ended', async () => {
    const world = await graded();
    const signal = async () => ({ key: 'theirs', place: { workspace: W, key: 'a' }, revision: 0 });
    await world.push('a', days(0, 30), days(0, 30).fill(5));
    Object.assign(world.reads, { find: signal });
    const id = await world.forecast({ key: 'theirs', horizon: 2 });
    await world.push('a', days(30, 31), [6]);
    const soFar = async () => actualsSoFar(world.reads, W, await world.records.read(W, id));
    assert.equal(await soFar(), [{ series: 0, values: [6, null] }]);
    Object.assign(world.reads, { find: async () => null });
    assert.equal(await soFar(), []);
    await world.push('a', days(31, 35), [7, 8, 9, 9]);
    await world.react();
    assert.equal((await world.records.read(W, id)).grades[0]!.actuals, [null, null]);
  });

  test('takes a step that came late', async () => {
    const world = await graded();
    await world.push('a', days(0, 30), days(0, 30).fill(5));
    const id = await world.forecast({ key: 'a', horizon: 2 });
    await world.push('a', days(31, 32), [6]);
    await world.react();
    await world.push('a', days(30, 31), [7]);
    await world.react();
    assert.equal((await world.records.read(W, id)).grades[0]!.actuals, [7, 6]);
  });

  test('is done at once for a forecast as of a moment whose future is known', async () => {
    const world = await graded();
    await world.push('a', days(0, 30), days(0, 30).fill(5));
    const then = new Date(world.clock.now).toISOString();
    world.clock.now += 1_000;
    await world.push('a', days(30, 40), days(30, 40).fill(9));
    await world.react();
    const id = await world.forecast({ key: 'a', horizon: 2, as_of: then });
    await world.react();
    assert.is(await world.status(id), 'graded');
  });

  test('looks at each series of a base by itself, and at nothing else', async () => {
    const world = await graded();
    for (const key of ['b__x', 'b__y', 'bb']) await world.push(key, days(0, 30), days(0, 30).fill(5));
    const id = await world.forecast({ key: 'b', horizon: 2 });
    await world.push('bb', days(30, 32), [1, 1]);
    await world.push('b__y', days(30, 32), [6, 6]);
    await world.react();
    const some = await world.records.read(W, id);
    assert.equal([some.status, some.grades.map(({ series }) => series)], ['completed', [1]]);
    await world.push('b__x', days(30, 32), [6, 6]);
    await world.react();
    assert.is(await world.status(id), 'graded');
    const [doc] = (await world.queries.page(W, none, 0, 10)).inferences;
    assert.equal([doc!.status, Object.keys(doc!.scores).length], ['graded', 2]);
  });

  test('does not wait for a signal of a base that nothing comes of any more', async () => {
    const world = await graded();
    for (const key of ['b__x', 'b__y']) await world.push(key, days(0, 30), days(0, 30).fill(5));
    const id = await world.forecast({ key: 'b', horizon: 2 });
    await world.push('b__y', days(30, 33), [6, 6, 6]);
    await world.react();
    assert.is(await world.status(id), 'completed');
    await world.push('b__y', days(34, 35), [6]);
    await world.react();
    assert.is(await world.status(id), 'completed');
    world.clock.now = days(43, 44)[0]!;
    await world.push('b__y', days(43, 44), [6]);
    await world.react();
    const { status, grades } = await world.records.read(W, id);
    assert.is(status, 'graded');
    assert.equal(grades.find(({ series }) => series === 0)!.actuals, [null, null]);
  });

  test('waits for signals of a base whose points come all late, one signal after the other', async () => {
    const world = await graded();
    for (const key of ['b__x', 'b__y']) await world.push(key, days(0, 30), days(0, 30).fill(5));
    const id = await world.forecast({ key: 'b', horizon: 2 });
    world.clock.now = days(36, 37)[0]!;
    for (const key of ['b__y', 'b__x']) {
      await world.push(key, days(30, 36), days(30, 36).fill(6));
      await world.react();
    }
    const { status, grades } = await world.records.read(W, id);
    assert.equal(
      [status, grades.map(({ actuals }) => actuals)],
      [
        'graded',
        [
          [6, 6],
          [6, 6],
        ],
      ],
    );
  });

  test('looks again only at what new points may complete', async () => {
    const world = await graded();
    await world.push('a', days(0, 30), days(0, 30).fill(5));
    await world.forecast({ key: 'a', horizon: 4 });
    await world.push('a', days(31, 34), [6, 6, 6]);
    const points = (day: number) => {
      const [time] = days(day, day + 1);
      const last = Math.max(time!, days(34, 35)[0]!);
      return { workspace: W, key: 'a', base: null, from: time!, last, givenUp: 0 };
    };
    const found = async (day: number) => {
      let count = 0;
      for await (const _ of world.queries.awaiting(points(day))) count++;
      return count;
    };
    assert.equal([await found(30), await found(33), await found(34), await found(38)], [1, 1, 0, 1]);
  });

  test('documents are looked through only from the last step on', async () => {
    const world = await graded();
    const { awaiting } = world.queries;
    let looks = 0;
    Object.assign(world.queries, {
      awaiting(...of: Parameters<typeof awaiting>) {
        looks++;
        return awaiting(...of);
      },
    });
    await world.push('a', days(0, 30), days(0, 30).fill(5));
    const id = await world.forecast({ key: 'a', horizon: 3 });
    await world.react();
    for (const day of [30, 31]) {
      await world.push('a', days(day, day + 1), [6]);
      await world.react();
    }
    assert.is(looks, 0);
    await world.push('a', days(32, 33), [6]);
    await world.react();
    assert.equal([looks, await world.status(id)], [1, 'graded']);
  });

  test('one point completes as many forecasts as await it', async () => {
    const world = await graded();
    await world.push('a', days(0, 30), days(0, 30).fill(5));
    const ids: string[] = [];
    for (let i = 0; i < 205; i++) ids.push(await world.forecast({ key: 'a', horizon: 1 }));
    await world.push('a', days(30, 31), [6]);
    await world.react();
    const statuses = new Set(await Promise.all(ids.map(world.status)));
    assert.equal([...statuses], ['graded']);
  });

  test('a large answer of a base is read once, not for each of its signals', async () => {
    const world = await graded();
    const keys = Array.from({ length: 40 }, (_, i) => `b__${i}`);
    for (const key of keys)
      await world.push(
        key,
        days(0, 30),
        days(0, 30).map(day => Math.sin(day) * 1_000),
      );
    const id = await world.forecast({ key: 'b', horizon: 60 });
    assert.ok((await world.records.read(W, id)).parts.answer.length > 0);
    const { read } = world.store;
    let reads = 0;
    Object.assign(world.store, {
      read(...of: Parameters<typeof read>) {
        if (of[0].startsWith('inference-')) reads++;
        return read(...of);
      },
    });
    for (const key of keys) await world.push(key, days(30, 90), days(30, 90).fill(6));
    await world.react();
    assert.ok(reads <= 3, `${reads} times`);
    const { status, grades } = await world.records.read(W, id);
    assert.equal(
      [status, grades.length, new Set(grades.map(({ series }) => series)).size],
      ['graded', 40, 40],
    );
  });

  test('goes on after a restart with what the documents say is awaited', async () => {
    const world = await graded();
    await world.push('a', days(0, 30), days(0, 30).fill(5));
    const id = await world.forecast({ key: 'a', horizon: 1 });
    await world.project();
    const [point] = days(30, 31);
    await world.push('a', [point!], [6]);
    const facts = await world.store.page(START, 1_000);
    const later = grading({ ...world, caughtUp: async () => true, alone: true });
    await answerOf(later, facts.at(-1)!, world.clock.now, world);
    assert.is(await world.status(id), 'graded');
  });
});

const none = { promotionId: null, goalId: null, status: null, from: null, to: null };
