import { randomUUID } from 'node:crypto';
import aws4 from 'aws4';
import { request as send } from 'undici';
import * as assert from 'uvu/assert';
import { s3 } from '../../adapters/connectors/s3.js';
import { skipped, suite } from '../suite.js';
import { asksHere, failure, polled, polledPlatform } from './polled.js';

const url = process.env['S3_URL'];

const body = (test: Parameters<Parameters<typeof suite>[1]>[0]): void => {
  const { origin, host, username, password } = new URL(url!);
  const endpoint = origin.replace(/\/\/.*@/, '//');
  const keys = { access_key_id: username, secret_access_key: password };
  const bucket = `polled-${randomUUID()}`;
  const config = { endpoint, bucket, prefix: 'in/', ...keys };
  const connector = s3(asksHere());

  const put = async (path: string, text: string | Buffer = '', method = 'PUT') => {
    const encoded = path.split('/').map(encodeURIComponent).join('/');
    const signed = aws4.sign(
      { service: 's3', region: 'us-east-1', host, path: `/${bucket}${encoded}`, method, body: text },
      { accessKeyId: username, secretAccessKey: password },
    );
    const { statusCode, body: answer } = await send(`${endpoint}/${bucket}${encoded}`, {
      method: method as 'PUT',
      headers: signed.headers as Record<string, string>,
      body: text,
    });
    assert.ok(statusCode < 300, `${method} ${path}: ${statusCode} ${await answer.text()}`);
    await answer.dump();
  };
  const lines = (from: number, to: number): string =>
    Array.from({ length: to - from }, (_, n) =>
      JSON.stringify({ id: from + n, text: `text ${from + n}` }),
    ).join('\n');
  const ids = (items: readonly unknown[]): number[] => items.map(item => (item as { id: number }).id);

  test.before(() => put(''));

  test('objects are read in the order of their keys, and those that come later by the next run', async () => {
    await put('/in/2.ndjson', `${lines(1_500, 1_600)}\n`);
    await put('/in/1.ndjson', lines(0, 1_500));
    await put('/out/3.ndjson', lines(9_000, 9_001));
    const first = await polled(connector, config);
    assert.equal(
      ids(first.items),
      Array.from({ length: 1_600 }, (_, n) => n),
    );
    assert.equal(
      first.pages.map(({ items }) => items.length),
      [1_000, 500, 100],
    );
    const none = await polled(connector, config, { cursor: first.cursor });
    assert.equal([none.items, none.cursor], [[], first.cursor]);
    await put('/in/3 ä+%&<x>.ndjson', lines(1_600, 1_601));
    const next = await polled(connector, config, { cursor: none.cursor });
    assert.equal(ids(next.items), [1_600]);
    assert.match(JSON.stringify(next.cursor), /3 ä\+%&<x>/);
  });

  test('cut short, a run goes on in the midst of an object; one that changed is read again', async () => {
    const first = await polled(connector, config);
    const again = await polled(connector, config, { cursor: first.pages[0]!.cursor, pagesRead: 1 });
    assert.equal(ids(again.items), ids(first.items).slice(1_000));
    await put('/in/1.ndjson', lines(20_000, 20_010));
    const changed = await polled(connector, config, { cursor: first.pages[0]!.cursor, pagesRead: 1 });
    assert.equal(
      ids(changed.items).slice(0, 10),
      ids(JSON.parse(`[${lines(20_000, 20_010).replaceAll('\n', ',')}]`)),
    );
    await put('/in/3 ä+%&<x>.ndjson', lines(30_000, 30_002));
    const last = await polled(connector, config, { cursor: first.cursor });
    assert.equal(ids(last.items), [30_000, 30_001]);
  });

  test('csv, across ranges, with quotes and line ends inside', async () => {
    const rows = Array.from({ length: 60_000 }, (_, n) => `${n},"line ${n}\nand ""more"" ${'x'.repeat(60)}"`);
    await put('/csv/big.csv', `\uFEFFid,text\n${rows.join('\n')}\n`);
    const { items, pages } = await polled(connector, { ...config, prefix: 'csv/', format: 'csv' });
    assert.is(items.length, 60_000);
    assert.equal(items.at(-1), { id: '59999', text: `line 59999\nand "more" ${'x'.repeat(60)}` });
    assert.ok(pages.reduce((sum, { bytes }) => sum + bytes, 0) > 5_000_000);
  });

  test('more objects than one list names', async () => {
    for (let from = 0; from < 1_050; from += 50)
      await Promise.all(
        Array.from({ length: 50 }, (_, n) =>
          put(`/many/${String(from + n).padStart(5, '0')}`, lines(from + n, from + n + 1)),
        ),
      );
    const { items } = await polled(connector, { ...config, prefix: 'many/' }, { pagesRead: -1_000 });
    assert.equal(
      ids(items),
      Array.from({ length: 1_050 }, (_, n) => n),
    );
    const bound = await polled(connector, { ...config, prefix: 'many/' });
    assert.is(bound.pages.length, 1_000, 'the next run goes on behind');
  });

  test('its rows become points of signals, and the key is shown to nobody', async () => {
    const rows = (from: number, to: number): string =>
      Array.from({ length: to - from }, (_, n) => `${1_760_000_000 + from + n},${(from + n) / 4},north`).join(
        '\n',
      );
    await put('/rows/1.csv', `at,load,site\n${rows(0, 3)}\n`);
    const asked = { ...config, prefix: 'rows/', format: 'csv', produces: 'signals' };
    const event_config = { stream: 'grid', occurred_at_path: 'at', id_path: 'site' };
    const source = { connector_id: 's3', name: 'Rows', config: asked, event_config };
    const { world, path, run, again } = await polledPlatform(source);
    const first = await run(1);
    assert.equal([first.status, first.read, first.accepted], ['succeeded', 3, 3]);
    await put('/rows/2.csv', `at,load,site\n${rows(2, 5)}\n`);
    await again();
    const second = await run(2);
    assert.equal([second.read, second.accepted, second.duplicates], [3, 2, 1]);
    const { points } = await world.read('/v1/signal/points?key=grid.load__north');
    assert.equal(
      (points as readonly [number, number][]).map(([, value]) => value),
      [1, 0.75, 0.5, 0.25, 0],
    );
    const { text } = await world.client.get(path);
    assert.match(text, /"secret_access_key":"\*\*\*"/);
    assert.not.match(text, new RegExp(password));
    await world.close();
  });

  test('what is wrong is told, without the keys', async () => {
    const told = async (over: object) => failure(polled(connector, { ...config, ...over }));
    assert.match(
      await told({ secret_access_key: 'hunter2' }),
      /^http_status: The list of the bucket answered 403/,
    );
    assert.match(await told({ bucket: 'nowhere' }), /^http_status: .* 404/);
    assert.match(
      await told({ access_key_id: undefined, secret_access_key: undefined }),
      /^http_status: .* 40[0-9]/,
    );
    await put('/odd/a.ndjson', '{"id":1}\n{"id":');
    assert.is(await told({ prefix: 'odd/' }), 'invalid_data: odd/a.ndjson: Line 2 is not valid JSON');
    await put('/odd/a.ndjson', 'a,b\n1,2,3\n');
    assert.match(await told({ prefix: 'odd/', format: 'csv' }), /^invalid_data: odd\/a.ndjson: /);
    await put('/odd/a.ndjson', 'x'.repeat(3_000_000));
    assert.match(await told({ prefix: 'odd/' }), /^invalid_data: odd\/a.ndjson: Line 1 is longer/);
    assert.match(await told({ prefix: 'odd/', format: 'csv' }), /^invalid_data: odd\/a.ndjson: /);
  });
};

if (url) suite('an S3 server that is asked', body);
else skipped('an S3 server that is asked', 'S3_URL is not set');
