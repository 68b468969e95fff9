import { randomUUID } from 'node:crypto';
import * as assert from 'uvu/assert';
import { endings } from '../../adapters/endings.js';
import { memoryEventStore, memoryKeyValue } from '../../adapters/memory.js';
import { memoryReadModels } from '../../adapters/memory-read-models.js';
import { keepReadModels } from '../../areas/read-models.js';
import { type Fact, type Message, START } from '../../domain/fact.js';
import { applyPage } from '../../projections/engine/apply.js';
import { collectionsOf, type Projection, projection } from '../../projections/engine/projection.js';
import type { ReadModels } from '../../projections/engine/read-models.js';
import { earlierVersions, READING_MS } from '../../workers/engine/earlier.js';
import { eventually } from '../contract/opened.js';
import { quiet } from '../projections/world.js';
import { suite } from '../suite.js';

type Recorded = Message & { readonly type: 'ThingRecorded'; readonly data: { readonly id: string } };
type Docs = { readonly things: { readonly _id: string; readonly times: number; readonly twice?: number } };

const things = (version: number, carries: readonly number[] = []): Projection =>
  projection<Docs, Recorded>({
    name: 'things',
    ...{ version, carries },
    collections: { things: { indexes: [], idOf: fact => fact.data.id } },
    on: {
      ThingRecorded: ({ things: before }, { data: { id } }: Fact<Recorded>) => {
        const times = (before?.times ?? 0) + 1;
        return { things: { _id: id, times, ...(version > 1 && { twice: 2 * times }) } };
      },
    },
  });

const meta = { workspace: null, actor: 'test', request: null, correlation: 'c', causation: null };

/** Stores that several processes share, a clock that is moved by hand, and a bar before what is written. */
const world = (shared: boolean) => {
  const time = { now: 1_790_000_000_000 };
  const clock = () => time.now;
  const events = memoryEventStore();
  const models = memoryReadModels();
  const kv = memoryKeyValue(clock);
  let recorded = 0;
  const bars = new Map<string, Promise<void>>();
  const barred: ReadModels = {
    ...models,
    async commit(page) {
      await bars.get(page.projection);
      await models.commit(page);
    },
  };
  return {
    ...{ time, clock, kv, models, events },
    record: () =>
      events.append(`thing-${recorded++}`, -1, [
        { id: randomUUID(), type: 'ThingRecorded', at: 0, data: { id: 'a' }, meta },
      ]),
    /** Nothing is written to a version until the bar is lifted, or ever. */
    bar(name: string) {
      let lift = (): void => undefined;
      let kill = (): void => undefined;
      const open = new Promise<void>((resolve, reject) => {
        lift = () => {
          bars.delete(name);
          resolve();
        };
        kill = () => reject(new Error('killed'));
      });
      open.catch(() => undefined);
      bars.set(name, open);
      return { lift, kill };
    },
    async process(p: Projection, here = true) {
      const ends = endings();
      const kept = await keepReadModels(
        {
          stores: { events, models: barred, kv, shared },
          projections: [p],
          ...{
            here,
            clock,
            log: quiet,
            presence: null,
            owner: 'a test',
            withinMs: 5_000,
            projected: () => undefined,
          },
        },
        ends,
      );
      const documents = kept.read(p);
      return { ...kept, ends, read: () => documents.get<Docs['things']>('things', 'a') };
    },
  };
};
type Process = Awaited<ReturnType<ReturnType<typeof world>['process']>>;
const isServed = (process: Process) => eventually('all is served', () => process.unserved() === null);
const timesIn = async (process: Process): Promise<number | undefined> => (await process.read())?.times;
const catchesUp = (process: Process, p: Projection, times: number) =>
  eventually(`${p.version} holds ${times}`, async () => (await timesIn(process)) === times);

