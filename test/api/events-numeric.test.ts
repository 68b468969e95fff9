import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { send, until } from '../platform.js';
import { suite } from '../suite.js';
import { fileForm, uploadedForm } from './imports-world.js';
import { ingestionApi, type IngestionApi } from './ingestion-world.js';

const FILES = '/v1/ingestion/files';

suite('a text that is a number is the value of its event', test => {
  let world: IngestionApi;
  test.before(async () => {
    world = await ingestionApi();
  });
  test.after(() => world.close());
  const record = async (body: object): Promise<Json> => {
    const { data } = (await world.client.post<Json>('/v1/event/record', body)).body;
    return (await world.client.get<Json>(`/v1/event/${data.event_id}`)).body.data;
  };
  const values = async (stream: string) =>
    (await world.events(stream)).map(({ text, value, status }) => [text, value, status]);

  test('where it is recorded', async () => {
    const found = await record({ key: 'one', text: '500' });
    assert.equal([found.value, found.status, found.scores.rank], [500, 'scored', 0]);
    assert.is((await record({ key: 'one', text: ' -1.5e3 ' })).value, -1500);
    const events = ['18.5', '-0'].map((text, i) => ({ key: 'many', text, occurred_at: 1_700_000_000 + i }));
    await world.client.post<Json>('/v1/event/record-batch', { events });
    assert.equal(await values('many'), [
      ['18.5', 18.5, 'scored'],
      ['-0', 0, 'scored'],
    ]);
  });

  test('unless a value is given, or it is more than one number', async () => {
    assert.is((await record({ key: 'other', text: '500', value: 3 })).value, 3);
    for (const text of ['1,234', '$5', '2026-03-01', '17 18', '1e999'])
      assert.is((await record({ key: 'other', text })).value, null, text);
    assert.is((await record({ key: 'other', text: 'five', data_type: 'number' })).value, null);
  });

  test('and where it is taken back it stays so', async () => {
    const body = { key: 'back', text: '7', occurred_at: 1_700_000_000 };
    const { event_id } = await record(body);
    await world.client.patch<Json>(`/v1/event/${event_id}`, { value: null });
    const again = await record(body);
    assert.equal([again.event_id, again.value], [event_id, null]);
  });

  test('where it is delivered, with an id and without', async () => {
    const made = await world.source({ stream: 'sent', text_path: 't', id_path: 'id' });
    await world.deliver(made, [
      { t: 17, occurred_at: 1_700_000_000 },
      { t: '18.5', id: 1, occurred_at: 1_700_000_001 },
    ]);
    assert.equal(await values('sent'), [
      ['17', 17, 'scored'],
      ['18.5', 18.5, 'scored'],
    ]);
  });

  test('where it stands in a file, as numbers of the file are written', async () => {
    const imported = async (content: string, stream: string, more: object = {}) => {
      const mapping = { time: 'time', layout: 'long', event_text: 'amount', stream, ...more };
      const { api } = world;
      const id = await uploadedForm(api.base, api.installed, fileForm(content, { mapping }));
      const becomes = (status: string) =>
        until(async () => (await world.read(`${FILES}/${id}`)).status === status, `${id} being ${status}`);
      await becomes('parsed');
      const answer = await send(api.base, 'POST', `${FILES}/${id}/commit`, api.installed, { body: {} });
      assert.is(answer.status, 202, answer.text);
      await becomes('committed');
    };
    await imported('time,amount\n2026-03-01,17\n2026-03-02,18.5\n2026-03-03,none\n', 'amounts');
    assert.equal(
      (await values('amounts')).map(([text, value]) => [text, value]),
      [
        ['17', 17],
        ['18.5', 18.5],
        ['none', null],
      ],
    );
    await imported('time;amount\n2026-03-01;17,5\n2026-03-02;1.234\n', 'comma');
    assert.equal(
      (await values('comma')).map(([, value]) => value),
      [17.5, 1234],
    );
    const worth = 'time,amount,worth\n2026-03-01,17,4\n2026-03-02,18,\n';
    await imported(worth, 'worth', { value: 'worth' });
    assert.equal(
      (await values('worth')).map(([, value]) => value),
      [4, 18],
    );
  });
});
