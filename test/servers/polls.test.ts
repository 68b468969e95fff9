import * as assert from 'uvu/assert';
import { polledServer } from '../api/polled-server.js';
import type { Json } from '../json.js';
import { startPlatform, temporaryFolder, until, type Running } from '../platform.js';
import { skipped, suite } from '../suite.js';
import { differences, serversFor } from './on-servers.js';

const { MONGODB_URL } = process.env;
const name = 'polls by processes that share EventStoreDB and MongoDB';
const PAGES = 4;

const onServers = () =>
  suite(name, test => {
    const folder = temporaryFolder();
    let end: (() => void) | undefined;
    test.after(() => {
      end?.();
      folder.remove();
    });

    test('one of them asks; when it ends another goes on behind its last page', async () => {
      const own = await serversFor(folder.path, 'polls', { OUTGOING_ALLOW: '127.0.0.1' });
      const { env } = own;
      ({ end } = own);
      let isSilent = true;
      const server = await polledServer((response, url) => {
        const page = Number(url.searchParams.get('after') ?? 0);
        if (isSilent && page === 2) return;
        const items = [{ id: page, text: `page ${page}`, occurred_at: 1_760_000_000 + page }];
        response.end(JSON.stringify({ items, next: page + 1 < PAGES ? page + 1 : null }));
      });
      const first = await startPlatform(folder.path, { env });
      const { installed } = first;
      const event_config = {
        ...{ url: server.url, stream: 'shared', array_path: 'items', id_path: 'id', timeout_seconds: 60 },
        ...{ cursor_path: 'next', cursor_param: 'after' },
      };
      const body = { mode: 'poll', event_config };
      const made = await first.call('POST', '/v1/ingestion/connect/create-event', { body });
      assert.is(made.status, 200, made.text);
      const [job] = made.json.data.job_ids;
      await until(async () => server.asked.length === 3, 'the page that is not answered');

      const second = await startPlatform(folder.path, { env, installed });
      const run = async (at: Running): Promise<Json> =>
        (await at.call('GET', `/v1/ingestion/executions?job_id=${job}`)).json.data.executions[0];
      const { status, read, cursor_after } = await until(async () => {
        const seen = await run(second);
        return seen?.read === 2 && seen;
      }, 'two pages, as the other shows them');
      assert.equal([status, read, cursor_after], ['running', 2, 2]);
      assert.is(server.asked.length, 3, 'nobody asks beside it');
      isSilent = false;
      await first.stop();
      const ended = await until(async () => {
        const seen = await run(second);
        return seen.status === 'succeeded' && seen;
      }, 'the end of the run');
      assert.equal([ended.attempt, ended.read, ended.accepted, ended.duplicates], [1, PAGES, PAGES, 0]);
      assert.equal(
        server.asked.map(({ url }) => url),
        ['/items', '/items?after=1', '/items?after=2', '/items?after=2', '/items?after=3'],
      );
      await until(async () => {
        const { data } = (await second.call('GET', '/v1/event/streams/shared/events')).json;
        return data.events.length === PAGES;
      }, 'the events, as the other shows them');
      assert.equal(await differences(second.platform), []);
      await second.stop();
      await server.close();
    });
  });

if (MONGODB_URL) onServers();
else skipped(name, 'MONGODB_URL is not set');
