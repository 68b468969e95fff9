import * as assert from 'uvu/assert';
import { suite } from '../suite.js';
import { at, DAY, HOUR, signalsApi, T0, type SignalsApi } from './signals-world.js';

const keys = (rows: readonly { key: string }[]): string[] => rows.map(({ key }) => key);

suite('the list of signals and event streams', test => {
  let world: SignalsApi;
  test.before(async () => {
    world = await signalsApi();
    await world.push('shop.orders_eur', [5, 7, 6, 8]);
    await world.push('shop.orders_eur__berlin', [1, 2], { step: DAY });
    await world.push('plant.temp', [20, 21, 22], { from: T0 + 10 * HOUR, unit: 'degC' });
    await world.push('日本/売上', [1]);
    await world.record('outages', 'Storm cuts power to 40,000 homes', T0 + HOUR, {
      value: 3,
      origin: 'manual',
    });
    await world.record('outages', 'Power is back', T0 + 2 * HOUR);
    await world.record('outages', 'Maintenance', world.now + DAY);
    await world.record('shop.strikes', 'Strike at the warehouse', T0 + 20 * HOUR);
  });
  test.after(() => world.close());

  const list = async (query = '') => (await world.get(`/v1/signal?${query}`)).signals;
  const row = async (key: string) =>
    (await list(`search=${key}`)).find((each: { key: string }) => each.key === key);

  test("a signal's row has every field", async () =>
    assert.equal(await row('shop.orders_eur'), {
      key: 'shop.orders_eur',
      type: 'signal',
      display_name: null,
      unit: 'EUR',
      group: 'shop',
      origin: 'api',
      base: null,
      entity: null,
      count: 4,
      first_at: at(T0),
      last_at: at(T0 + 3 * HOUR),
      last_value: 8,
      cadence_s: 3_600,
      gaps: 0,
      stale: true,
      spark: [5, 7, 6, 8],
      in_use_by: { goals: 0, segments: 0 },
      edges: null,
    }));

  test("fan-out keys say what they are made of; a unit is the source's before the key's", async () => {
    const { base, entity, unit, cadence_s, count } = await row('shop.orders_eur__berlin');
    assert.equal(
      { base, entity, unit, cadence_s, count },
      { base: 'shop.orders_eur', entity: 'berlin', unit: 'EUR', cadence_s: 86_400, count: 2 },
    );
    assert.is((await row('plant.temp')).unit, 'degC');
    const { group, unit: none, cadence_s: one } = await row('日本/売上');
    assert.equal([group, none, one], ['ungrouped', null, null]);
  });

  test("an event stream's row has the same and the summary of the stream", async () => {
    const { streams } = await world.get('/v1/event/streams?points=none');
    const { points: _, ...summary } = streams.find((each: { key: string }) => each.key === 'outages');
    assert.equal(await row('outages'), {
      ...summary,
      type: 'event',
      display_name: null,
      unit: null,
      group: 'ungrouped',
      origin: 'manual',
      base: null,
      entity: null,
      count: 3,
      first_at: at(T0 + HOUR),
      last_at: at(world.now + DAY),
      last_value: null,
      cadence_s: 3_600,
      gaps: 0,
      stale: true,
      spark: [0, 0],
      in_use_by: { goals: 0, segments: 0 },
      edges: null,
    });
    assert.is(summary.scheduled_count, 1);
    assert.is(summary.next_scheduled_at, world.now + DAY);
  });

  test('gaps and staleness are measured in cadences', async () => {
    await world.push('fresh', [1, 1, 1, 1, 1], { from: world.now - 7 * HOUR });
    await world.push('fresh', [1], { from: world.now });
    const { gaps, stale, cadence_s } = await row('fresh');
    assert.equal({ gaps, stale, cadence_s }, { gaps: 1, stale: false, cadence_s: 3_600 });
    await world.post('/v1/signal/delete', { keys: ['fresh'] });
  });

  test('the spark has at most 50 numbers, of the newest points', async () => {
    await world.push(
      'long',
      Array.from({ length: 3_000 }, (_, i) => i),
    );
    const { spark, count, cadence_s } = await row('long');
    assert.equal([spark.length, count, cadence_s], [50, 3_000, 3_600]);
    assert.ok(spark[0] > 2_400 && spark.at(-1) <= 2_999);
    await world.post('/v1/signal/delete', { keys: ['long'] });
  });

  const orders: [string, string[]][] = [
    [
      '',
      ['outages', 'shop.orders_eur__berlin', 'shop.strikes', 'plant.temp', 'shop.orders_eur', '日本/売上'],
    ],
    [
      'sort_by=last_at&sort_order=asc',
      ['日本/売上', 'shop.orders_eur', 'plant.temp', 'shop.strikes', 'shop.orders_eur__berlin', 'outages'],
    ],
    [
      'sort_by=key&sort_order=asc',
      ['outages', 'plant.temp', 'shop.orders_eur', 'shop.orders_eur__berlin', 'shop.strikes', '日本/売上'],
    ],
    [
      'sort_by=key',
      ['日本/売上', 'shop.strikes', 'shop.orders_eur__berlin', 'shop.orders_eur', 'plant.temp', 'outages'],
    ],
    [
      'sort_by=count',
      ['shop.orders_eur', 'plant.temp', 'outages', 'shop.orders_eur__berlin', '日本/売上', 'shop.strikes'],
    ],
  ];
  for (const [query, expected] of orders)
    test(`in the order of '${query}', whatever the pages`, async () => {
      assert.equal(keys(await list(query)), expected);
      for (const limit of [1, 2, 4]) {
        const seen: string[] = [];
        for (let offset = 0, more = true; more; offset += limit) {
          const page = await world.get(`/v1/signal?${query}&limit=${limit}&offset=${offset}`);
          seen.push(...keys(page.signals));
          assert.equal([page.total, page.limit, page.offset], [6, limit, offset]);
          more = page.has_more;
        }
        assert.equal(seen, expected, `pages of ${limit}`);
      }
      assert.equal(await list(`${query}&offset=100`), []);
    });

  const filters: [string, string[]][] = [
    ['search=ORDERS', ['shop.orders_eur', 'shop.orders_eur__berlin']],
    ['search=売', ['日本/売上']],
    ['search=nothing', []],
    [
      'search=',
      ['outages', 'plant.temp', 'shop.orders_eur', 'shop.orders_eur__berlin', 'shop.strikes', '日本/売上'],
    ],
    ['group=shop', ['shop.orders_eur', 'shop.orders_eur__berlin', 'shop.strikes']],
    ['group=none', []],
    ['type=event', ['outages', 'shop.strikes']],
    ['type=signal&group=shop', ['shop.orders_eur', 'shop.orders_eur__berlin']],
    ['origin=manual', ['outages']],
    ['origin=api&type=signal&group=plant', ['plant.temp']],
    ['origin=marketplace', []],
    ['origin=derived', []],
    ['search=shop&group=shop&type=event&origin=api', ['shop.strikes']],
  ];
  for (const [query, expected] of filters)
    test(`only those of '${query}'`, async () => {
      const { signals, total } = await world.get(`/v1/signal?${query}&sort_by=key&sort_order=asc`);
      assert.equal([keys(signals), total], [expected, expected.length]);
    });

  test('display names are searched, too', async () => {
    await world.post('/v1/signal/display-name', { key: 'plant.temp', name: 'Kesseltemperatur Süd' });
    assert.equal(keys(await list('search=SÜD')), ['plant.temp']);
    await world.post('/v1/signal/display-name', { key: 'plant.temp', name: '' });
  });

  for (const query of [
    'limit=0',
    'limit=x',
    'offset=-1',
    'sort_by=unit',
    'sort_order=up',
    'type=stream',
    'origin=mars',
    'as_of=soon',
    'as_of=2099-01-01',
    'as_of=2026-01-01&type=event',
  ])
    test(`'${query}' is refused`, async () =>
      assert.is((await world.client.get(`/v1/signal?${query}`)).status, 422));

  test('more than 100 rows is taken as 100', async () =>
    assert.is((await world.get('/v1/signal?limit=1000')).limit, 100));

  test('another workspace sees nothing', async () => {
    const stranger = await world.stranger();
    for (const query of ['', '?search=shop', '?group=shop', '?type=event']) {
      assert.equal((await stranger.get(`/v1/signal${query}`)).body.data, {
        signals: [],
        total: 0,
        limit: 20,
        offset: 0,
        has_more: false,
      });
    }
    const foreign = world.client.as({ token: world.api.installed.token, workspace: 'wsp_other' });
    assert.is((await foreign.get('/v1/signal')).status, 403);
  });
});
