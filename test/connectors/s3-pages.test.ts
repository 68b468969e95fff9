import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import * as assert from 'uvu/assert';
import { s3 } from '../../adapters/connectors/s3.js';
import { asksHere, polled } from '../servers/polled.js';
import { suite } from '../suite.js';

const MB = 1_048_576;
const records = Array.from({ length: 40 }, (_, id) => ({ id, text: 'x'.repeat(200_000) }));
const objects = {
  ndjson: Buffer.from(records.map(record => JSON.stringify(record)).join('\n')),
  csv: Buffer.from(`id,text\n${records.map(({ id, text }) => `${id},${text}`).join('\n')}\n`),
};
type Format = keyof typeof objects;

/** A bucket for each format, with one object `large` in it, as S3 gives it. */
const bucket = (): Server =>
  createServer(({ url = '', headers }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://x');
    const object = objects[pathname.split('/')[1] as Format];
    const contents = `<Contents><Key>large</Key><ETag>"e"</ETag><Size>${object.length}</Size></Contents>`;
    if (!pathname.endsWith('/large')) {
      const isBehind = (searchParams.get('start-after') ?? '') >= 'large';
      response.end(`<ListBucketResult>${isBehind ? '' : contents}</ListBucketResult>`);
      return;
    }
    const [from, to] = /(\d+)-(\d+)/
      .exec(headers.range ?? '')!
      .slice(1)
      .map(Number);
    response.writeHead(206).end(object.subarray(from, to! + 1));
  });

suite('pages of a bucket with long records', test => {
  const server = bucket();
  test.before(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  test.after(() => {
    server.close();
  });
  const idsOf = (items: readonly unknown[]) => items.map(item => Number((item as { id: unknown }).id));

  for (const format of ['ndjson', 'csv'] as const)
    test(`${format}: they end by the bytes read, and a run goes on behind any of them`, async () => {
      const { port } = server.address() as { port: number };
      const config = { endpoint: `http://127.0.0.1:${port}`, bucket: format, format };
      const all = await polled(s3(asksHere()), config);
      const ids = records.map(({ id }) => id);
      assert.equal(idsOf(all.items), ids);
      // As much may be read ahead as a page holds
      for (const { items } of all.pages) assert.ok(JSON.stringify(items).length < 3 * MB);
      const { cursor } = all.pages[1]!;
      const rest = await polled(s3(asksHere()), config, { cursor, pagesRead: 2 });
      const before = all.pages[0]!.items.length + all.pages[1]!.items.length;
      assert.equal(idsOf(rest.items), ids.slice(before));
    });
});
