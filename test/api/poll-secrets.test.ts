import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { suite } from '../suite.js';
import { ingestionApi, type IngestionApi } from './ingestion-world.js';

const auth = { type: 'bearer', token: 'hunter2' };

suite('secrets of sources that are asked', test => {
  let world: IngestionApi;
  test.before(async () => {
    world = await ingestionApi({ running: ['api', 'projections'], env: { OUTGOING_ALLOW: '127.0.0.1' } });
  });
  test.after(() => world.close());

  const made = async (connector_id: string, config: object): Promise<string> => {
    const answer = await world.client.post<Json>('/v1/ingestion/sources', { connector_id, config });
    assert.is(answer.status, 201, answer.text);
    return answer.body.data.source_id;
  };
  const change = (source: string, config: object) =>
    world.client.patch<Json>(`/v1/ingestion/sources/${source}`, { config });
  const refused = async (source: string, config: object, member: readonly string[]) => {
    const { status, body } = await change(source, config);
    assert.is(status, 422);
    const [fault] = body.detail;
    assert.equal(fault.loc, ['body', 'config', ...member]);
    assert.match(fault.msg, /^must be given again/);
  };

  test('are not sent to another address that somebody names later', async () => {
    const url = 'http://127.0.0.1:9/items';
    const elsewhere = { url: 'http://127.0.0.1:10/items' };
    const source = await made('rest_poll', { url, auth, headers: { 'x-key': 'sesame' } });
    await refused(source, elsewhere, ['auth', 'token']);
    await refused(source, { ...elsewhere, auth: { type: 'bearer', token: '***' } }, ['auth', 'token']);
    await refused(source, { ...elsewhere, auth }, ['headers', 'x-key']);
    const path = await change(source, { url: 'http://127.0.0.1:9/others' });
    assert.is(path.status, 200, 'the same address');
    const anew = await change(source, { ...elsewhere, auth, headers: { 'x-key': 'open' } });
    assert.is(anew.status, 200, anew.text);
    const none = await change(source, { url, auth: { type: 'none' }, headers: {} });
    assert.is(none.status, 200, none.text);
  });

  test('of a database and of a bucket neither', async () => {
    const place = { host: '127.0.0.1', database: 'd', user: 'u', query: 'SELECT 1', ssl: 'disable' };
    const database = await made('postgres', { ...place, password: 'hunter2' });
    await refused(database, { port: 5_433 }, ['password']);
    assert.is((await change(database, { query: 'SELECT 2' })).status, 200);
    assert.is((await change(database, { port: 5_433, password: 'other' })).status, 200);
    const sure = await made('postgres', { ...place, ssl: 'verify-full', password: 'hunter2' });
    for (const less of [{ ssl: 'require' }, { ssl: 'disable' }, { ca: 'another' }])
      await refused(sure, less, ['password']);
    assert.is((await change(sure, { ssl: 'require', password: 'other' })).status, 200);
    await refused(sure, { ssl: 'disable', password: '***' }, ['password']);
    assert.is((await change(sure, { ssl: 'verify-full', ca: 'another' })).status, 200, 'more sure');
    await refused(sure, { ca: 'a third' }, ['password']);
    const keys = { access_key_id: 'id', secret_access_key: 'hunter2' };
    const bucket = await made('s3', { bucket: 'b', endpoint: 'http://127.0.0.1:9', ...keys });
    await refused(bucket, { endpoint: 'http://127.0.0.1:10' }, ['secret_access_key']);
  });
});
