import { createRequire } from 'node:module';
import * as assert from 'uvu/assert';
import { startPlatform, temporaryFolder } from '../platform.js';
import { suite } from '../suite.js';

const loaded = (): string[] =>
  Object.keys(createRequire(import.meta.url).cache).filter(file =>
    /node_modules\/(prom-client|@opentelemetry)\//.test(file),
  );

suite('a platform that nobody watches', test => {
  const folder = temporaryFolder();
  test.after(() => folder.remove());

  test('loads nothing for it', async () => {
    const platform = await startPlatform(folder.path);
    assert.equal([platform.platform.metrics, platform.platform.watcher], [null, null]);
    await platform.call('POST', '/v1/event/record', { body: { key: 'news', text: 'Exports halt' } });
    await platform.stop();
    assert.equal(loaded(), []);
  });

  test('one that is watched does', async () => {
    const env = { METRICS_LISTEN: '127.0.0.1:0', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' };
    const platform = await startPlatform(`${folder.path}/watched`, { env });
    await platform.stop();
    for (const name of ['prom-client', '@opentelemetry/sdk-trace'])
      assert.ok(
        loaded().some(file => file.includes(`/${name}/`)),
        name,
      );
  });
});
