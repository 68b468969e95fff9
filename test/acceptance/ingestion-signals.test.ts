import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { suite } from '../suite.js';
import { counts, eventsOf, keysOf, pointsOf, pushSource, senderTo, taken, type Sender } from './sources.js';
import { at, expected, openWorld, type World } from './world.js';

// Rows of signals by webhook (specification 2.8, 2.10, 4.7; open-parts 32.2, 32.3).

const FROM = Date.UTC(2026, 2, 1);

suite('acceptance: deliveries of signal rows', test => {
  let world: World;
  let sender: Sender;
  let seconds = 0;
  /** A row at the next second, so that no two are at the same time. */
  const row = (fields: object) => ({ occurred_at: FROM / 1_000 + seconds++, ...fields });
  const last = async (key: string) => (await pointsOf(world.api, key))?.at(-1)?.[1];
  test.before(async () => {
    world = await openWorld();
    sender = senderTo(world);
  });
  test.after(() => world.close());

  test('every scalar field is a signal under the stream, at the time of the row', async () => {
    const made = await pushSource(world.api, { stream: 'meter' });
    const body = [
      {
        occurred_at: '2026-03-01T00:00:00Z',
        power: 12.5,
        voltage: 230,
        note: 'all well',
        tags: ['a'],
        at: {},
      },
      { occurred_at: '2026-03-01T00:01:00Z', power: -1, voltage: null },
    ];
    const answer = await sender.signal(made, body);
    const { data } = expected(answer);
    assert.equal([data.status, data.kind], ['ok', 'signal']);
    assert.equal(counts(answer), taken(3));
    assert.equal(await keysOf(world.api, 'meter'), ['meter.power', 'meter.voltage']);
    assert.equal(await pointsOf(world.api, 'meter.power'), [
      [FROM, 12.5],
      [FROM + 60_000, -1],
    ]);
    assert.equal(await pointsOf(world.api, 'meter.voltage'), [[FROM, 230]]);
    const path = '/v1/signal?type=signal&search=meter.power';
    assert.is(expected(await world.api.get<Json>(path)).data.signals[0].origin, 'ingestion');
    assert.equal(await eventsOf(world.api, 'meter'), [], 'and no event');
  });

  test('booleans are 0 and 1, numeric text is a number, other text is passed over', async () => {
    const made = await pushSource(world.api, { stream: 'kinds' });
    const fields = { on: true, off: false, text: '4.5', minus: '-3', word: 'open', empty: '', none: null };
    assert.equal(counts(await sender.signal(made, row(fields))), taken(4));
    assert.equal(await keysOf(world.api, 'kinds'), ['kinds.minus', 'kinds.off', 'kinds.on', 'kinds.text']);
    assert.equal(
      [await last('kinds.on'), await last('kinds.off'), await last('kinds.text'), await last('kinds.minus')],
      [1, 0, 4.5, -3],
    );
    for (const text of ['1,5', '12 kW', '0x10', 'Infinity', 'NaN', ' ', '1e999', '٣'])
      assert.equal(counts(await sender.signal(made, row({ text }))).accepted, 0, text);
    const huge = `{"occurred_at": ${FROM / 1_000 + seconds++}, "huge": 1e999, "fine": 2}`;
    assert.is(counts(await sender.signal(made, huge)).accepted, 1, 'what is not finite is no value');
  });

  test('the field at the id path is whose value it is', async () => {
    const made = await pushSource(world.api, {
      stream: 'shops',
      array_path: 'rows',
      occurred_at_path: 'meta.time',
      id_path: 'shop',
    });
    const rows = [
      { meta: { time: FROM }, shop: 'berlin', orders: 3 },
      { meta: { time: FROM }, shop: 7, orders: 4 },
      { meta: { time: FROM + 1 }, shop: '7', orders: 5 },
      { meta: { time: FROM }, orders: 6 },
      { meta: { time: FROM }, shop: null, returns: 1 },
    ];
    assert.equal(counts(await sender.signal(made, { rows, total: 5 })), taken(5));
    assert.equal(await keysOf(world.api, 'shops'), [
      'shops.orders',
      'shops.orders__7',
      'shops.orders__berlin',
      'shops.returns',
    ]);
    assert.equal(await pointsOf(world.api, 'shops.orders__7'), [
      [FROM, 4],
      [FROM + 1, 5],
    ]);
    const path = '/v1/signal?type=signal&search=shops.orders__berlin';
    const [found] = expected(await world.api.get<Json>(path)).data.signals;
    assert.equal([found.base, found.entity], ['shops.orders', 'berlin']);
  });

  test('the same again is a duplicate, another value a revision, which counts', async () => {
    const made = await pushSource(world.api, { stream: 'again' });
    const at = { occurred_at: FROM };
    assert.equal(counts(await sender.signal(made, { ...at, a: 1, b: 2 })), taken(2));
    assert.equal(counts(await sender.signal(made, { ...at, a: 1, b: 2 })), taken(0, 2));
    assert.equal(counts(await sender.signal(made, { ...at, a: 1, b: 3, c: 4 })), taken(2, 1));
    assert.equal(await pointsOf(world.api, 'again.b'), [[FROM, 3]]);
    const revisions = await world.api.get<Json>('/v1/signal/revisions?key=again.b');
    assert.equal(
      expected(revisions).data.revisions.map(({ value }: Json) => value),
      [2],
    );
    const twice = [
      { ...at, d: 1 },
      { ...at, d: 1 },
    ];
    assert.equal(counts(await sender.signal(made, twice)), taken(1, 1));
  });

  test('as of a past moment only what had come by then is there', async () => {
    const made = await pushSource(world.api, { stream: 'past' });
    await sender.signal(made, { occurred_at: FROM, a: 1 });
    world.later(60_000);
    const moment = at(world.now());
    world.later(60_000);
    const late = [
      { occurred_at: FROM, a: 2 },
      { occurred_at: FROM + 1, a: 3 },
    ];
    assert.equal(counts(await sender.signal(made, late)), taken(2));
    const path = `/v1/signal/points?key=past.a&as_of=${moment}`;
    assert.equal(expected(await world.api.get<Json>(path)).data.points, [[FROM, 1]]);
  });

  test('a row of a time and an entity alone accepts nothing', async () => {
    const made = await pushSource(world.api, { stream: 'none', id_path: 'id' });
    for (const body of [{ occurred_at: FROM, id: 5 }, {}, [], [{}], { deep: { value: 1 }, list: [1] }])
      assert.equal(counts(await sender.signal(made, body)).accepted, 0, JSON.stringify(body));
    assert.equal(await keysOf(world.api, 'none'), []);
  });

  test('a row without a time is of now', async () => {
    const made = await pushSource(world.api, { stream: 'now' });
    const before = world.now();
    assert.equal(counts(await sender.signal(made, { load: 0.5 })), taken(1));
    const [[time] = [0]] = (await pointsOf(world.api, 'now.load'))!;
    assert.ok(time >= before && time <= world.now());
  });

  test('a thousand rows are read, and the rest are counted', async () => {
    const made = await pushSource(world.api, { stream: 'many' });
    const rows = Array.from({ length: 1_100 }, (_, i) => ({ occurred_at: FROM + i, x: i, y: -i, z: 'text' }));
    const answer = await sender.signal(made, rows);
    assert.equal([counts(answer), answer.body.data.ignored], [taken(2_000), 100]);
    assert.equal((await pointsOf(world.api, 'many.x'))!.length, 1_000);
    assert.equal((await pointsOf(world.api, 'many.y'))!.at(-1), [FROM + 999, -999]);
    assert.equal(counts(await sender.signal(made, rows)), taken(0, 2_000));
  });

  test('fields that cannot be keys are refused, and the others are taken', async () => {
    const made = await pushSource(world.api, { stream: 'odd' });
    const fields = { ['long'.repeat(60)]: 1, 'line\nbreak': 2, 'größe in %': 3, 'a.b': 4, __proto__x: 5 };
    const answer = await sender.signal(made, row(fields));
    assert.equal(counts(answer), taken(3, 0, 2));
    assert.equal(
      answer.body.data.errors.map(({ index }: Json) => index),
      [0, 0],
    );
    assert.equal(await keysOf(world.api, 'odd'), ['odd.__proto__x', 'odd.a.b', 'odd.größe in %']);
  });

  test('at the same time, rows of the same signals all arrive', async () => {
    const made = await pushSource(world.api, { stream: 'race' });
    const bodies = Array.from({ length: 25 }, (_, i) => ({ occurred_at: FROM + i, a: i, b: i }));
    const answers = await Promise.all(bodies.map(body => sender.signal(made, body)));
    for (const answer of answers) assert.equal(counts(answer), taken(2));
    assert.equal(
      await pointsOf(world.api, 'race.b'),
      bodies.map(({ occurred_at, b }) => [occurred_at, b]),
    );
  });
});
