import * as assert from 'uvu/assert';
import { streamList } from '../../api/events/stream-list.js';
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
  return { models, now: clock.now };
}

const readsOn = (models: ReadModels) =>
  eventReads(
    reader(models, eventsProjection, () => 0),
    { aliasesOf: async () => [], resolve: async (workspace, _, key) => ({ workspace, key }) },
  );

async function listed(models: ReadModels, now: number) {
  let text = '';
  for await (const chunk of streamList(readsOn(models), 'w', { points: 'all', maxPoints: null }, now))
    text += String(chunk);
  return (JSON.parse(text) as { data: { streams: { points: object[] }[] } }).data.streams;
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
});
