import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { fileOf } from '../../commands/ingestion/imports.js';
import { FileMissing } from '../../commands/ports/file-store.js';
import type { Json } from '../json.js';
import { send, temporaryFolder, until } from '../platform.js';
import { suite } from '../suite.js';
import { fileForm, uploadedBy, uploadedForm } from './imports-world.js';
import { ingestionApi, type IngestionApi } from './ingestion-world.js';

const FILES = '/v1/ingestion/files';
type Login = Parameters<typeof send>[3];

suite('files beyond what the plan allows, and files of nobody', test => {
  const folder = temporaryFolder();
  let world: IngestionApi;
  test.before(async () => {
    const plan = { id: 'small', name: 'Small', credits: '100', limits: { streaming_rows: 60_000 } };
    const file = join(folder.path, 'plans.json');
    writeFileSync(file, JSON.stringify({ version: 'a', plans: [plan] }));
    const env = { PLANS_FILE: file, RATE_UPLOAD: '1000000', RATE_DEFAULT: '1000000' };
    world = await ingestionApi({ env: { ...env, DEFAULT_PLAN: 'small' } });
  });
  test.after(async () => {
    await world.close();
    folder.remove();
  });
  const rows = (name: string, count: number): string =>
    [`time,${name}`, ...Array.from({ length: count }, (_, i) => `${1_700_000_000 + i},${i}`)].join('\n');
  const becomes = (login: Login, id: string, ...statuses: string[]): Promise<Json> =>
    until(
      async () => {
        const { json } = await send(world.api.base, 'GET', `${FILES}/${id}`, login);
        return statuses.includes(json.data.status) && json.data;
      },
      `${id} being ${statuses.join(' or ')}`,
    );
  const begun = async (login: Login, content: string): Promise<string> => {
    const id = await uploadedForm(world.api.base, login, fileForm(content));
    await becomes(login, id, 'parsed');
    const { status, text } = await send(world.api.base, 'POST', `${FILES}/${id}/commit`, login);
    assert.is(status, 202, text);
    return id;
  };

  test('a large file ends where the plan allows no more, and keeps what was taken in', async () => {
    const mine = world.api.installed;
    const ended = await becomes(
      mine,
      await begun(mine, rows('large', 150_000)),
      'partial',
      'failed',
      'committed',
    );
    assert.equal(
      [ended.status, ended.error.code, ended.accepted, ended.read],
      ['partial', 'quota_exceeded', 60_000, 60_000],
    );
    const id = await uploadedBy(world.api.base, mine);
    await becomes(mine, id, 'parsed');
    const late = await send(world.api.base, 'POST', `${FILES}/${id}/commit`, mine);
    assert.equal([late.status, late.json.error.code], [429, 'quota_exceeded']);
  });

  test('a file that no import has goes, also one of an import that was never written down', async () => {
    const mine = world.api.installed;
    const id = await uploadedBy(world.api.base, mine);
    const { files } = world.api.platform.stores;
    const orphan = join(folder.path, 'orphan');
    const old = new Date(Date.now() - 2 * 86_400_000);
    const nobodys = fileOf(mine.workspaceId, 'imp_nobodys');
    writeFileSync(orphan, 'x');
    utimesSync(orphan, old, old);
    await files.put(nobodys, orphan);
    const kept = fileOf(mine.workspaceId, id);
    await files.use(kept, async path => utimesSync(path, old, old));
    assert.equal((await files.older(86_400_000)).sort(), [kept, nobodys].sort());
    await world.restart();
    const left = () => world.api.platform.stores.files.older(86_400_000);
    await until(async () => (await left()).length === 1, 'the file to go');
    assert.equal(await left(), [kept]);
    const gone = await files.use(nobodys, async () => null).catch((error: unknown) => error);
    assert.instance(gone, FileMissing);
  });
});
