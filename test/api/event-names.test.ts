import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { send } from '../platform.js';
import { suite } from '../suite.js';
import type { Answered } from './client.js';
import { fileForm } from './imports-world.js';
import { ingestionApi, type IngestionApi } from './ingestion-world.js';

const CREATE = '/v1/ingestion/connect/create-event';
const faultOf = ({ status, body }: Pick<Answered<Json>, 'status' | 'body'>) => [
  status,
  body.detail[0].loc.join('.'),
  body.detail[0].msg.split(',')[0],
];

suite('names of streams, and what else is said of an event', test => {
  let world: IngestionApi;
  test.before(async () => {
    world = await ingestionApi();
  });
  test.after(() => world.close());
  const post = (path: string, body: object) => world.client.post<Json>(path, body);
  const rule = "must not be '.' or '..'";

  for (const name of ['.', '..']) {
    test(`'${name}' can stand in no path, and nothing is recorded to it`, async () => {
      const record = await post('/v1/event/record', { key: name, text: 'x' });
      assert.equal(faultOf(record), [422, 'body.key', rule]);
      const later = { key: name, text: 'x', occurred_at: world.clock.now + 60_000 };
      assert.equal(faultOf(await post('/v1/event/record', later)), [422, 'body.key', rule]);
      const events = [
        { key: name, text: 'x' },
        { key: 'kept', text: 'x' },
      ];
      const { errors, accepted } = (await post('/v1/event/record-batch', { events })).body.data;
      assert.equal([accepted, errors[0].index, errors[0].field, errors[0].message], [1, 0, 'key', rule]);
    });

    test(`nor is it the stream of a source, of a file`, async () => {
      for (const mode of ['push', 'poll']) {
        const event_config = { stream: name, ...(mode === 'poll' && { url: 'https://example.com/x' }) };
        const made = await post(CREATE, { mode, event_config });
        assert.equal(faultOf(made), [422, 'body.event_config.stream', rule]);
      }
      const source = await world.source({ stream: 'fine' });
      const path = `/v1/ingestion/sources/${source.source_id}`;
      const changed = await world.client.patch<Json>(path, { event_config: { stream: name } });
      assert.equal(faultOf(changed), [422, 'body.event_config.stream', rule]);
      const mapping = { time: 'time', layout: 'wide', event_text: 'what', stream: name };
      const body = fileForm('time,what\n2026-03-01,x\n', { mapping });
      const { api } = world;
      const file = await send(api.base, 'POST', '/v1/ingestion/files', api.installed, { body });
      assert.equal(faultOf({ status: file.status, body: file.json }), [422, 'body.mapping.stream', rule]);
    });
  }

  test('older streams of such names can still be deleted', async () => {
    const { platform, installed } = world.api;
    const submission = { key: '..', text: 'x', occurredAt: null, details: {} };
    const { position } = await platform.areas.events.commands.record(installed.workspaceId, submission, {
      ...{ workspace: installed.workspaceId, actor: 'token:test', request: null, at: world.clock.now },
      ...{ correlation: platform.newId(), causation: null },
    });
    await platform.visible(position);
    const { data } = (await post('/v1/signal/delete', { event_streams: ['..'] })).body;
    assert.equal([data.deleted_streams, data.deleted_events], [['..'], 1]);
  });

  test('names with points in them are names', async () => {
    for (const key of ['...', '.a', 'a..', '. .']) {
      assert.is((await post('/v1/event/record', { key, text: 'x' })).status, 200);
      assert.is((await world.events(key)).length, 1);
    }
  });

  test('an origin that is none is told which there are, null among them', async () => {
    const { body } = await post('/v1/event/record', { key: 'k', text: 'x', origin: 'foo' });
    assert.is(body.detail[0].msg, 'must be one of manual, api, ingestion, null');
  });
});
