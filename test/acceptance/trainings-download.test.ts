import { InferenceSession, Tensor } from 'onnxruntime-node';
import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { suite } from '../suite.js';
import { passengers } from './series.js';
import { airline, completed, custom, fetched, hashOf, openTraining, queued, trained } from './training.js';
import { expected, refused, type World } from './world.js';

// The file of a training, behind a link that is good for an hour and asks for no credential (specification
// 4.6, 8; open-parts 10, 32.24).

suite('acceptance: what a training made', test => {
  let world: World;
  let segment_id = '';
  let model = '';
  let record: Json;
  const link = async (id: string): Promise<Json> =>
    expected(await world.api.get<Json>(`/v1/training/${id}/download`)).data;
  test.before(async () => {
    world = await openTraining();
    ({ segment_id } = await airline(world.api));
    model = await custom(world.api, 'ridge');
    record = await trained(world.api, { segment_id, model, horizon: 12, seed: 3 });
  });
  test.after(() => world.close());

  test('the link leads to the very bytes, without a credential', async () => {
    const found = await link(record.training_id);
    assert.is(found.expires_in_seconds, 3_600);
    assert.is(found.format, record.artifact.format);
    assert.ok(['onnx', 'xgboost_json'].includes(found.format), found.format);
    assert.type(found.filename, 'string');
    assert.match(found.filename, found.format === 'onnx' ? /\.onnx$/ : /\.json$/);
    assert.ok(found.download_url.startsWith(world.running.base), found.download_url);
    assert.is(found.download_url.includes(world.running.installed.token), false);
    const { status, bytes, headers } = await fetched(found.download_url);
    assert.is(status, 200, String(bytes));
    assert.is(bytes.length, record.artifact.size_bytes);
    assert.is(hashOf(bytes), record.artifact.sha256);
    assert.match(headers.get('content-disposition') ?? '', found.filename);
    assert.match(headers.get('x-content-type-options')!, 'nosniff');
  });

  test('the file is what it says that it is', async () => {
    const { download_url, format } = await link(record.training_id);
    const { bytes } = await fetched(download_url);
    if (format === 'xgboost_json') {
      assert.ok(JSON.parse(String(bytes)).learner);
      return;
    }
    const session = await InferenceSession.create(bytes);
    assert.ok(session.inputNames.length > 0 && session.outputNames.length > 0);
    if (session.inputNames.length > 1) return;
    const [input] = session.inputNames as [string];
    const history = passengers.slice(-120);
    const answer = await session
      .run({ [input]: new Tensor('float32', Float32Array.from(history), [1, history.length]) })
      .catch(() => null);
    if (answer) assert.ok([...Object.values(answer)[0]!.data].every(value => Number.isFinite(Number(value))));
  });

  test('a link that was changed is 401', async () => {
    const { download_url } = await link(record.training_id);
    const [path, query] = download_url.split('?') as [string, string];
    for (const [name, value] of new URLSearchParams(query)) {
      const changed = new URLSearchParams(query);
      const digit = value.at(-1) === '1' ? '2' : '1';
      changed.set(name, value.slice(0, -1) + digit);
      const { status, bytes } = await fetched(`${path}?${changed}`);
      assert.ok([401, 404, 410].includes(status), `${name}: ${status} ${bytes}`);
      if (status === 401) assert.is(JSON.parse(String(bytes)).error.code, 'invalid_signature');
    }
    const another = await trained(world.api, { segment_id, model, horizon: 12, seed: 4 });
    const other = await link(another.training_id);
    const swapped = `${other.download_url.split('?')[0]}?${query}`;
    if (swapped !== download_url) assert.ok([401, 404].includes((await fetched(swapped)).status));
    assert.is((await fetched(path)).status >= 400, true, 'without its signature it is no link');
  });

  test('a link may be used again within the hour, and not beyond it', async () => {
    const { download_url } = await link(record.training_id);
    assert.is((await fetched(download_url)).status, 200);
    world.later(3_590_000);
    assert.is((await fetched(download_url)).status, 200);
    world.later(11_000);
    const { status, bytes } = await fetched(download_url);
    assert.is(status, 410);
    assert.is(JSON.parse(String(bytes)).error.code, 'download_expired');
    const again = await link(record.training_id);
    assert.is((await fetched(again.download_url)).status, 200, 'another link is to be had');
  });

  test('the link is good after a restart', async () => {
    const { pathname, search } = new URL((await link(record.training_id)).download_url);
    await world.restart();
    const { status, bytes } = await fetched(world.running.base + pathname + search);
    assert.is(status, 200, String(bytes));
    assert.is(hashOf(bytes), record.artifact.sha256);
  });

  test('what is not completed has nothing to download', async () => {
    const ids = await Promise.all(
      Array.from({ length: 6 }, () => queued(world.api, { segment_id, model, horizon: 12 })),
    );
    const answer = await world.api.get<Json>(`/v1/training/${ids.at(-1)}/download`);
    refused(answer, 409, 'training_not_completed');
    for (const id of ids) await completed(world.api, id);
    expected(await world.api.get<Json>(`/v1/training/${ids.at(-1)}/download`));
  });
});

suite('acceptance: addresses of downloads', test => {
  let world: World;
  test.before(async () => {
    world = await openTraining({ PUBLIC_URL: 'https://presage.example.org' });
  });
  test.after(() => world.close());

  test('they begin with the public address where there is one', async () => {
    const { segment_id } = await airline(world.api);
    const model = await custom(world.api, 'ridge');
    const { training_id } = await trained(world.api, { segment_id, model, horizon: 12 });
    const { data } = expected(await world.api.get<Json>(`/v1/training/${training_id}/download`));
    assert.match(data.download_url, /^https:\/\/presage\.example\.org\//);
    const { pathname, search } = new URL(data.download_url);
    assert.is((await fetched(world.running.base + pathname + search)).status, 200);
  });
});