suite('a new version of a projection', test => {
  test('the first build of an empty log waits for nothing', async () => {
    const one = await world(false).process(things(1));
    assert.is(one.unserved(), null);
    await one.ends.end();
  });

  test('nothing serves it before it holds the whole log, and it says how far it is', async () => {
    const { record, bar, process } = world(false);
    for (let i = 0; i < 3; i++) await record();
    const { lift } = bar('things_v1');
    const one = await process(things(1));
    assert.is(one.unserved(), 'things 0 %');
    lift();
    await isServed(one);
    assert.is(await timesIn(one), 3);
    await one.ends.end();
  });

  test('broken off, it goes on where it was, and does not serve before', async () => {
    const { models, events, record, bar, process } = world(false);
    const p = things(1);
    for (let i = 0; i < 3; i++) await record();
    // As a process leaves it that was killed half way
    await models.prepare(collectionsOf(p, 0));
    await applyPage(p, models, 0, await events.page(-1, 2));
    const { lift } = bar('things_v1');
    const again = await process(p);
    await eventually('it tells how far it is', () => again.unserved() === 'things 66 %');
    lift();
    await isServed(again);
    assert.is(await timesIn(again), 3);
    await again.ends.end();
  });

  test('an earlier one that it carries on serves until it has caught up, also what is new', async () => {
    const { models, record, bar, process } = world(false);
    await record();
    const before = await process(things(1));
    await isServed(before);
    await before.ends.end();
    const p = things(2, [1]);
    for (const restart of [1, 2]) {
      const { kill } = bar('things_v2');
      const one = await process(p);
      assert.is(one.unserved(), null);
      const { position } = await record();
      await one.visibleIn(p)(position);
      assert.is(await timesIn(one), 1 + restart, 'it is kept up with the log');
      assert.is(one.serving(p).version, 1);
      kill();
      await one.ends.end();
    }
    bar('things_v2').lift();
    const last = await process(p);
    await eventually('the new version serves', () => last.serving(p) === p);
    assert.equal(await last.read().then(doc => doc && [doc.times, doc.twice]), [3, 6]);
    await eventually(
      'the old one is dropped',
      async () => !(await models.collections()).includes('things_v1'),
    );
    await last.ends.end();
  });

  test('one that it does not carry on is not read, and goes when the new one is complete', async () => {
    const { models, record, bar, process } = world(false);
    await record();
    const before = await process(things(1));
    await isServed(before);
    await before.ends.end();
    const { lift } = bar('things_v2');
    const one = await process(things(2));
    assert.is(one.unserved(), 'things 0 %');
    assert.ok((await models.collections()).includes('things_v1'));
    lift();
    await isServed(one);
    assert.is((await one.read())?.twice, 2);
    await eventually(
      'the old one is dropped',
      async () => !(await models.collections()).includes('things_v1'),
    );
    await one.ends.end();
    const back = await process(things(1));
    await isServed(back);
    assert.is(await timesIn(back), 1, 'the release before builds its own again');
    await back.ends.end();
  });
});

suite('a new version of a projection beside processes of the release before', test => {
  test('they go on, with what is new, while the new one is built, and keep what they read', async () => {
    const { time, clock, kv, models, record, bar, process } = world(true);
    await record();
    const old = await process(things(1));
    await isServed(old);
    const { lift } = bar('things_v2');
    const fresh = await process(things(2));
    assert.is(fresh.unserved(), 'things 0 %');
    const { position } = await record();
    await old.visibleIn(things(1))(position);
    await catchesUp(old, things(1), 2);
    lift();
    await isServed(fresh);
    await catchesUp(fresh, things(2), 2);
    await record();
    await catchesUp(old, things(1), 3);
    const earlier = earlierVersions({ models, generations: fresh.generations, kv, clock, log: quiet });
    time.now += READING_MS - 1;
    await earlier.drop(things(2));
    assert.is(await timesIn(old), 3, 'a process that reads them has said so');
    await old.ends.end();
    time.now += 1;
    await earlier.drop(things(2));
    assert.equal(await models.collections(), ['things_v2']);
    assert.is(await models.checkpoint('things_v1'), START);
    await fresh.ends.end();
  });
});
