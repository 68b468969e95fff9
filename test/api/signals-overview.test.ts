import * as assert from 'uvu/assert';
import { suite } from '../suite.js';
import { at, DAY, HOUR, signalsApi, T0, type SignalsApi } from './signals-world.js';
import type { Json } from '../json.js';

const MINUTE = 60_000;
type Series = { key: string; points: [number, number][] };
/** Where a series leaps, by the place of the point. */
const SPIKES: Record<number, number> = { 1234: 500, 2222: -500 };
const FAR_SPIKES: Record<number, number> = { 31415: 77, 9000: -77 };

const keys = (series: readonly Series[]): string[] => series.map(({ key }) => key);
const hours = (count: number, value: (i: number) => number): number[] =>
  Array.from({ length: count }, (_, i) => value(i));

suite('overview of few signals', test => {
  let world: SignalsApi;
  test.before(async () => {
    world = await signalsApi();
  });
  test.after(() => world.close());

  const overview = (query = '') => world.get(`/v1/signal/overview?${query}`);

  test('nothing is an answer, too', async () =>
    assert.equal(await overview(), {
      mode: 'series',
      series: [],
      groups: [],
      event_streams: [],
      window: { from: null, to: null, step_s: null },
      truncated: false,
      unknown_pins: [],
    }));

  test('signals are shown as they are, by key, over all their time', async () => {
    await world.push('b.orders_eur', [1, 2, 3]);
    await world.push('a', [4], { from: T0 + 10 * HOUR });
    await world.post('/v1/signal/display-name', { key: 'a', name: 'A!' });
    const { series, mode, window, groups } = await overview();
    assert.equal(
      [mode, groups, window],
      ['series', [], { from: at(T0), to: at(T0 + 10 * HOUR), step_s: 180 }],
    );
    assert.equal(series, [
      { key: 'a', display_name: 'A!', unit: null, points: [[T0 + 10 * HOUR, 4]] },
      {
        key: 'b.orders_eur',
        display_name: null,
        unit: 'EUR',
        points: [
          [T0, 1],
          [T0 + HOUR, 2],
          [T0 + 2 * HOUR, 3],
        ],
      },
    ]);
  });

  test('a window may be named, in each form of time; without one the future is left out', async () => {
    await world.push('b.orders_eur', [9], { from: world.now + DAY });
    const points = async (query: string) =>
      (await overview(query)).series
        .find((each: Series) => each.key === 'b.orders_eur')
        ?.points.map(([, value]: number[]) => value);
    assert.equal(await points(''), [1, 2, 3]);
    assert.is((await overview()).window.to, at(world.now));
    assert.equal(await points(`to=${at(world.now + DAY)}`), [1, 2, 3, 9]);
    assert.equal(await points(`from=${at(T0 + HOUR)}&to=${T0 + HOUR}`), [2]);
    assert.equal(await points(`from=${(T0 + HOUR) / 1000}`), [2, 3]);
    assert.equal((await overview(`from=${at(T0 + 90 * DAY)}`)).window, {
      from: at(T0 + 90 * DAY),
      to: at(T0 + 90 * DAY),
      step_s: 1,
    });
    assert.equal((await overview(`to=${at(T0 - DAY)}`)).window, {
      from: at(T0 - DAY),
      to: at(T0 - DAY),
      step_s: 1,
    });
    await world.post('/v1/signal/delete', { keys: ['b.orders_eur'] });
    await world.push('b.orders_eur', [1, 2, 3]);
  });

  for (const query of [
    `from=${T0 + 1}&to=${T0}`,
    'from=soon',
    'to=',
    'max_points=3',
    'max_points=x',
    'as_of=2026-01-01',
    'asOf=2026-01-01',
  ])
    test(`'${query}' is refused`, async () =>
      assert.is((await world.client.get(`/v1/signal/overview?${query}`)).status, 422));

  test('long series are thinned to `max_points`, and no spike is hidden', async () => {
    const values = hours(3_000, i => SPIKES[i] ?? Math.sin(i / 9));
    await world.push('long', values, { step: MINUTE });
    for (const most of [4, 50, 200, 1_000]) {
      const points: [number, number][] = (await overview(`group=ungrouped&max_points=${most}`)).series.find(
        (each: Series) => each.key === 'long',
      ).points;
      assert.ok(points.length <= most && points.length >= most / 2, `${points.length} of ${most}`);
      assert.equal(
        [points[0], points.at(-1)],
        [
          [T0, values[0]],
          [T0 + 2_999 * MINUTE, values[2_999]],
        ],
      );
      for (const spike of [1_234, 2_222])
        assert.ok(
          points.some(([time, value]) => time === T0 + spike * MINUTE && value === values[spike]),
          `the spike at ${spike}`,
        );
      assert.ok(points.every(([time], i) => i === 0 || time > points[i - 1]![0]));
    }
    const { length } = (await overview('max_points=100000')).series.find(
      (each: Series) => each.key === 'long',
    ).points;
    assert.ok(length > 500 && length <= 1_000, `${length}`);
  });

  test('so are series of which not every point is read', async () => {
    const values = hours(40_000, i => FAR_SPIKES[i] ?? i % 10);
    await world.push('longer', values, { step: MINUTE });
    const points: [number, number][] = (await overview('pins=longer&group=none&max_points=100')).series[0]
      .points;
    assert.ok(points.length <= 100 && points.length >= 50, `${points.length}`);
    assert.equal(
      [points[0], points.at(-1)],
      [
        [T0, 0],
        [T0 + 39_999 * MINUTE, 9],
      ],
    );
    for (const spike of [31_415, 9_000])
      assert.ok(points.some(([time, value]) => time === T0 + spike * MINUTE && value === values[spike]));
    const [from, to] = [T0 + 9_000 * MINUTE, T0 + 9_500 * MINUTE];
    const part: [number, number][] = (
      await overview(`pins=longer&group=none&max_points=1000&from=${from}&to=${to}`)
    ).series[0].points;
    assert.equal(
      part,
      values.slice(9_000, 9_501).map((value, i) => [from + i * MINUTE, value]),
    );
  });

  test('pins come first and are there whatever the group; unknown ones are named', async () => {
    const { series, unknown_pins } = await overview(
      'group=b&pins=long, nothing,,b.orders_eur,mkt:lst_1:x,long',
    );
    assert.equal(
      [keys(series), unknown_pins],
      [
        ['long', 'b.orders_eur'],
        ['nothing', 'mkt:lst_1:x'],
      ],
    );
  });

  test("the rows of event streams are the list's", async () => {
    for (let i = 0; i < 5; i++) await world.record(`streams.${i}`, 'Event', T0 + i * HOUR);
    await world.record('ungrouped', 'Event', T0);
    const rows = async (query: string) =>
      (await world.get(`/v1/signal?limit=100&type=event&${query}`)).signals;
    assert.equal((await overview()).event_streams, await rows(''));
    assert.equal((await overview('group=streams')).event_streams, await rows('group=streams'));
  });

  test('nobody else sees it, pinned or not', async () => {
    const { body } = await (await world.stranger()).get<Json>('/v1/signal/overview?pins=long');
    assert.equal([body.data.series, body.data.event_streams, body.data.unknown_pins], [[], [], ['long']]);
  });
});

