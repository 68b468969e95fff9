import * as assert from 'uvu/assert';
import { projections, type ProcessRole } from '../../main.js';
import {
  create,
  csvOf,
  HOUR_S,
  hours,
  push,
  recipe,
  settled,
  sha256,
  START_S,
} from '../api/segments-world.js';
import { startPlatform, temporaryFolder, until, type Running } from '../platform.js';
import { skipped, suite } from '../suite.js';
import { differences, serversFor } from './on-servers.js';

const { MONGODB_URL } = process.env;
const name = 'segments, built in one process and read at others';

const onServers = () =>
  suite(name, test => {
    const folder = temporaryFolder();
    let end: (() => void) | undefined;
    let env: Record<string, string>;
    let [work, one, two]: Running[] = [];
    test.before(async () => {
      ({ env, end } = await serversFor(folder.path, 'segments'));
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
    const start = (running: ProcessRole[], more: Record<string, string> = {}): Promise<Running> =>
      startPlatform(folder.path, {
        env: { ...env, ...more },
        running,
        ...(work && { installed: work.installed }),
      });

    const features = [
      { name: 'mean_day', kind: 'rolling', params: { column: 'orders', window: 24, fn: 'mean' } },
    ];
    const body = recipe({ target: 'orders', features });
    let id: string;

    test('a table is read where it was not built, and is what its hash is of', async () => {
      await push(
        one!,
        'orders',
        hours(5_000, i => i % 24),
      );
      id = (await create(one!, body)).segment_id;
      const ready = await settled(two!, id, 'ready');
      assert.is(ready.row_count, 5_000);
      for (const api of [one!, two!]) assert.is(sha256((await csvOf(api, id)).text), ready.table_hash);
      const page = (await two!.call('GET', `/v1/segment/${id}/rows?offset=4095&limit=2`)).json.data.rows;
      assert.equal(
        page.map((row: Record<string, number>) => row['orders']),
        [15, 16],
        'of two blocks',
      );
    });

    test('points that come by any process make it stale; a rebuild is as a build from nothing', async () => {
      await Promise.all([
        push(one!, 'orders', [[START_S + 5_000 * HOUR_S, 7]]),
        push(two!, 'orders', [[START_S + 4_990 * HOUR_S, 9]]),
      ]);
      await settled(one!, id, 'stale', ({ changed_rows: changed }) => changed >= 11);
      assert.is((await two!.call('POST', `/v1/segment/${id}/rebuild`)).status, 202);
      const again = await settled(one!, id, 'ready', ({ row_count: rows }) => rows === 5_001);
      const other = (await create(two!, { ...body, name: 'Another' })).segment_id;
      assert.is((await settled(one!, other, 'ready')).table_hash, again.table_hash);
    });

    test('where the process that builds ends, the next one does it', async () => {
      // With no projector it would wait in vain
      const late = await start(['api'], { VISIBLE_WITHIN_MS: '500' });
      await work!.stop();
      const made = await create(late, { ...body, name: 'Meanwhile', step_s: 1_800 });
      assert.equal([made.name, made.status, made.version], ['Meanwhile', 'building', 1]);
      const other = made.segment_id;
      const rebuild = await late.call('POST', `/v1/segment/${id}/rebuild`);
      assert.equal([rebuild.status, rebuild.json.data.status], [202, 'building']);
      await late.stop();
      work = await start(['projections', 'workers']);
      const ready = await settled(two!, other, 'ready');
      assert.is(sha256((await csvOf(two!, other)).text), ready.table_hash);
      await settled(two!, id, 'ready');
      assert.equal(await differences(work.platform), []);
    });

    test('a deleted one leaves no file', async () => {
      assert.is((await one!.call('DELETE', `/v1/segment/${id}`)).status, 200);
      const { tables } = two!.platform.stores;
      await until(async () => (await tables.list(id)).length === 0, 'the tables being gone');
    });
  });

if (MONGODB_URL) onServers();
else skipped(name, 'MONGODB_URL is not set');
