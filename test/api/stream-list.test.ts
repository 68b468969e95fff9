import * as assert from 'uvu/assert';
import { streamList } from '../../api/events/stream-list.js';
import { eventsProjection } from '../../projections/events/projection.js';
import { reader } from '../../projections/engine/reader.js';
import { eventReads } from '../../projections/marketplace/event-reads.js';
import { world } from '../projections/world.js';
import { suite } from '../suite.js';

const EVENTS = 1_200;

suite('the list of streams with all their points', test => {
  test('lets others have their turn while it is made', async () => {
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
    const reads = eventReads(
      reader(models, eventsProjection, () => 0),
      { aliasesOf: async () => [], resolve: async (workspace, _, key) => ({ workspace, key }) },
    );
    let turns = 0;
    let next = setImmediate(function count() {
      turns++;
      next = setImmediate(count);
    });
    let text = '';
    for await (const chunk of streamList(reads, 'w', { points: 'all', maxPoints: null }, clock.now))
      text += String(chunk);
    clearImmediate(next);
    const { data } = JSON.parse(text) as { data: { streams: { points: object[] }[] } };
    assert.equal(
      data.streams.map(({ points }) => points.length),
      [EVENTS / 2, EVENTS / 2],
    );
    assert.ok(turns >= 6, `${turns} turns`);
  });
});
