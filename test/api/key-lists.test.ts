import * as assert from 'uvu/assert';
import { keyList } from '../../api/edge/key-list.js';
import { send, startPlatform, temporaryFolder, type Running } from '../platform.js';
import { suite } from '../suite.js';

const DAY = 86_400_000;
const START = Date.parse('2024-01-01');
const ODD = ['tokyo,jp', 'tokyo', 'jp', 'back\\slash', 'end\\', '\\,', ' blank', 'blank ', '\\ '];

/** As a caller writes a key in a list. */
const escaped = (key: string): string => key.replace(/[\\,]|^\s|\s$/g, '\\$&');
const inQuery = (keys: readonly string[]): string => encodeURIComponent(keys.map(escaped).join(','));

suite('lists of keys', test => {
  const folder = temporaryFolder();
  let api: Running;
  test.before(async () => {
    api = await startPlatform(folder.path);
    for (const [i, key] of ODD.entries()) {
      const values = Array.from({ length: 30 }, (_, day) => [START + day * DAY, Math.sin(day * (i + 1))]);
      const pushed = await send(api.base, 'POST', '/v1/signal/push', api.installed, {
        body: { key, values },
      });
      assert.is(pushed.status, 200);
      const event = { key, text: 'Later', occurred_at: new Date(Date.now() + DAY).toISOString() };
      const recorded = await send(api.base, 'POST', '/v1/event/record', api.installed, { body: event });
      assert.is(recorded.status, 200);
    }
  });
  test.after(async () => {
    await api.stop();
    folder.remove();
  });

  const get = async <A>(path: string) =>
    (await send(api.base, 'GET', path, api.installed)).json as { readonly data: A };

  test('commas separate; with a backslash they belong to the key', () => {
    assert.equal(keyList('a, b,,a'), ['a', 'b']);
    assert.equal(keyList('a\\,b,c'), ['a,b', 'c']);
    assert.equal(keyList('a\\\\,b'), ['a\\', 'b']);
    assert.equal(keyList('a\\b,c\\'), ['a\\b', 'c\\']);
    assert.equal(keyList(' , '), []);
    assert.equal(keyList('\\ a ,b\\ , c\\\\ ,\\ '), [' a', 'b ', 'c\\', ' ']);
    assert.equal(keyList(ODD.map(escaped).join()), ODD);
  });

  test('every key can be named, and no comma in one changes what a list means', async () => {
    const { data: correlated } = await get<{ keys: string[] }>(`/v1/signal/correlation?keys=${inQuery(ODD)}`);
    assert.equal(correlated.keys, ODD);
    const two = await get<{ keys: string[] }>('/v1/signal/correlation?keys=tokyo,jp');
    assert.equal(two.data.keys, ['tokyo', 'jp']);

    const overview = await get<{ series: { key: string }[]; unknown_pins: string[] }>(
      `/v1/signal/overview?pins=${inQuery(ODD)}`,
    );
    assert.equal(overview.data.unknown_pins, []);

    const upcoming = await get<{ events: { key: string }[] }>(
      `/v1/event/upcoming?streams=${inQuery(['tokyo,jp'])}`,
    );
    assert.equal(
      upcoming.data.events.map(({ key }) => key),
      ['tokyo,jp'],
    );
  });
});
