import * as assert from 'uvu/assert';
import { streamLists } from '../../api/events/stream-list.js';
import { eventsProjection } from '../../projections/events/projection.js';
import type { ReadModels } from '../../projections/engine/read-models.js';
import { reader } from '../../projections/engine/reader.js';
import { eventReads } from '../../projections/marketplace/event-reads.js';
import { world } from '../projections/world.js';
import { suite } from '../suite.js';

const EVENTS = 1_200;

async function filled() {
  const { commands, context, project, models, clock } = await world();
  for (let n = 0; n < EVENTS; n++) {
    const submission = {
      key: `stream ${n % 2}`,
      text: `Event ${n}`,
      occurredAt: clock.now - n,
      details: {},
    };
    await commands.record('w', submission, context('w'));
  }
  await project(500);
  return { commands, context, project, models, clock, now: clock.now };
}

const readsOn = (models: ReadModels) =>
  eventReads(
    reader(models, eventsProjection, () => 0),
    { aliasesOf: async () => [], resolve: async (workspace, _, key) => ({ workspace, key }) },
  );

const listsOn = (models: ReadModels) => streamLists(readsOn(models), async () => new Map());

type Listed = { key: string; points: { scheduled: boolean }[] };

async function listed(models: ReadModels, now: number, lists = listsOn(models)) {
  let text = '';
  for await (const chunk of lists('w', { points: 'all', maxPoints: null }, now)) text += String(chunk);
  return (JSON.parse(text) as { data: { streams: Listed[] } }).data.streams;
}

/** Read models that tell of which streams points were read since they were asked last. */
function countingReads(models: ReadModels) {
  const keys = new Set<string>();
  const counted: ReadModels = {
    ...models,
    find(collection, query) {
      if (query.fields?.includes('scores')) keys.add(String(query.where['key']));
      return models.find(collection, query);
    },
  };
  return {
    counted,
    read(): string[] {
      const read = [...keys];
      keys.clear();
      return read;
    },
  };
}

suite('the list of streams with all their points', test => {
  test('lets others have their turn while it is made', async () => {
    const { models, now } = await filled();
    let turns = 0;
    let next = setImmediate(function count() {
      turns++;
      next = setImmediate(count);
    });
    const streams = await listed(models, now);
    clearImmediate(next);
    assert.equal(
      streams.map(({ points }) => points.length),
      [EVENTS / 2, EVENTS / 2],
    );
    assert.ok(turns >= 6, `${turns} turns`);
  });

  test('reads no more in a round of the event loop when many ask for it at once', async () => {
    const { models, now } = await filled();
    let inRound = 0;
    let most = 0;
    const counted: ReadModels = {
      ...models,
      find(collection, query) {
        if (query.fields?.includes('scores')) {
          if (inRound++ === 0)
            setImmediate(() => {
              inRound = 0;
            });
          most = Math.max(most, inRound);
        }
        return models.find(collection, query);
      },
    };
    const all = await Promise.all(Array.from({ length: 8 }, () => listed(counted, now)));
    for (const streams of all) assert.is(streams.flatMap(({ points }) => points).length, EVENTS);
    assert.ok(most <= 2, `${most} pages in a round`);
  });

  test('reads the points of a stream again only when something of it has changed', async () => {
    const { commands, context, project, models, clock, now } = await filled();
    const { counted, read } = countingReads(models);
    const lists = listsOn(counted);
    const first = await listed(counted, now, lists);
    assert.equal(read().sort(), ['stream 0', 'stream 1']);
    assert.equal(await listed(counted, now, lists), first);
    assert.equal(read(), []);
    const more = { key: 'stream 1', text: 'More', occurredAt: clock.now - 5, details: {} };
    await commands.record('w', more, context('w'));
    await project(500);
    const [, second] = await listed(counted, now, lists);
    assert.equal(read(), ['stream 1']);
    assert.is(second!.points.length, EVENTS / 2 + 1);
  });

  test('reads them again when the time of one has come, or when a clock was set back', async () => {
    const { commands, context, project, models, clock, now } = await filled();
    const soon = { key: 'stream 1', text: 'Soon', occurredAt: now + 1_000, details: {} };
    await commands.record('w', soon, context('w'));
    await project(500);
    const { counted, read } = countingReads(models);
    const lists = listsOn(counted);
    const last = async (at: number): Promise<[boolean, string[]]> => {
      read();
      const streams = await listed(counted, at, lists);
      return [streams[1]!.points.at(-1)!.scheduled, read().sort()];
    };
    assert.equal(await last(clock.now), [true, ['stream 0', 'stream 1']]);
    assert.equal(await last(clock.now + 999), [true, []]);
    assert.equal(await last(clock.now + 1_000), [false, ['stream 1']]);
    assert.equal(await last(clock.now + 2_000), [false, []]);
    assert.equal(await last(clock.now + 500), [true, ['stream 1']]);
  });

  test('keeps nothing of a page of facts that is not written to its end', async () => {
    const { models, now } = await filled();
    const { counted, read } = countingReads(models);
    const lists = listsOn({ ...counted, checkpoint: async () => 3 });
    await listed(counted, now, lists);
    read();
    await listed(counted, now, lists);
    assert.equal(read().sort(), ['stream 0', 'stream 1']);
  });
});
