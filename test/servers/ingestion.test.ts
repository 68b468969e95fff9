import * as assert from 'uvu/assert';
import { projections, type ProcessRole } from '../../main.js';
import { signatureOf, type Made } from '../api/ingestion-world.js';
import type { Json } from '../json.js';
import { startPlatform, temporaryFolder, until, type Running } from '../platform.js';
import { skipped, suite } from '../suite.js';
import { differences, serversFor } from './on-servers.js';

const { MONGODB_URL } = process.env;
const name = 'webhook sources, delivered to at several processes';
const FROM = 1_770_000_000_000;

const onServers = () =>
  suite(name, test => {
    const folder = temporaryFolder();
    let end: (() => void) | undefined;
    let env: Record<string, string>;
    let [work, one, two]: Running[] = [];
    test.before(async () => {
      ({ env, end } = await serversFor(folder.path, 'ingestion', { VISIBLE_WITHIN_MS: '60000' }));
      work = await start(['projections', 'workers']);
      const { platform } = work;
      await until(async () => projections.every(p => platform.projectors.of(p)), 'the leases');
      [one, two] = await Promise.all([start(['api']), start(['api'])]);
    });
    test.after(async () => {
      for (const each of [one, two, work]) await each?.stop();
      end?.();
      folder.remove();
    });
    const start = (running: ProcessRole[]): Promise<Running> =>
      startPlatform(folder.path, { env, running, ...(work && { installed: work.installed }) });
    const made = async (event_config: object): Promise<Made> => {
      const body = { mode: 'push', event_config };
      const { status, text, json } = await one!.call('POST', '/v1/ingestion/connect/create-event', { body });
      assert.is(status, 200, text);
      return json.data;
    };
    const deliver = async (
      { base }: Running,
      { source_id: id, webhook_secret: secret }: Made,
      sent: unknown,
      kind = 'events',
    ): Promise<{ status: number; json: Json }> => {
      const body = JSON.stringify(sent);
      const headers = { 'x-signature': signatureOf(secret, body) };
      const path = `/v1/ingestion/webhooks/${id}/${kind}`;
      const response = await fetch(base + path, { method: 'POST', headers, body });
      return { status: response.status, json: (await response.json()) as Json };
    };

    test('the same items at both at once come in once, and are there when they are answered', async () => {
      const source = await made({ stream: 'raced', id_path: 'id' });
      const items = Array.from({ length: 10 }, (_, id) => ({
        ...{ id, text: `Item ${id}`, occurred_at: FROM + id },
      }));
      const sending = Array.from({ length: 6 }, (_, n) => deliver([one!, two!][n % 2]!, source, items));
      const answers = await Promise.all(sending);
      let accepted = 0;
      for (const { status, json } of answers) {
        assert.is(status, 200, JSON.stringify(json));
        assert.is(json.data.accepted + json.data.duplicates, items.length);
        accepted += json.data.accepted;
      }
      assert.is(accepted, items.length);
      const { data } = (await two!.call('GET', '/v1/event/streams/raced/events')).json;
      assert.is(data.events.length, items.length);
      const rows = items.map(({ id, occurred_at }) => ({ id: 'a', occurred_at, load: id }));
      const pushed = await Promise.all([one!, two!].map(each => deliver(each, source, rows, 'signal')));
      assert.equal(
        pushed.map(({ json }) => json.data.accepted).sort((a, b) => a - b),
        [0, items.length],
      );
      const points = await one!.call('GET', '/v1/signal/points?key=raced.load__a&sort_order=asc');
      assert.is(points.status, 200, points.text);
      assert.equal(
        points.json.data.points,
        items.map(({ id, occurred_at }) => [occurred_at, id]),
      );
    });

    test('what one process changes about a source, the other knows at once', async () => {
      const source = await made({ stream: 'kept', id_path: 'id' });
      const path = `/v1/ingestion/sources/${source.source_id}`;
      assert.is((await deliver(two!, source, { id: 1, text: 'First' })).status, 200);
      const rotated = await one!.call('POST', `${path}/rotate-secret`, { body: { grace_seconds: 0 } });
      const now = { ...source, webhook_secret: rotated.json.data.webhook_secret as string };
      assert.is((await deliver(two!, source, { id: 2, text: 'Second' })).status, 401);
      assert.is((await deliver(two!, now, { id: 2, text: 'Second' })).status, 200);
      await one!.call('POST', `${path}/pause`, { body: {} });
      assert.is((await deliver(two!, now, { id: 3, text: 'Third' })).json.error.code, 'source_paused');
      await two!.call('POST', `${path}/resume`, { body: {} });
      const third = await deliver(one!, now, { id: 3, text: 'Third' });
      assert.is(third.status, 200);
      const replay = `${path}/deliveries/${third.json.data.delivery_id}/replay`;
      // Bodies are written down a moment later
      const again = await until(async () => {
        const answer = await two!.call('POST', replay, { body: {} });
        return answer.status === 200 && answer.json;
      }, 'the body');
      assert.equal([again.data.accepted, again.data.duplicates], [0, 1]);
      await one!.call('DELETE', path);
      assert.is((await deliver(two!, now, { id: 4, text: 'Fourth' })).json.error.code, 'source_not_found');
    });

    test('one that fails again and again is marked, and all is as a replay makes it', async () => {
      const source = await made({ stream: 'failing' });
      const path = `/v1/ingestion/sources/${source.source_id}`;
      const body = '{"broken';
      const headers = { 'x-signature': signatureOf(source.webhook_secret, body) };
      for (let n = 0; n < 20; n++) {
        const { base } = [one!, two!][n % 2]!;
        const url = `${base}/v1/ingestion/webhooks/${source.source_id}`;
        assert.is((await fetch(url, { method: 'POST', headers, body })).status, 400);
      }
      const status = async () => (await two!.call('GET', path)).json.data.status as string;
      await until(async () => (await status()) === 'failing', 'it to be failing');
      assert.is((await deliver(one!, source, { text: 'Better' })).status, 200);
      await until(async () => (await status()) === 'active', 'it to be active again');
      const { platform } = work!;
      await until(async () => (await one!.call('GET', '/ready')).json.scoring_backlog === 0, 'all scores');
      assert.equal(await differences(platform), []);
    });
  });

if (MONGODB_URL) onServers();
else skipped(name, 'MONGODB_URL is not set');
