import * as assert from 'uvu/assert';
import { eventConfigOf, readersOf, type GivenEventConfig } from '../../../domain/ingestion/event-config.js';
import { eventsIn, itemsIn, rowsIn } from '../../../domain/ingestion/items.js';
import { Rejected } from '../../../domain/rejected.js';
import { suite } from '../../suite.js';

const NOW = Date.parse('2026-03-27T12:00:00.000Z');
const DAY = 86_400_000;

const reading = (given: GivenEventConfig) => {
  const config = eventConfigOf(given);
  const readers = readersOf(config);
  const items = (body: unknown) => itemsIn(body, readers);
  return {
    items,
    events: (body: unknown) => eventsIn(items(body), config, readers, NOW),
    rows: (body: unknown) => rowsIn(items(body), config, readers, NOW),
  };
};

suite('items of a body', test => {
  test('are the list, or the one object, at the path or the body itself', () => {
    const whole = reading({});
    assert.equal(whole.items({ text: 'a' }), [{ text: 'a' }]);
    assert.equal(whole.items(['a', 1]), ['a', 1]);
    for (const none of [null, 'text', 5, true]) assert.equal(whole.items(none), []);
    const inside = reading({ array_path: 'data.items' });
    assert.equal(inside.items({ data: { items: [1, 2] } }), [1, 2]);
    assert.equal(inside.items({ data: { items: { text: 'one' } } }), [{ text: 'one' }]);
    assert.equal(inside.items({ data: { items: 'text' } }), []);
    assert.equal(inside.items([{ data: 1 }]), []);
  });

  test('are events with text, time and id', () => {
    const { events } = reading({ text_path: 'body.title', occurred_at_path: 'at', id_path: 'uuid' });
    const sent = [
      { body: { title: 'First' }, at: '2026-03-01T00:00:00Z', uuid: 7 },
      { body: { title: 42 }, at: 1_767_225_600, uuid: '7' },
      { body: { title: 'Third' }, at: 1_767_225_600_123, uuid: null },
      { body: { title: 'Fourth' }, at: 'soon', uuid: '' },
      { body: { title: 'Fifth' }, uuid: { a: 1 } },
    ];
    const { events: read, rejected } = events(sent);
    assert.equal(rejected, []);
    assert.equal(
      read.map(({ index, externalId, text, occurredAt }) => [index, externalId, text, occurredAt]),
      [
        [0, '7', 'First', Date.parse('2026-03-01T00:00:00Z')],
        [1, '7', '42', 1_767_225_600_000],
        [2, null, 'Third', 1_767_225_600_123],
        [3, null, 'Fourth', null],
        [4, '{"a":1}', 'Fifth', null],
      ],
    );
    assert.equal(read[0]!.raw, sent[0]);
  });

  test('without a text, or too far ahead, are rejected by their index', () => {
    const { events: read, rejected } = reading({}).events([
      { text: '  ' },
      { text: 'fine', occurred_at: NOW + 400 * DAY },
      { text: 'too far', occurred_at: NOW + 400 * DAY + 1 },
      { text: { a: 1 } },
      'no object',
      null,
    ]);
    assert.equal(
      read.map(({ index }) => index),
      [1],
    );
    assert.equal(
      rejected.map(({ index, field, code }) => [index, field, code]),
      [
        [0, 'text', 'validation_error'],
        [2, 'occurred_at', 'occurred_at_too_far'],
        [3, 'text', 'validation_error'],
        [4, 'text', 'validation_error'],
        [5, 'text', 'validation_error'],
      ],
    );
  });

  test('are rows, each scalar a point of its own signal', () => {
    const { rows } = reading({ stream: 'plant', occurred_at_path: 'ts', id_path: 'meter' });
    const { series, rejected } = rows([
      {
        ts: '2026-03-01T00:00:00Z',
        meter: 'a',
        watts: 1.5,
        on: true,
        note: 'words',
        more: { x: 1 },
        none: null,
      },
      { ts: '2026-03-01T01:00:00Z', meter: 'a', watts: ' 2e3 ', on: false, list: [1] },
      { ts: '2026-03-01T00:00:00Z', watts: 7 },
      { ts: 'yesterday', meter: 'a', watts: 8 },
      'row',
      { meter: 'a' },
    ]);
    const first = Date.parse('2026-03-01T00:00:00Z');
    assert.equal(series, [
      { key: 'plant.watts__a', times: [first, first + 3_600_000], values: [1.5, 2000] },
      { key: 'plant.on__a', times: [first, first + 3_600_000], values: [1, 0] },
      { key: 'plant.watts', times: [first], values: [7] },
    ]);
    assert.equal(
      rejected.map(({ index, field }) => [index, field]),
      [
        [3, 'ts'],
        [4, null],
      ],
    );
  });

  test('are rows of now where they tell no time, and nested time and entity are no values', () => {
    const { rows } = reading({ occurred_at_path: 'meta.at', id_path: 'meta.id' });
    assert.equal(rows({ value: 3, meta: { at: null, id: 9 } }).series, [
      { key: 'events.value__9', times: [NOW], values: [3] },
    ]);
  });

  test('with text that is no Unicode, or too deep, are rejected, and others are taken', () => {
    const deep: object = Array.from({ length: 70 }).reduce<object>(inner => ({ inner }), {});
    const { events: read, rejected } = reading({}).events([
      { text: 'good' },
      { text: '\ud800 alone' },
      { text: 'member', more: { list: ['\udc00'] } },
      { text: 'name', '\ud800': 1 },
      { text: 'deep', deep },
    ]);
    assert.equal(
      [read.map(({ text }) => text), rejected.map(({ index }) => index)],
      [['good'], [1, 2, 3, 4]],
    );
    assert.equal(
      rejected.slice(0, 3).map(({ field }) => field),
      ['text', 'more.list.0', '\ufffd'],
    );
    assert.match(rejected[3]!.message, /64 levels/);
    const { series, rejected: members } = reading({}).rows([{ a: 1, 'b\ud800': 2, note: '\ud800' }]);
    assert.equal([series.length, members.map(({ field }) => field)], [1, ['b\ufffd']]);
  });

  test('with a member that has no name are taken without it', () => {
    const { series, rejected } = reading({ id_path: 'id' }).rows([{ id: 'e1', '': 1, value: 2 }]);
    const [{ index, field, message }] = rejected as [(typeof rejected)[number]];
    assert.equal([index, field, message], [0, '', 'must have a name']);
    assert.is(series.length, 1);
    assert.match(series[0]!.key, /value__e1$/);
  });

  test('with an entity that makes no key are rejected', () => {
    const { series, rejected } = reading({ id_path: 'id' }).rows([
      { id: 'x'.repeat(201), value: 1 },
      { id: 'a\nb', value: 1 },
    ]);
    const where = rejected.map(({ index, field }) => [index, field]);
    assert.equal(
      [series, where],
      [
        [],
        [
          [0, 'id'],
          [1, 'id'],
        ],
      ],
    );
  });

  test('lose the members that make no key, and those alone', () => {
    const odd = 'x'.repeat(200);
    const { series, rejected } = reading({}).rows([{ a: 1, [odd]: 2, 'b\nc': 3, d: 4 }]);
    assert.equal(
      series.map(({ key }) => key),
      ['events.a', 'events.d'],
    );
    assert.equal(
      rejected.map(({ index, field }) => [index, field]),
      [
        [0, odd],
        [0, 'b\nc'],
      ],
    );
  });
});

