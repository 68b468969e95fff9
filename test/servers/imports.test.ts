import { randomBytes } from 'node:crypto';
import * as assert from 'uvu/assert';
import { projections, type ProcessRole } from '../../main.js';
import { fileForm, uploadedForm } from '../api/imports-world.js';
import type { Json } from '../json.js';
import { startPlatform, temporaryFolder, until, type Running } from '../platform.js';
import { skipped, suite } from '../suite.js';
import { differences, serversFor } from './on-servers.js';

const { MONGODB_URL } = process.env;
const name = 'files that one process receives and others take in';
const FILES = '/v1/ingestion/files';
const ROWS = 30_000;

const onServers = () =>
  suite(name, test => {
    const folders: ReturnType<typeof temporaryFolder>[] = [];
    let end: (() => void) | undefined;
    let env: Record<string, string>;
    let [work, api]: Running[] = [];
    test.before(async () => {
      const first = temporaryFolder();
      folders.push(first);
      ({ env, end } = await serversFor(first.path, 'imports', {
        SECRET_KEY: randomBytes(32).toString('base64'),
        VISIBLE_WITHIN_MS: '60000',
      }));
      work = await start(['projections', 'workers']);
      api = await start(['api']);
    });
    test.after(async () => {
      for (const each of [api, work]) await each?.stop();
      end?.();
      for (const each of folders) each.remove();
    });
    /** Each has a folder of its own, as on machines of their own. */
    const start = async (running: ProcessRole[]): Promise<Running> => {
      const folder = temporaryFolder();
      folders.push(folder);
      const begun = await startPlatform(folder.path, {
        ...{ env, running },
        ...(work && { installed: work.installed }),
      });
      if (running.includes('projections'))
        await until(async () => projections.every(p => begun.platform.projectors.of(p)), 'the leases');
      return begun;
    };
    const shown = async (id: string): Promise<Json> => (await api!.call('GET', `${FILES}/${id}`)).json.data;
    const becomes = (id: string, ...statuses: string[]): Promise<Json> =>
      until(
        async () => {
          const found = await shown(id);
          return statuses.includes(found.status) && found;
        },
        `${id} being ${statuses.join(' or ')}`,
      );

    test('what one began another goes on with, and all of it is there once', async () => {
      const lines = Array.from({ length: ROWS }, (_, i) => `${1_700_000_000 + i * 60},${i},${-i}`);
      const form = fileForm(['time,up,down', ...lines].join('\n'));
      const id = await uploadedForm(api!.base, api!.installed, form);
      await becomes(id, 'parsed');
      assert.is((await api!.call('POST', `${FILES}/${id}/preview`, { body: {} })).status, 200);
      const { status, text } = await api!.call('POST', `${FILES}/${id}/commit`);
      assert.is(status, 202, text);
      await until(async () => (await shown(id)).read > 0, 'some rows');
      await work!.stop();
      work = await start(['projections', 'workers']);
      const ended = await becomes(id, 'committed', 'partial', 'failed');
      assert.equal(
        [ended.status, ended.read, ended.accepted + ended.duplicates],
        ['committed', ROWS, 2 * ROWS],
      );
      for (const [key, last] of [
        ['up', ROWS - 1],
        ['down', 1 - ROWS],
      ] as const) {
        // Read models may be some batches behind it
        await until(async () => {
          const { json } = await api!.call('GET', `/v1/signal?type=signal&search=${key}`);
          const [signal] = json.data.signals as Json[];
          return signal?.count === ROWS && signal.last_value === last;
        }, `all points of ${key}`);
      }
    });

    test('documents are as a replay makes them', async () => {
      assert.equal(await differences(work!.platform), []);
    });
  });

if (MONGODB_URL) onServers();
else skipped(name, 'no MONGODB_URL');
