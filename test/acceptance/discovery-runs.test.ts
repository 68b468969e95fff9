import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { suite } from '../suite.js';
import {
  discover,
  discovered,
  edges,
  ended,
  INCIDENT,
  noise,
  occasions,
  record,
  run,
  runs,
  summary,
} from './discovery.js';
import { activated, active, body, goal, HOUR, hours, made, move, openGoals, path, upToNow } from './goals.js';
import { expected, places, refused, type World } from './world.js';

// Runs of a discovery: of noise nothing is found, one is called off, what is asked wrongly is refused
// (open-parts 0.1, 13.3, 15, 29.4, 32.29). Readings: a run that is over is not cancelled (409 invalid_state);
// a run that found nothing is completed; the list's newest run comes first.

suite('acceptance: runs of discoveries', test => {
  let world: World;
  let id = '';
  const LENGTH = 900;
  /** Seeds of what has, as chance will have it, least to do with the demand. */
  const SIGNALS = { 'noise.a': 46, 'noise.b': 42, 'noise.c': 53, 'noise.d': 66 };
  const STREAMS = { 'quiet.a': 56, 'quiet.b': 187 };
  test.before(async () => {
    world = await openGoals({ RATE_HEAVY: '10000' });
    const from = await upToNow(world, 'demand', hours(LENGTH));
    for (const [key, seed] of Object.entries(SIGNALS)) await upToNow(world, key, noise(LENGTH, seed));
    for (const [key, seed] of Object.entries(STREAMS)) {
      const times = occasions(LENGTH, seed).map(hour => from + hour * HOUR);
      await record(world.api, key, INCIDENT, times);
    }
    id = await active(world.api, body('demand', { horizon: 6 }));
  });
  test.after(() => world.close());

  test('skipped at the activation, there is none', async () => {
    assert.equal([await runs(world.api, id), await edges(world.api, id)], [[], []]);
  });

  test('where nothing drives a goal nothing is found, and it goes on being served', async () => {
    const other = await made(world.api, body('demand', { horizon: 6, name: 'Of noise' }));
    await activated(world.api, other, {});
    const [first] = await runs(world.api, other);
    assert.is(first!.status, 'completed');
    assert.is((await run(world.api, other, first!.discovery_id)).tested >= 4, true);
    const inForce = (await edges(world.api, other)).filter(({ status }) => status === 'validated');
    assert.equal(inForce, []);
    const found = await goal(world.api, other);
    assert.equal([found.status, found.edges.validated], ['active', 0]);
    for (const key of Object.keys(STREAMS)) assert.is((await summary(world.api, key)).edges, null);
  });

  test('one is asked for, and says where to look for it', async () => {
    const { status, data } = expected(
      await discover(world.api, id, { signals: ['noise.a'], event_streams: ['quiet.a'], alpha: 0.01 }),
      202,
    );
    assert.equal([status, data.status], ['queued', 'queued']);
    assert.is(data.poll_url, path(id, `/discovery/${data.discovery_id}`));
    const found = await ended(world.api, id, data.discovery_id);
    assert.equal([found.status, found.tested], ['completed', 2]);
    assert.is(found.multiple_testing.alpha, 0.01);
    assert.ok(found.rejected >= 0 && found.found + found.rejected <= 2);
    assert.is((await goal(world.api, id)).status, 'active');
  });

  test('under one Idempotency-Key it runs once', async () => {
    const before = (await runs(world.api, id)).length;
    const ask = () => discover(world.api, id, { signals: ['noise.b'] }, { 'idempotency-key': 'look-once' });
    const [one, two] = [expected(await ask(), 202), expected(await ask(), 202)];
    assert.equal(two, one);
    await ended(world.api, id, one.data.discovery_id);
    const all = await runs(world.api, id);
    assert.is(all.length, before + 1);
    assert.is(all[0]!.discovery_id, one.data.discovery_id, 'the newest first');
  });

  test('called off it is cancelled, unless it was over before', async () => {
    const { data } = expected(await discover(world.api, id), 202);
    const cancel = () => world.api.post<Json>(path(id, `/discovery/${data.discovery_id}/cancel`), {});
    const answer = await cancel();
    const { status } = await ended(world.api, id, data.discovery_id);
    if (answer.status === 409) {
      refused(answer, 409, 'invalid_state');
      assert.is(status, 'completed');
    } else {
      assert.ok(answer.status >= 200 && answer.status < 300, answer.text);
      assert.is(status, 'cancelled');
    }
    refused(await cancel(), 409, 'invalid_state');
    refused(await world.api.post<Json>(path(id, '/discovery/dsc_nobodys/cancel'), {}), 404, 'not_found');
  });

  test('what is asked wrongly is refused by name, and nothing runs', async () => {
    const before = (await runs(world.api, id)).length;
    const wrong = async (of: object, place: string) => {
      const found = places(await discover(world.api, id, of));
      assert.ok(
        found.some(each => each.startsWith(place)),
        `${JSON.stringify(of)}: ${found} instead of ${place}`,
      );
    };
    for (const alpha of [-0.1, 1.5, 'low']) await wrong({ alpha }, 'body.alpha');
    for (const max_lag_s of [-1, 1.5, 'a day']) await wrong({ max_lag_s }, 'body.max_lag_s');
    for (const method of ['magic', 7]) await wrong({ method }, 'body.method');
    await wrong({ signals: 7 }, 'body.signals');
    await wrong({ signals: [7] }, 'body.signals');
    await wrong({ event_streams: 7 }, 'body.event_streams');
    await wrong({ signals: ['nobody.pushed'] }, 'body.signals');
    await wrong({ event_streams: ['nobody.recorded'] }, 'body.event_streams');
    assert.is((await runs(world.api, id)).length, before);
  });

  test('of a goal that is archived, or is not there, nothing is looked for', async () => {
    const gone = await made(world.api, body('demand'));
    expected(await move(world.api, gone, 'archive'));
    refused(await discover(world.api, gone), 409, 'invalid_state');
    for (const each of ['/discovery', '/edges', '/discovery/dsc_nobodys', '/edges/edg_nobodys'])
      refused(await world.api.get<Json>(path('goa_nobodys', each)), 404, 'not_found');
    refused(await discover(world.api, 'goa_nobodys'), 404, 'not_found');
  });

  test('a misspelt as_of is refused on edges', async () => {
    assert.equal(places(await world.api.get<Json>(path(id, '/edges?asof=2026-01-01T00:00:00Z'))), [
      'query.asof',
    ]);
  });

  test('a run that a restart breaks is over some time after it', async () => {
    const { data } = expected(await discover(world.api, id), 202);
    await world.restart();
    const found = await ended(world.api, id, data.discovery_id);
    assert.is(found.status, 'completed');
    const again = await discovered(world.api, id, { signals: ['noise.c'] });
    assert.is(again.status, 'completed');
  });
});