suite('the config of items', test => {
  test('has the defaults where nothing is said, and null asks for them again', () => {
    const changed = eventConfigOf({ stream: 'news', array_path: 'items', text_path: 't', id_path: 'id' });
    assert.equal(eventConfigOf({ array_path: null, text_path: null }, changed), {
      stream: 'news',
      arrayPath: null,
      textPath: 'text',
      occurredAtPath: 'occurred_at',
      idPath: 'id',
    });
  });

  for (const [field, value] of [
    ['stream', ''],
    ['stream', 'x'.repeat(201)],
    ['stream', 'mkt:lst_1'],
    ['stream', 'a\u0000b'],
    ['array_path', 'a..b'],
    ['text_path', ''],
    ['id_path', '[x]'],
  ] as const)
    test(`refuses ${JSON.stringify(value).slice(0, 20)} as ${field}, naming it`, () => {
      try {
        eventConfigOf({ [field]: value });
        assert.unreachable('taken');
      } catch (error) {
        assert.instance(error, Rejected);
        const { kind, details } = error as Rejected;
        assert.is(kind, 'unprocessable');
        assert.equal((details.detail as { loc: unknown }[])[0]!.loc, ['body', 'event_config', field]);
      }
    });

  test('whose names are too long to be kept are named by their beginning', () => {
    const { rejected } = reading({}).rows({ ['n'.repeat(1_000_000)]: 1 });
    assert.equal(
      rejected.map(({ field }) => field),
      [`${'n'.repeat(200)}...`],
    );
  });

  test('of more signals than can be taken, and with more faults than a call has arguments', () => {
    const members = (count: number, name: string) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`${name}${i}`, i]));
    const { series, rejected } = reading({}).rows([members(10_002, 'k'), { k1: 5, other: 6 }]);
    assert.is(series.length, 10_000);
    assert.equal(series[1]!.values, [1, 5], 'those that are known go on');
    assert.equal(
      rejected.map(({ index, field, code }) => [index, field, code]),
      [
        [0, 'k10000', 'too_many_signals'],
        [0, 'k10001', 'too_many_signals'],
        [1, 'other', 'too_many_signals'],
      ],
    );
    assert.is(reading({}).rows(members(300_000, 'n'.repeat(200))).rejected.length, 300_000);
  });
});
