import * as assert from 'uvu/assert';
import { send, startPlatform, temporaryFolder, until, type Running } from '../platform.js';
import { suite } from '../suite.js';
import { fileForm, uploadedBy, uploadedForm } from './imports-world.js';

suite('files of very many names', test => {
  const folder = temporaryFolder();
  let api: Running;
  test.before(async () => {
    api = await startPlatform(folder.path);
  });
  test.after(async () => {
    await api.stop();
    folder.remove();
  });

  test('whose mapping is too large to be kept are refused, and others are read', async () => {
    const names = Array.from({ length: 9_000 }, (_, i) => `${'n'.repeat(80)}${i}`);
    const content = `time,${names.join(',')}\n2026-03-01,${names.map(() => '1').join(',')}\n`;
    const [large, small] = [
      await uploadedForm(api.base, api.installed, fileForm(content)),
      await uploadedBy(api.base, api.installed),
    ];
    const looked = (id: string) =>
      until(async () => {
        const { json } = await send(api.base, 'GET', `/v1/ingestion/files/${id}`, api.installed);
        return json.data.status !== 'uploaded' && json.data;
      }, 'a look at the file');
    assert.is((await looked(small)).status, 'parsed');
    const { status, error } = await looked(large);
    assert.equal([status, error.code], ['failed', 'too_many_names']);
  });
});
