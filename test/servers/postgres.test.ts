import { once } from 'node:events';
import { createServer } from 'node:net';
import pg from 'pg';
import * as assert from 'uvu/assert';
import { heldBytes } from '../../adapters/connectors/held-bytes.js';
import { postgres } from '../../adapters/connectors/postgres.js';
import { faultOf } from '../../commands/ingestion/faults.js';
import { skipped, suite } from '../suite.js';
import { asksHere, failure, polled, polledPlatform } from './polled.js';

const url = process.env['POSTGRES_URL'];

const body = (test: Parameters<Parameters<typeof suite>[1]>[0]): void => {
  const { hostname, port, username, password, pathname, searchParams } = new URL(url!);
  const config = {
    ...{ host: hostname, port: Number(port), database: pathname.slice(1), user: username, password },
    ssl: 'disable',
  };
  const connector = postgres(asksHere(), heldBytes());
  const owner = new pg.Client({ connectionString: url!.split('?')[0]!, ssl: false });
  const poll = (query: string, over: object = {}, ...more: [object?]) =>
    polled(connector, { ...config, query, ...over }, ...more);

  test.before(async () => {
    await owner.connect();
    await owner.query('DROP TABLE IF EXISTS news; DROP TABLE IF EXISTS empty');
    await owner.query('CREATE TABLE empty (id int)');
    await owner.query(
      'CREATE TABLE news (id bigserial PRIMARY KEY, at timestamptz, text text, price numeric)',
    );
    await owner.query(
      `INSERT INTO news (at, text, price)
       SELECT timestamptz '2026-01-01' + (n / 10) * interval '1 second', 'text ' || n, n / 8.0
       FROM generate_series(1, 2500) AS n`,
    );
  });
  test.after(() => owner.end());

  test('everything comes in pages, in the order of the column', async () => {
    const { pages, items, cursor } = await poll('SELECT * FROM news', { cursor_column: 'id' });
    assert.equal(
      pages.map(page => page.items.length),
      [1000, 1000, 500],
    );
    assert.equal(
      pages.map(page => page.isLast),
      [false, false, true],
    );
    assert.equal(items[0], { id: 1, at: '2026-01-01 00:00:00+00', text: 'text 1', price: 0.125 });
    assert.is(new Set(items.map(item => (item as { id: number }).id)).size, 2500);
    assert.is(cursor, '2500');
    assert.ok(pages.every(({ bytes }) => bytes > 10_000));
  });

  test('a run goes on at the value that was read last, whose rows come again, and none is lost', async () => {
    const column = { cursor_column: 'at' };
    const query = 'SELECT id, at, text FROM news -- all of it';
    const first = await poll(query, column);
    assert.is(first.cursor, '2026-01-01 00:04:10+00');
    await owner.query(`INSERT INTO news (at, text) VALUES ('2026-01-01 00:04:10Z', 'late'), (NULL, 'never')`);
    const next = await poll(query, column, { cursor: first.cursor });
    assert.equal(next.items.map(item => (item as { text: string }).text).sort(), ['late', 'text 2500']);
    await owner.query(`DELETE FROM news WHERE text IN ('late', 'never')`);
    const middle = await poll(query, column, { cursor: first.pages[0]!.cursor, pagesRead: 1 });
    const seen = new Set(
      [...first.pages[0]!.items, ...middle.items].map(item => (item as { id: number }).id),
    );
    assert.is(seen.size, 2500);
  });

  test('values come as JSON has them, and as text where a number would lie', async () => {
    const { items } = await poll(
      `SELECT 9007199254740993 AS big, 12.5::numeric AS n, true AS yes, NULL AS none,
       '{"a":[1]}'::jsonb AS doc,
       0.1::float8 + 0.2 AS float, 'NaN'::float8 AS nan, date '2026-02-03' AS day;`,
    );
    assert.equal(items, [
      {
        ...{ big: '9007199254740993', n: 12.5, yes: true, none: null, doc: { a: [1] } },
        ...{ float: 0.1 + 0.2, nan: 'NaN', day: '2026-02-03' },
      },
    ]);
    const none = await poll('SELECT * FROM empty', { cursor_column: 'id' }, { cursor: '7' });
    assert.equal([none.items, none.cursor], [[], '7']);
  });

  test('nothing can be written, and a second statement is none', async () => {
    assert.match(
      await failure(poll(`WITH gone AS (DELETE FROM news RETURNING id) SELECT * FROM gone`)),
      /^query_failed: /,
    );
    assert.match(await failure(poll(`SELECT nextval('news_id_seq')`)), /read-only transaction/);
    for (const query of ['SELECT 1) AS x; DROP TABLE news; --', 'DROP TABLE news', 'SELECT 1; SELECT 2'])
      assert.match(await failure(poll(query)), /^query_failed: syntax error/);
    const out =
      'SELECT 1) AS x; COMMIT; DELETE FROM news; COMMIT; BEGIN; '
      + 'DECLARE polled CURSOR FOR SELECT * FROM (SELECT 2 AS a';
    assert.match(await failure(poll(out)), /^query_failed: cannot insert multiple commands/);
    assert.is((await owner.query('SELECT count(*)::int AS n FROM news')).rows[0].n, 2500);
  });

  test('what fails is told, without the password', async () => {
    assert.match(await failure(poll('SELECT * FROM nowhere')), /^query_failed: relation "nowhere" .*42P01/);
    assert.match(await failure(poll('SELECT pg_sleep(60)', { timeout_seconds: 1 })), /timeout/);
    const wrong = await failure(poll('SELECT 1', { password: 'hunter2' }));
    assert.match(wrong, /^query_failed: password authentication failed/);
    assert.not.match(wrong, /hunter2/);
    process.env['PGPASSWORD'] = password;
    const { password: _, ...without } = config;
    const bare = await failure(polled(connector, { ...without, query: 'SELECT 1' }));

    assert.ok(bare !== 'nothing failed');
    delete process.env['PGPASSWORD'];
  });

  test('what goes into facts has bounds, and what is not reached is told without its address', async () => {
    const long = poll(`SELECT repeat('x', 2001) AS id`, { cursor_column: 'id' });
    assert.match(await failure(long), /^invalid_data: A value of the cursor_column has more than 2000/);
    assert.is((await poll(`SELECT repeat('x', 2000) AS id`, { cursor_column: 'id' })).items.length, 1);
    const said = await failure(poll(`SELECT repeat('x', 5000)::int AS id`));
    assert.match(said, /^query_failed: invalid input syntax/);
    assert.ok(said.length < 1_100);
    const closed = createServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const { port: nobody } = closed.address() as { port: number };
    closed.close();
    await once(closed, 'close');
    const error: unknown = await poll('SELECT 1', { port: nobody }).catch((thrown: unknown) => thrown);
    const message = 'The address could not be reached, or did not answer in order';
    assert.equal(faultOf(error), { code: 'unreachable', message });
  });

  test('TLS: a certificate must be right where it is looked at', async () => {
    if (!searchParams.has('tls')) return;
    const secure = {
      ...config,
      host: 'localhost',
      query: 'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()',
    };
    assert.equal((await polled(connector, { ...secure, ssl: 'require' })).items, [{ ssl: true }]);
    assert.match(
      await failure(polled(connector, { ...secure, ssl: 'verify-full' })),
      /^unreachable: self-signed/,
    );
    const ca = searchParams.get('tls')!;
    assert.equal((await polled(connector, { ...secure, ssl: 'verify-full', ca })).items, [{ ssl: true }]);
    const other = { ...secure, host: 'other.test', ssl: 'verify-full', ca };
    assert.match(await failure(polled(connector, other)), /^unreachable: Hostname/);
  });

  test('its rows become events, each once, and the password is shown to nobody', async () => {
    await owner.query('CREATE TABLE IF NOT EXISTS told (id int PRIMARY KEY, at timestamptz, text text)');
    await owner.query('TRUNCATE told');
    const insert = (id: number) =>
      owner.query(
        `INSERT INTO told VALUES ($1::int, timestamptz '2026-01-01' + $1::int * interval '1 hour', $2)`,
        [...[id, `told ${id}`]],
      );
    await insert(1);
    await insert(2);
    const asked = { ...config, query: 'SELECT * FROM told', cursor_column: 'id' };
    const event_config = { stream: 'told', id_path: 'id', occurred_at_path: 'at' };
    const source = { connector_id: 'postgres', name: 'Told', config: asked, event_config };
    const { world, path, run, again } = await polledPlatform(source);
    const first = await run(1);
    assert.equal([first.status, first.read, first.accepted, first.cursor_after], ['succeeded', 2, 2, '2']);
    await insert(3);
    await again();
    const second = await run(2);
    assert.equal([second.read, second.accepted, second.duplicates], [2, 1, 1]);
    const events = await world.events('told');
    assert.equal(
      events.map(({ text, occurred_at }) => [text, new Date(occurred_at).toISOString()]),
      [1, 2, 3].map(n => [`told ${n}`, `2026-01-01T0${n}:00:00.000Z`]),
    );
    await world.client.patch(path, { config: { password: 'hunter2' } });
    await again();
    const { status, error } = await run(3);
    assert.equal([status, error.code], ['retrying', 'query_failed']);
    const { text } = await world.client.get(path);
    assert.match(text, /"password":"\*\*\*"/);
    assert.not.match(text + JSON.stringify(error), new RegExp(`hunter2|${password}`));
    await world.close();
  });

  test('rows too large to come a thousand at once come fewer at once, each of them', async () => {
    const query = `SELECT n, repeat('x', CASE WHEN n > 1500 AND n < 1560 THEN 1000000 ELSE 10 END) AS text
      FROM generate_series(1, 3000) AS n`;
    const all = Array.from({ length: 3_000 }, (_, i) => i + 1);
    for (const over of [{ cursor_column: 'n' }, {}]) {
      const { items, pages } = await poll(query, over);
      const seen = new Map(items.map(item => [(item as { n: number }).n, (item as { text: string }).text]));
      assert.equal(
        [...seen.keys()].sort((a, b) => a - b),
        all,
      );
      assert.is(seen.get(1_550)!.length, 1_000_000);
      assert.ok(pages.every(({ bytes }) => bytes < 20 * 1_048_576));
      assert.equal(
        pages.map(({ isLast }) => isLast),
        pages.map((_, i) => i === pages.length - 1),
      );
    }
  });

  test('a server that says too much, or nothing, is left', async () => {
    const query = `SELECT repeat('x', 30000000) AS text FROM generate_series(1, 2)`;
    assert.match(await failure(poll(query)), /^too_large: /);
    const silent = createServer(() => undefined).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port: of } = silent.address() as { port: number };
    assert.match(await failure(poll('SELECT 1', { port: of, timeout_seconds: 1 })), /^timed_out: timeout/);
    silent.close();
    const ending = new AbortController();
    const slow = failure(poll('SELECT pg_sleep(60)', {}, { signal: ending.signal }));
    const asked = `SELECT 1 FROM pg_stat_activity WHERE application_name = 'presage' AND state = 'active'`;
    while ((await owner.query(asked)).rows.length === 0);
    ending.abort();

    assert.match(await slow, /^unreachable: /);
  });
};

if (url) suite('a PostgreSQL server that is asked', body);
else skipped('a PostgreSQL server that is asked', 'POSTGRES_URL is not set');
