import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { builtInRates } from '../../domain/billing/rates.js';
import { projections, type ProcessRole } from '../../main.js';
import { startPlatform, temporaryFolder, until, type Running } from '../platform.js';
import { connect } from '../realtime/client.js';
import { skipped, suite } from '../suite.js';
import { differences, serversFor } from './on-servers.js';

const { MONGODB_URL } = process.env;
const name = 'the whole platform on EventStoreDB and MongoDB';

const onServers = () =>
  suite(name, test => {
    const folder = temporaryFolder();
    let env: Record<string, string>;
    let end: (() => void) | undefined;
    test.before(async () => {
      ({ env, end } = await serversFor(folder.path, 'platform'));
    });
    test.after(() => {
      end?.();
      folder.remove();
    });
    // The first start installs; all share the servers
    let installed: Running['installed'] | undefined;
    const start = async (running?: ProcessRole[], more: Record<string, string> = {}): Promise<Running> => {
      const started = await startPlatform(folder.path, {
        env: { ...env, ...more },
        ...(installed && { installed }),
        ...(running && { running }),
      });
      installed = started.installed;
      return started;
    };
    const leads = ({ platform }: Running) =>
      until(async () => projections.every(p => platform.projectors.of(p)), 'the leases');
    const allScored = (api: Running, key: string) =>
      until(async () => {
        const { data } = (await api.call('GET', `/v1/event/streams/${key}/events`)).json;
        return data.events.every((e: { status: string }) => e.status === 'scored') && data.events;
      }, `scores of ${key}`);

    test('records, scores, reads, restarts and replays to the same documents', async () => {
      let api = await start();
      await leads(api);
      for (let i = 0; i < 20; i++) {
        const answer = await api.call('POST', '/v1/event/record', {
          body: { key: 'ports', text: `Strike closes port number ${i}`, occurred_at: 1_770_000_000 + i },
        });
        assert.is(answer.status, 200);
        assert.is(
          (await api.call('GET', `/v1/event/${answer.json.data.event_id}`)).status,
          200,
          'visible at once',
        );
      }
      const before = await allScored(api, 'ports');
      assert.is(before.length, 20);
      await api.stop();

      api = await start();
      assert.equal((await api.call('GET', '/v1/event/streams/ports/events')).json.data.events, before);
      const soon = Date.now() + 1_500;
      const { event_id } = (
        await api.call('POST', '/v1/event/record', {
          body: { key: 'soon', text: 'Strike begins', occurred_at: soon },
        })
      ).json.data;
      await until(
        async () => (await api.call('GET', `/v1/event/${event_id}`)).json.data.fired_at,
        'the scheduled event',
      );
      assert.is((await api.call('DELETE', '/v1/event/streams/soon')).json.data.deleted, 1);
      await allScored(api, 'ports');
      assert.equal(await differences(api.platform), []);
      await api.stop();
    });

    test('keeps points: pushed, revised, deleted; the same after a restart and in a replay', async () => {
      let api = await start();
      await leads(api);
      const push = async (body: object) => {
        const { status, text, json } = await api.call('POST', '/v1/signal/push', { body });
        assert.is(status, 200, text);
        return json.data as { accepted: number; revised: number; duplicates: number };
      };
      const points = async (query: string): Promise<number[][]> =>
        (await api.call('GET', `/v1/signal/points?key=shop.orders&sort_order=asc&limit=10000&${query}`)).json
          .data.points;
      const at = (i: number): number => 1_770_000_000_000 + i * 60_000;
      const values = new Map<number, number>();
      const set = (from: number, step: number, count: number, value: number): [number, number][] =>
        Array.from({ length: count }, (_, i) => {
          values.set(at(from + i * step), value + i);
          return [at(from + i * step), value + i];
        });
      const expected = () => [...values].sort(([a], [b]) => a - b);
      // Thousands of points that differ would keep `assert.equal` busy for minutes
      const same = (found: unknown, wanted: unknown) =>
        assert.ok(
          JSON.stringify(found) === JSON.stringify(wanted),
          `${JSON.stringify(found).slice(0, 500)} ...`,
        );
      // In order, then between, before and over what is there: leaves are divided at their ends and in their
      // midst
      const pushes = [
        [0, 2, 2_500, 0],
        [1, 2, 1_500, 0.5],
        [-999, 1, 999, 9],
        [100, 7, 500, -7],
        [5_000, 1, 1, 1],
      ] as const;
      for (const [from, step, count, value] of pushes) {
        await push({ key: 'shop.orders', values: set(from, step, count, value) });
        same(await points(''), expected());
      }
      same(
        await points(`from=${at(90)}&to=${at(110)}`),
        expected().filter(([time]) => time >= at(90) && time <= at(110)),
      );
      assert.is((await push({ key: 'shop.orders', values: expected().slice(0, 5_000) })).duplicates, 5_000);
      await push({
        key: 'gone',
        values: [
          [at(0), 1],
          [at(1), 1],
          [at(2), 1],
        ],
      });
      assert.is(
        (await api.call('POST', '/v1/signal/delete', { body: { keys: ['gone'] } })).json.data.deleted_points,
        3,
      );
      await push({ key: 'gone', value: 5, timestamp: at(1) });
      await push({ key: 'shop.orders', values: set(0, 1, 3, 0) });
      await api.stop();

      api = await start();
      await leads(api);
      same(await points(''), expected());
      assert.equal((await api.call('GET', '/v1/signal/points?key=gone')).json.data.points, [[at(1), 5]]);
      assert.equal(await differences(api.platform), []);
      await api.stop();
    });

    test('works with the parts in platforms of their own, one projecting, two serving', async () => {
      const work = await start(['projections', 'workers']);
      await leads(work);
      await work.platform.visible(work.installed.position);
      const [one, two] = await Promise.all([start(['api']), start(['api'])]);
      const answer = await one.call('POST', '/v1/event/record', {
        body: { key: 'split', text: 'Bridge closed after accident' },
      });
      assert.is(answer.status, 200);
      assert.is(
        (await two.call('GET', `/v1/event/${answer.json.data.event_id}`)).status,
        200,
        'visible at once, also elsewhere',
      );
      await allScored(two, 'split');
      // Many at once through both, to one signal
      const pushed = await Promise.all(
        Array.from({ length: 40 }, (_, i) =>
          (i % 2 === 0 ? one : two).call('POST', '/v1/signal/push', {
            body: { key: 'split', value: i, timestamp: 1_770_000_000 + i },
          }),
        ),
      );
      assert.equal(
        pushed.map(({ status }) => status),
        pushed.map(() => 200),
      );
      const { count, points } = (await two.call('GET', '/v1/signal/points?key=split&sort_order=asc')).json
        .data;
      assert.equal(
        [count, points.map(([, value]: [number, number]) => value)],
        [40, Array.from({ length: 40 }, (_, i) => i)],
      );
      for (const each of [one, two, work]) await each.stop();
    });

    test('who listens hears of everything, and loses what ends, at whichever process', async () => {
      const work = await start(['projections', 'workers']);
      await leads(work);
      const [one, two] = await Promise.all([start(['api']), start(['api'])]);
      const { token, workspaceId } = one.installed;
      const channel = `workspace:${workspaceId}`;
      const made = await one.call('POST', '/v1/user/api-tokens', { body: { name: 'elsewhere' } });
      const { token: other, token_id } = made.json.data;
      const clients = await Promise.all([
        connect(one.base, { token }),
        connect(two.base, { token }),
        connect(two.base, { token: other }),
      ]);
      for (const client of clients) assert.equal((await client.subscribe(channel))['subscribed'], [channel]);
      const body = { key: 'told', text: 'Bridge closed after accident' };
      const { event_id } = (await one.call('POST', '/v1/event/record', { body })).json.data;
      for (const client of clients)
        for (const event of ['event.recorded', 'event.scored'])
          await client.event(told => told.event === event && told.data['event_id'] === event_id);
      const read = await two.call('GET', `/v1/event/${event_id}`);
      assert.is(read.json.data.status, 'scored', 'what was told can be read');
      await one.call('DELETE', `/v1/user/api-tokens/${token_id}`);
      assert.equal(await clients[2]!.closed(), { code: 4401, reason: 'token_revoked' });
      await two.stop();
      assert.is((await clients[1]!.closed()).code, 1012);
      assert.ok(clients[0]!.isOpen());
      for (const each of [one, work]) await each.stop();
      assert.is((await clients[0]!.closed()).code, 1012);
    });

    test('forecasts are made by processes that serve; where one ends, another goes on', async () => {
      const listening = { SERVING_LISTEN: '127.0.0.1:0', SERVING_THREADS: '1' };
      const work = await start(['projections', 'workers']);
      await leads(work);
      const api = await start(['api']);
      const body = { blueprint_uid: 'presage__nano', replicas: { min: 2, max: 2 } };
      const asked = await api.call('POST', '/v1/deployments', { body });
      assert.equal([asked.status, asked.json.data.status], [201, 'deploying'], 'nobody serves yet');
      const id = asked.json.data.promotion_id as string;
      const servers = [await start(['serving'], listening), await start(['serving'], listening)];
      const status = async () => (await api.call('GET', `/v1/deployments/${id}/status`)).json.data;
      await until(async () => (await status()).ready, 'a forward pass through another process');
      const replicas = async () => (await api.call('GET', `/v1/deployments/${id}`)).json.data.replicas;
      await until(async () => (await replicas()).ready === 2, 'one in each');
      const { forecaster } = await api.platform.areas.deployments.served(api.installed.workspaceId, id);
      const series = [{ values: Float64Array.from({ length: 40 }, (_, i) => i % 7), period: 7 }];
      const forecast = () => forecaster.forecast(series, 6, new AbortController().signal);
      const before = await forecast();
      await servers[0]!.stop();
      assert.equal(await forecast(), before, 'the same, whoever makes it');
      await servers[1]!.stop();
      const refused = await forecast().then(
        () => null,
        (error: { code: string }) => error.code,
      );
      assert.is(refused, 'overloaded', 'nobody is left');
      for (const each of [api, work]) await each.stop();
    });

    test('two processes forecast at once: what can be paid for is answered, the rest refused', async () => {
      // A credit for a value: the 100 of a new organization are twenty forecasts of five steps
      const credits = { ...builtInRates.credits, 'inference.series_step': '1' };
      const RATES_FILE = join(folder.path, 'rates.json');
      writeFileSync(
        RATES_FILE,
        JSON.stringify({ version: 'dear', effective_from: '2026-01-01T00:00:00Z', credits }),
      );
      const more = { RATES_FILE, SERVING_THREADS: '1' };
      const one = await start(['api', 'projections', 'workers', 'serving'], more);
      await leads(one);
      const two = await start(['api', 'serving'], more);
      const model = { family: 'presage', slug: 'mini' };
      const deployed = await one.call('POST', '/v1/models/deploy-foundation', { body: model });
      const { promotion_id } = deployed.json.data;
      const ready = async (api: Running): Promise<boolean> =>
        (await api.call('GET', `/v1/deployments/${promotion_id}/status`)).json.data.ready;
      await until(async () => (await ready(one)) && (await ready(two)), 'the deployment');
      const values = Array.from({ length: 40 }, (_, i) => i % 7);
      const body = {
        promotion_id,
        horizon: 5,
        series: [{ id: 'a', start: '2026-01-01', step_s: 3_600, values }],
      };
      const answers = await Promise.all(
        Array.from({ length: 30 }, (_, i) =>
          (i % 2 ? one : two).call('POST', '/v1/inference/forecast', { body }),
        ),
      );
      const of = (wanted: number) => answers.filter(({ status }) => status === wanted).length;
      assert.equal([of(200), of(402)], [20, 10], answers.map(({ status }) => status).join());
      const balance = async () => (await one.call('GET', '/v1/billing/balance')).json.data;
      await until(async () => (await balance()).held === '0.000', 'the charges');
      assert.is((await balance()).credits, '0.000');
      const { entries, total } = (await two.call('GET', '/v1/billing/ledger?per_page=100')).json.data;
      assert.is(total, 1 + 20 * 3, 'the grant; of each forecast a hold, its release and the charge');
      assert.is(entries[0].balance_after, '0.000');
      await until(async () => (await differences(one.platform)).length === 0, 'documents as the facts say');
      for (const each of [two, one]) await each.stop();
    });
  });

if (MONGODB_URL) onServers();
else skipped(name, 'MONGODB_URL is not set');
