import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { suite } from '../suite.js';
import { counts, event, eventsOf, names, pushSource, senderTo, taken, type Sender } from './sources.js';
import { expected, openWorld, type World } from './world.js';

// Redeliveries are dropped by the provider's id: for each source, for ever (specification 4.7; open-parts R5,
// 32.4). Readings: a thing that was deleted does not come back with its redelivery.

suite('acceptance: redeliveries', test => {
  let world: World;
  let sender: Sender;
  const config = (stream: string) => ({ stream, id_path: 'id', array_path: 'items' });
  const items = (...list: object[]) => ({ items: list });
  test.before(async () => {
    world = await openWorld();
    sender = senderTo(world);
  });
  test.after(() => world.close());

  test('an id is taken once, whatever else the item says then', async () => {
    const made = await pushSource(world.api, config('once'));
    const first = { id: 'a-1', text: 'First', occurred_at: 1_790_000_000 };
    assert.equal(counts(await sender.events(made, items(first))), taken(1));
    assert.equal(counts(await sender.events(made, items(first))), taken(0, 1));
    const changed = items({ id: 'a-1', text: 'Changed' }, { id: 'a-2', text: 'Second' });
    assert.equal(counts(await sender.events(made, changed)), taken(1, 1));
    assert.equal(await names(world.api, 'once'), ['First', 'Second']);
    const [row] = (await eventsOf(world.api, 'once')).filter(({ name }) => name === 'First');
    const found = await event(world.api, row.event_id);
    assert.equal([found.external_id, found.revision], ['a-1', 1]);
  });

  test('twice in one delivery is once', async () => {
    const made = await pushSource(world.api, config('within'));
    const body = items({ id: 1, text: 'a' }, { id: 2, text: 'b' }, { id: 1, text: 'a again' });
    assert.equal(counts(await sender.events(made, body)), taken(2, 1));
    assert.equal(await names(world.api, 'within'), ['a', 'b']);
  });

  test('an id is its text, and no id is no identity', async () => {
    const made = await pushSource(world.api, config('text'));
    assert.equal(counts(await sender.events(made, items({ id: 7, text: 'seven' }))), taken(1));
    assert.equal(counts(await sender.events(made, items({ id: '7', text: 'seven' }))), taken(0, 1));
    assert.equal(counts(await sender.events(made, items({ id: '07', text: 'other' }))), taken(1));
    const none = [{}, { id: null }, { id: '' }].map((each, i) => ({ ...each, text: `none ${i}` }));
    for (let round = 0; round < 2; round++)
      assert.equal(counts(await sender.events(made, items(...none))), taken(3));
    const found = await names(world.api, 'text');
    assert.is(found.filter(name => name === 'seven').length, 1);
    assert.is(found.filter(name => name === 'other').length, 1);
    for (const i of [0, 1, 2]) assert.ok(found.includes(`none ${i}`));
  });

  test('a refused item has not used its id', async () => {
    const made = await pushSource(world.api, config('refused'));
    assert.equal(counts(await sender.events(made, items({ id: 9, text: '' }))), taken(0, 0, 1));
    assert.equal(counts(await sender.events(made, items({ id: 9, text: 'now with text' }))), taken(1));
  });

  test('ids are of one source', async () => {
    const [a, b] = [await pushSource(world.api, config('a')), await pushSource(world.api, config('b'))];
    const shared = await pushSource(world.api, config('a'));
    const item = (text: string) => items({ id: 1, text, occurred_at: 1_790_000_000 });
    for (const made of [a, b, shared])
      assert.equal(counts(await sender.events(made, item(made === shared ? 'another' : 'one'))), taken(1));
    assert.equal(await names(world.api, 'a'), ['another', 'one']);
    const other = await world.tenant();
    const theirs = await pushSource(other, config('a'));
    assert.equal(counts(await sender.events(theirs, item('one'))), taken(1));
    assert.is((await eventsOf(world.api, 'a')).length, 2);
  });

  test('thirty at the same time with the same ids write each once', async () => {
    const made = await pushSource(world.api, config('race'));
    const body = items(...Array.from({ length: 20 }, (_, i) => ({ id: i, text: `event ${i}` })));
    const answers = await Promise.all(Array.from({ length: 30 }, () => sender.events(made, body)));
    const total = { accepted: 0, duplicates: 0 };
    for (const { accepted, duplicates } of answers.map(counts)) {
      assert.is(accepted + duplicates, 20);
      total.accepted += accepted;
      total.duplicates += duplicates;
    }
    assert.equal(total, { accepted: 20, duplicates: 580 });
    assert.is(new Set(await names(world.api, 'race')).size, 20);
    assert.is((await eventsOf(world.api, 'race')).length, 20);
  });

  test('what was deleted does not come back, after a restart neither', async () => {
    const made = await pushSource(world.api, config('gone'));
    const body = items({ id: 1, text: 'withdrawn' }, { id: 2, text: 'kept' });
    assert.equal(counts(await sender.events(made, body)), taken(2));
    const rows = await eventsOf(world.api, 'gone');
    const withdrawn = rows.find(({ name }) => name === 'withdrawn');
    expected(await world.api.delete<Json>(`/v1/event/${withdrawn.event_id}`));
    assert.equal(counts(await sender.events(made, body)), taken(0, 2));
    assert.equal(await names(world.api, 'gone'), ['kept']);
    expected(await world.api.delete<Json>('/v1/event/streams/gone'));
    assert.equal(counts(await sender.events(made, body)), taken(0, 2));
    await world.restart();
    assert.equal(counts(await sender.events(made, body)), taken(0, 2));
    assert.equal(await names(world.api, 'gone'), []);
    assert.equal(counts(await sender.events(made, items({ id: 3, text: 'new' }))), taken(1));
    world.later(3 * 365 * 86_400_000);
    assert.equal(counts(await sender.events(made, body)), taken(0, 2), 'for ever');
  });

  test('a change of the id path changes what is known from then on', async () => {
    const made = await pushSource(world.api, config('path'));
    const item = { id: 1, other: 'x', text: 'one' };
    assert.equal(counts(await sender.events(made, items(item))), taken(1));
    const event_config = { ...config('path'), id_path: 'other' };
    expected(await world.api.patch<Json>(`/v1/ingestion/sources/${made.source_id}`, { event_config }));
    assert.equal(counts(await sender.events(made, items({ ...item, text: 'two' }))), taken(1));
    assert.equal(counts(await sender.events(made, items({ ...item, text: 'two' }))), taken(0, 1));
  });
});
