import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { temporaryFolder, until } from '../platform.js';
import { suite } from '../suite.js';
import { feedServer, poll, ran, type Feed } from './feeds.js';
import { commit, parsed } from './imports.js';
import { LOCAL } from './receivers.js';
import { counts, eventsOf, names, pointsOf, pushSource, senderTo, taken, type Sender } from './sources.js';
import { DAY, expected, openWorld, refused, type World } from './world.js';

// What comes in counts toward the streaming allowance, and is refused whole beyond it (specification 4.7.6;
// open-parts 0.3 R10, 23, 27, 32.36). Readings: a delivery that begins within the allowance may end
// beyond it.

suite('acceptance: the streaming allowance', test => {
  const tables = temporaryFolder();
  let world: World;
  let sender: Sender;
  let feed: Feed;
  let made: Json;
  const quota = async (): Promise<Json> => {
    const { data } = expected(await world.api.get<Json>('/v1/billing/quota'));
    return data.quotas.find(({ name }: Json) => name === 'streaming_rows');
  };
  test.before(async () => {
    const file = join(tables.path, 'plans.json');
    const plan = { id: 'free', name: 'Free', credits: '100', limits: { streaming_rows: 20 } };
    writeFileSync(file, JSON.stringify({ version: 'own', plans: [plan] }));
    world = await openWorld({ ...LOCAL, PLANS_FILE: file });
    sender = senderTo(world);
    feed = await feedServer();
    made = await pushSource(world.api, { stream: 'counted', id_path: 'id' });
  });
  test.after(async () => {
    feed.close();
    await world.close();
    tables.remove();
  });

  test('events and points that come in are counted', async () => {
    const items = Array.from({ length: 12 }, (_, id) => ({ id, text: `event ${id}` }));
    assert.equal(counts(await sender.events(made, items)), taken(12));
    const rows = Array.from({ length: 4 }, (_, i) => ({ occurred_at: 1_790_000_000 + i, x: i, y: i }));
    assert.equal(counts(await sender.signal(made, rows)), taken(8));
    const { used, limit } = await until(async () => {
      const found = await quota();
      return found.used >= 20 && found;
    }, 'all being counted');
    assert.equal([used, limit], [20, 20]);
  });

  test('beyond it a delivery is 429, after the signature and the JSON, and nothing is written', async () => {
    for (const kind of ['events', 'signal'] as const) {
      const answer = await until(async () => {
        const found = await sender[kind](made, { id: 'late', text: 'late', z: 1, occurred_at: 1 });
        return found.status === 429 && found;
      }, 'being refused');
      refused(answer, 429, 'quota_exceeded');
      assert.ok(Number(answer.headers['retry-after']) >= 1);
    }
    refused(await sender.events(made, '{'), 400, 'invalid_json');
    refused(await sender.events({ ...made, webhook_secret: 'wrong' }, '{}'), 401, 'invalid_signature');
    assert.is((await eventsOf(world.api, 'counted')).filter(({ name }) => name === 'late').length, 0);
    assert.is(await pointsOf(world.api, 'counted.z'), null);
  });

  test('nor does a file go in, and a poll says why it did not', async () => {
    const mapping = { time: 'time', layout: 'wide' };
    const { import_id } = await parsed(world.api, 'time,filed\n2026-03-01,1\n', { mapping });
    refused(await commit(world.api, import_id), 429, 'quota_exceeded');
    assert.is(await pointsOf(world.api, 'filed'), null);
    feed.reply(() => ({ body: [{ text: 'polled' }] }));
    const { job } = await poll(world.api, { stream: 'polled', url: feed.url });
    const run = await ran(world.api, job, 1, ['retrying', 'failed']);
    assert.is(run.error.code, 'quota_exceeded');
    assert.equal(await names(world.api, 'polled'), []);
  });

  test('another workspace has its own, and with the next month there is more', async () => {
    const other = await world.tenant();
    const theirs = await pushSource(other);
    assert.equal(counts(await sender.events(theirs, { text: 'theirs' })), taken(1));
    world.later(Date.parse((await quota()).resets_at) - world.now() + DAY);
    const answer = await until(async () => {
      const found = await sender.events(made, { id: 'late', text: 'late' });
      return found.status !== 429 && found;
    }, 'the next month');
    assert.equal(counts(answer), taken(1), 'what was refused is taken when it comes again');
  });
});
