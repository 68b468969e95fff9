import * as assert from 'uvu/assert';
import { streamListsThen } from '../../api/events/stream-list-then.js';
import { eventsPast } from '../../areas/events-past.js';
import { eventIdOf } from '../../commands/events/ids.js';
import { Rejected } from '../../domain/rejected.js';
import type { Query } from '../../projections/engine/read-models.js';
import { reader } from '../../projections/engine/reader.js';
import { eventsProjection } from '../../projections/events/projection.js';
import { thenQueries } from '../../projections/events/then-queries.js';
import { suite } from '../suite.js';
import { world } from './world.js';

const HOUR = 3_600_000;

async function past() {
  const real = await world();
  const asked: Query[] = [];
  const watched: typeof real.models = {
    ...real.models,
    find: (collection, query) => {
      if (collection.startsWith('events_')) asked.push(query);
      return real.models.find(collection, query);
    },
  };
  const read = reader(watched, eventsProjection, () => 0);
  const market = {
    aliasesOf: async () => [],
    resolve: async (workspace: string, _: string, key: string) => ({ workspace, key }),
  };
  const then = eventsPast(
    { read: () => read, stores: { events: real.store } } as never,
    { queries: market } as never,
  );
  const record = async (many: number, occurredAt: (i: number) => number) => {
    for (let i = 0; i < many; i++) {
      const event = { key: 'a', text: `Storm ${i}`, occurredAt: occurredAt(i), details: { value: i } };
      await real.commands.record('w1', event, real.context('w1'));
    }
    await real.project(1_000);
  };
  return { ...real, then, read, asked, record };
}

const codeOf = (error: unknown) => {
  assert.instance(error, Rejected);
  return (error as Rejected).code;
};

suite('events of a past moment, where much happened since', test => {
  test('a history that was recorded since is read in small parts, and not without an end', async () => {
    const { clock, then, read, asked, record } = await past();
    const asOf = clock.now;
    await record(1, () => asOf - 2_000 * HOUR);
    clock.now += 1;
    await record(1_500, i => asOf - (i + 1) * HOUR);
    const stream = { workspace: 'w1', key: 'a' };
    const page = await (await then.stream('w1', 'a', asOf))!.page(1, null, null);
    assert.equal(
      page.events.map(({ value }) => value),
      [0],
    );
    assert.ok(asked.length > 5 && asked.length < 20, `${asked.length} reads`);
    assert.ok(asked.every(({ limit, where }) => limit! <= 250 && !('timestamp' in where)));
    const none = async () => new Map();
    const few = (most: number) =>
      thenQueries(read, asOf, none, most).streamPage(stream, 1, null, null).catch(codeOf);
    assert.is(await few(1_499), 'too_many_events');
    assert.equal(await few(1_500), page);
    const list = streamListsThen({ ...then, edges: none as never });
    let text = '';
    for await (const chunk of await list('w1', { points: 'none', maxPoints: null }, asOf))
      text += String(chunk);
    assert.is(JSON.parse(text).data.streams[0].count, 1);
  });

  test('a single event and its revisions are told whatever happened to others of its stream', async () => {
    const { clock, then, record, commands, context, project } = await past();
    const at = (i: number) => 1_700_000_000_000 + i;
    await record(2_002, at);
    const asOf = clock.now;
    const last = eventIdOf('w1', 'a', at(2_001), 'Storm 2001');
    assert.ok((await (await then.event('w1', last, asOf))!.valueNormalized())! > 1);
    clock.now += 1;
    for (let i = 0; i <= 2_000; i++)
      await commands.withdraw('w1', eventIdOf('w1', 'a', at(i), `Storm ${i}`), null, context('w1'));
    await project(1_000);
    const was = (await then.event('w1', last, asOf))!;
    assert.equal([was.event.value, was.revisions.length], [2_001, 1]);
    assert.is(await was.valueNormalized(), null);
  });

  test('what is to come is told however many such events were recorded since', async () => {
    const { clock, then, read, record, comeDue } = await past();
    const asOf = clock.now;
    await record(1, () => asOf + 2 * HOUR);
    clock.now += 1;
    await record(10_001, i => asOf + HOUR + i);
    const told = async () => {
      const { events, total } = await then.upcoming('w1', asOf, asOf + 3 * HOUR, null, 10);
      return [events.map(({ value }) => value), total];
    };
    assert.equal(await told(), [[0], 1]);
    clock.now += 4 * HOUR;
    while ((await read.count('event_came_due', { workspace: 'w1' })) < 10_002) await comeDue();
    assert.equal(await told(), [[0], 1]);
    const { events } = await (await then.stream('w1', 'a', asOf))!.page(2, null, null);
    assert.equal(
      events.map(({ value }) => value),
      [0],
    );
  });
});
