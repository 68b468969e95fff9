import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { suite } from '../suite.js';
import { daily } from './series.js';
import { at, DAY, expected, openWorld, places, push, type World } from './world.js';

// Signals as of a past moment (open-parts 29.1): what was recorded by then, and nothing that came later.

const HOUR = 3_600_000;
const FROM = Date.UTC(2026, 0, 1);

suite('acceptance: signals as of a past moment', test => {
  let world: World;
  const values = daily(120);
  /** Moments between what was recorded. */
  const moments: string[] = [];
  const moment = () => {
    world.later(HOUR);
    moments.push(at(world.now()));
    world.later(HOUR);
  };
  test.before(async () => {
    world = await openWorld();
    moment();
    await push(world.api, 'orders', values.slice(0, 100), { from: FROM });
    moment();
    await push(world.api, 'orders', [5_000], { from: FROM + 99 * DAY });
    moment();
    await push(world.api, 'orders', values.slice(100), { from: FROM + 100 * DAY });
    await push(world.api, 'orders', [700], { from: FROM - DAY });
    moment();
  });
  test.after(() => world.close());

  const points = async (query: string) => {
    const path = `/v1/signal/points?key=orders&sort_order=asc&limit=1000${query}`;
    const answer = await world.api.get<Json>(path);
    return { answer, data: expected(answer).data };
  };
  const times = (list: readonly number[], from = FROM) => list.map((value, i) => [from + i * DAY, value]);

  test('points are those that were recorded by then, with the values of then', async () => {
    const first = await points(`&as_of=${moments[1]}`);
    assert.equal(first.data.points, times(values.slice(0, 100)));
    assert.is(first.data.as_of, moments[1]);
    assert.is(first.answer.headers['x-as-of'], moments[1]);
    const revised = (await points(`&as_of=${moments[2]}`)).data.points;
    assert.equal(revised, times([...values.slice(0, 99), 5_000]));
    const all = (await points(`&as_of=${moments[3]}`)).data.points;
    assert.equal(all, (await points('')).data.points);
    assert.is(all.length, 121);
  });

  test('pages, spans and the newest first are of then, too', async () => {
    const { data } = await points(`&as_of=${moments[1]}&from=${at(FROM + 90 * DAY)}`);
    assert.equal(data.points, times(values.slice(90, 100), FROM + 90 * DAY));
    const newest = `/v1/signal/points?key=orders&limit=30&as_of=${moments[1]}`;
    const found: Json[] = [];
    for (let next = ''; ; ) {
      const page = expected(await world.api.get<Json>(newest + next)).data;
      found.push(...page.points);
      if (!page.has_more) break;
      next = `&cursor=${page.next_cursor}`;
    }
    assert.equal(found, times(values.slice(0, 100)).reverse());
  });

  test('a past moment stays as it was, whatever comes later', async () => {
    const before = (await points(`&as_of=${moments[2]}`)).data.points;
    world.later(HOUR);
    await push(world.api, 'orders', [1, 2, 3], { from: FROM + 10 * DAY });
    assert.equal((await points(`&as_of=${moments[2]}`)).data.points, before);
  });

  test('a misspelt as_of, or one that is no time, is refused and never passed over', async () => {
    for (const name of ['asof', 'as-of', 'asOf', 'vintage', 'vintage_date'])
      for (const path of ['/v1/signal/points?key=orders&', '/v1/signal?', '/v1/signal/overview?'])
        assert.equal(places(await world.api.get<Json>(`${path}${name}=${moments[1]}`)), [`query.${name}`]);
    for (const wrong of ['yesterday', '2026-13-01T00:00:00Z', ''])
      assert.equal(places(await world.api.get<Json>(`/v1/signal/points?key=orders&as_of=${wrong}`)), [
        'query.as_of',
      ]);
  });
});
