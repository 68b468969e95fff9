import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { suite } from '../suite.js';
import { counts, event, eventsOf, names, pushSource, senderTo, taken, type Sender } from './sources.js';
import { DAY, expected, openWorld, type World } from './world.js';

// What is in a delivery of events: where its items are, what they say, and when (specification 2.8, 4.7, 8;
// open-parts 0.1, 29.10, 32.2, 32.4). Readings: a time that is none is the time of arrival, as a missing one.

suite('acceptance: items of deliveries', test => {
  let world: World;
  let sender: Sender;
  let streams = 0;
  /** Delivers to a new source and says what became of it: the counts, and the names that are there then. */
  const delivered = async (event_config: object, body: object | string) => {
    const stream = `s${++streams}`;
    const made = await pushSource(world.api, { stream, ...event_config });
    const answer = await sender.events(made, body);
    return { ...counts(answer), data: answer.body.data, names: await names(world.api, stream), stream };
  };
  test.before(async () => {
    world = await openWorld();
    sender = senderTo(world);
  });
  test.after(() => world.close());

  test('paths go by dots, numbers and quoted names, through own members only', async () => {
    const body = {
      result: { pages: [{ 'odd.key': [{ fields: { 'the "title"': 'First' } }, { fields: {} }] }] },
      'a-b': { ü: 'Second' },
    };
    const first = await delivered(
      { array_path: 'result.pages[0]["odd.key"]', text_path: 'fields["the \\"title\\""]' },
      body,
    );
    assert.equal([first.accepted, first.names], [1, ['First']]);
    const second = await delivered({ text_path: '["a-b"].ü' }, body);
    assert.equal([second.accepted, second.names], [1, ['Second']]);
    for (const text_path of [
      'constructor.name',
      '__proto__',
      'toString',
      'text.length',
      'list.length',
      'text[0]',
    ])
      assert.equal(
        (await delivered({ text_path }, { text: 'No member of its own', list: [1, 2] })).names,
        [],
        text_path,
      );
    const own = await delivered(
      { text_path: '__proto__.constructor' },
      '{"__proto__":{"constructor":"Own"}}',
    );
    assert.equal(own.names, ['Own'], 'unless it is its own');
  });

  test('a list needs no path, one object is one item, and anything else is none', async () => {
    const items = [{ text: 'a' }, { text: 'b' }];
    assert.equal((await delivered({}, items)).names, ['a', 'b']);
    assert.equal((await delivered({}, items[0]!)).names, ['a']);
    assert.equal((await delivered({ array_path: 'it' }, { it: items })).names, ['a', 'b']);
    assert.equal(
      (await delivered({ array_path: 'it' }, { it: items[1] })).names,
      ['b'],
      'an object is one item',
    );
    assert.equal((await delivered({ array_path: '[1]' }, items)).names, ['b']);
    for (const body of ['5', '"text"', 'null', 'true', '[]', '{"it":[]}', '{"it":"text"}', '{}']) {
      const { accepted, names: found } = await delivered({ array_path: 'it' }, body);
      assert.equal([accepted, found], [0, []], body);
    }
    for (const body of ['5', '"text"', 'null', 'true', '[]'])
      assert.equal((await delivered({}, body)).accepted, 0, body);
    const mixed = await delivered({}, [1, 'text', null, [{ text: 'inner' }], { text: 'outer' }]);
    assert.equal([mixed.accepted, mixed.names], [1, ['outer']]);
  });

  test('items without text are refused by their index, and the others are taken', async () => {
    const items = [{ text: 'a' }, { text: '' }, { text: ' \t' }, {}, { text: null }, { text: 'b' }];
    const { accepted, rejected, data, names: found } = await delivered({}, items);
    assert.equal([accepted, rejected, found], [2, 4, ['a', 'b']]);
    assert.equal(
      data.errors.map((error: Json) => error.index),
      [1, 2, 3, 4],
    );
    for (const error of data.errors) {
      assert.match(error.message, /./);
      assert.type(error.field, 'string');
    }
  });

  test('one item that is no well-formed text leaves the others as they are', async () => {
    const body = '[{"text":"a"},{"text":"\\ud800 alone"},{"text":"b"}]';
    const { accepted, rejected, data, names: found } = await delivered({}, body);
    assert.equal([accepted, rejected, found], [2, 1, ['a', 'b']]);
    assert.is(data.errors[0].index, 1);
  });

  test('text that is a number is taken as its text', async () => {
    const { accepted, stream } = await delivered({}, [{ text: 42, occurred_at: 1_790_000_000 }, { text: 0 }]);
    assert.is(accepted, 2);
    const found = await eventsOf(world.api, stream);
    const texts = await Promise.all(found.map(async each => (await event(world.api, each.event_id)).text));
    assert.equal(texts.toSorted(), ['0', '42']);
  });

  test('a time is seconds, milliseconds or ISO 8601, as a number or text; else it is now', async () => {
    const stream = 'times';
    const made = await pushSource(world.api, { stream, occurred_at_path: 'at.time' });
    const times: [unknown, number][] = [
      [1_790_000_000, 1_790_000_000_000],
      [1_790_000_000_123, 1_790_000_000_123],
      [1_790_000_000.5, 1_790_000_000_500],
      ['1790000000', 1_790_000_000_000],
      ['1790000000123', 1_790_000_000_123],
      ['2026-03-01T00:00:00Z', Date.UTC(2026, 2, 1)],
      ['2026-03-01T01:30:00+02:00', Date.UTC(2026, 1, 28, 23, 30)],
      ['2026-03-01T00:00:00.250Z', Date.UTC(2026, 2, 1) + 250],
      ['1969-07-20T20:17:40Z', -14_182_940_000],
      [0, 0],
    ];
    const body = times.map(([time], i) => ({ text: `time ${i}`, at: { time } }));
    assert.equal(counts(await sender.events(made, body)), taken(times.length));
    const found = Object.fromEntries((await eventsOf(world.api, stream)).map(e => [e.name, e.occurred_at]));
    for (const [i, [time, ms]] of times.entries()) assert.is(found[`time ${i}`], ms, String(time));
    const before = world.now();
    const odd = ['soon', null, '', {}, [], true, '2026-13-40T00:00:00Z'];
    const none = odd.map((time, i) => ({ text: `none ${i}`, at: { time } }));
    assert.equal(counts(await sender.events(made, [...none, { text: 'absent' }])), taken(odd.length + 1));
    const later = (await eventsOf(world.api, stream)).filter(({ name }) => /none|absent/.test(name));
    assert.is(later.length, odd.length + 1);
    for (const { name, occurred_at } of later)
      assert.ok(occurred_at >= before && occurred_at <= world.now(), `${name} ${occurred_at}`);
  });

  test('400 days ahead is far enough; what is beyond is refused by its index', async () => {
    const ahead = (days: number) => Math.round(world.now() + days * DAY);
    const { accepted, rejected, data, stream } = await delivered({}, [
      { text: 'In a year', occurred_at: ahead(365) },
      { text: 'Too far', occurred_at: ahead(401) },
      { text: 'Just so', occurred_at: ahead(399.9) },
    ]);
    assert.equal([accepted, rejected], [2, 1]);
    assert.is(data.errors[0].index, 1);
    assert.match(data.errors[0].message, /400 days/);
    for (const { scheduled } of await eventsOf(world.api, stream)) assert.is(scheduled, true);
  });

  test('a thousand items are looked at, whatever is in them, and the rest are counted', async () => {
    const items = Array.from({ length: 1_204 }, (_, i) => ({
      text: i % 10 === 0 ? '' : `item ${i}`,
      occurred_at: 1_780_000_000 + i,
    }));
    const made = await pushSource(world.api, { stream: 'many' });
    const { data } = expected(await sender.events(made, items));
    assert.equal([data.accepted, data.rejected, data.ignored], [900, 100, 204]);
    const { streams: rows } = expected(await world.api.get<Json>('/v1/event/streams')).data;
    assert.is(rows.find((row: Json) => row.key === 'many').count, 900);
    const newest = await eventsOf(world.api, 'many');
    assert.is(newest[0].name, 'item 999', 'the first thousand');
    assert.ok(data.errors.length <= 100);
  });

  test('a label is the first 200 characters of a long text, and the events get their scores', async () => {
    const text = `${'Große Störung 🚚 '.repeat(20)}the end`;
    const { stream } = await delivered({}, { text, occurred_at: 1_790_000_000 });
    const [row] = await eventsOf(world.api, stream);
    const found = await event(world.api, row.event_id);
    assert.equal([found.name, found.text], [[...text].slice(0, 200).join(''), text]);
    assert.ok(['pending', 'scored'].includes(found.status));
  });

  test('without an id the same item again is the same event, and is processed again', async () => {
    const made = await pushSource(world.api, { stream: 'again' });
    const body = { text: 'Twice', occurred_at: 1_790_000_000 };
    assert.equal(counts(await sender.events(made, body)), taken(1));
    assert.equal(counts(await sender.events(made, body)), taken(1));
    assert.equal(await names(world.api, 'again'), ['Twice']);
    const { data } = expected(await world.api.get<Json>(`/v1/ingestion/sources/${made.source_id}`));
    assert.is(data.counters_24h.suspected_replays, 1);
  });
});