suite('overview of many signals', test => {
  let world: SignalsApi;
  const GROUPS = 23;
  test.before(async () => {
    world = await signalsApi();
    const points = [];
    for (let g = 0; g < GROUPS; g++)
      for (let s = 0; s < 2 + (g === 7 ? 40 : g); s++)
        for (let i = 0; i < 48; i++)
          points.push({
            key: `g${g}.s${s}`,
            value: (s + 1) * (g % 2 === 0 ? i : 47 - i),
            timestamp: T0 + i * HOUR + (g === 7 && i === 47 ? s * 1_000 : 0),
          });
    for (let i = 0; i < points.length; i += 5_000)
      await world.post('/v1/signal/push', { points: points.slice(i, i + 5_000) });
  });
  test.after(() => world.close());

  const overview = (query = '') => world.get(`/v1/signal/overview?${query}`);
  const size = (g: number) => 2 + (g === 7 ? 40 : g);

  test('the largest groups are shown, with median and band, each signal on its own scale', async () => {
    const { mode, series, groups, truncated, window } = await overview();
    assert.equal([mode, series, truncated, window.from], ['groups', [], true, at(T0)]);
    const expected = Array.from({ length: GROUPS }, (_, g) => g)
      .sort((a, b) => size(b) - size(a))
      .slice(0, 20);
    assert.equal(
      groups.map(({ group, count }: Json) => [group, count]),
      expected.map(g => [`g${g}`, size(g)]),
    );
    for (const { group, count, sampled, median, band_lower, band_upper, band, normalized } of groups) {
      assert.equal([sampled, band, normalized], [Math.min(count, 8), 'p10_p90', true]);
      assert.is(median.length, 48);
      const rises = Number(group.slice(1)) % 2 === 0;
      for (const [i, [time, value]] of (median as [number, number][]).entries()) {
        assert.is(time, T0 + i * HOUR);
        // All signals of a group go in step: on their own scales they are the same
        assert.ok(Math.abs(band_lower[i]![1] - value) < 1e-9 && Math.abs(band_upper[i]![1] - value) < 1e-9);
        if (i > 0) assert.is(value > median[i - 1]![1], rises);
      }
    }
  });

  test('pins are shown beside the groups', async () => {
    const { mode, series } = await overview('pins=g3.s1,g4.s0');
    assert.equal([mode, keys(series), series[0].points.length], ['groups', ['g3.s1', 'g4.s0'], 48]);
    const pins = Array.from({ length: 30 }, (_, i) => `g7.s${i}`);
    assert.equal(keys((await overview(`pins=${pins.join()}`)).series), pins.slice(0, 24));
  });

  test('a drill into a small group shows its signals', async () => {
    const { mode, series, groups, truncated } = await overview('group=g5');
    assert.equal(
      [mode, keys(series), groups, truncated],
      ['series', Array.from({ length: 7 }, (_, s) => `g5.s${s}`), [], false],
    );
  });

  test('a drill into a large one shows its lines, and the signals with the newest points', async () => {
    const { mode, series, groups, truncated } = await overview('group=g7');
    assert.equal([mode, truncated], ['groups', true]);
    assert.equal(
      groups.map(({ group, count, sampled }: Json) => [group, count, sampled]),
      [['g7', 42, 40]],
    );
    assert.equal(
      keys(series),
      Array.from({ length: 24 }, (_, i) => `g7.s${41 - i}`),
    );
  });

  test('groups are those that people made, too', async () => {
    await world.post('/v1/signal/groups/assign', {
      keys: Array.from({ length: 42 }, (_, s) => `g7.s${s}`),
      group: 'mine',
    });
    assert.equal(
      (await overview()).groups.slice(0, 2).map(({ group, count }: Json) => [group, count]),
      [
        ['mine', 42],
        ['g22', 24],
      ],
    );
    assert.is((await overview('group=g7')).mode, 'series');
    assert.equal((await overview('group=g7')).series, []);
  });

  test('lines have at most `max_points` points, within the window', async () => {
    const { groups, window } = await overview(`max_points=10&from=${T0 + 5 * HOUR}&to=${T0 + 40 * HOUR}`);
    assert.equal([window.from, window.to], [at(T0 + 5 * HOUR), at(T0 + 40 * HOUR)]);
    for (const { median } of groups) {
      assert.ok(median.length <= 10 && median.length >= 5, `${median.length}`);
      assert.ok(median.every(([time]: [number, number]) => time > T0 && time <= T0 + 40 * HOUR));
    }
  });
});
