import * as assert from 'uvu/assert';
import { suite } from '../suite.js';
import { startPlatform, temporaryFolder, type Running } from '../platform.js';
import type { Json } from '../json.js';
import { eventCalls } from './event-calls.js';

const T1 = Date.UTC(2026, 1, 1);
const T2 = Date.UTC(2026, 1, 2);
const T3 = Date.UTC(2026, 1, 3);
const T4 = Date.UTC(2026, 1, 4);

suite('events that were corrected, and recorded again', test => {
  const folder = temporaryFolder();
  let api: Running;
  test.before(async () => {
    api = await startPlatform(folder.path);
  });
  test.after(async () => {
    await api.stop();
    folder.remove();
  });

  const { record, get, scored } = eventCalls(() => api);
  const text = 'Strike at the port';
  const recorded = async (body: object): Promise<Json> => (await record({ text, ...body })).json.data;
  const patch = async (id: string, body: object) => {
    const answer = await api.call('PATCH', `/v1/event/${id}`, { body });
    assert.is(answer.status, 200);
  };
  const rows = async (key: string): Promise<Json[]> =>
    (await get(`/v1/event/streams/${key}/events`)).data.events;

  test('a late retry leaves the time as it was corrected', async () => {
    const of = { key: 'retried', occurred_at: T1 };
    const { event_id } = await recorded(of);
    await scored(event_id);
    await patch(event_id, { occurred_at: T2 });
    assert.is((await recorded(of)).event_id, event_id);
    const found = await scored(event_id);
    assert.equal([found.occurred_at, found.revision], [T2, 2]);
    assert.is((await rows('retried')).length, 1);
  });

  test('nor does it undo another value or name, and what is new in a submission counts', async () => {
    const of = { key: 'valued', occurred_at: T1, value: 1, name: 'first' };
    const { event_id } = await recorded(of);
    await patch(event_id, { value: 2, name: null });
    assert.is((await recorded(of)).event_id, event_id);
    const retried = await scored(event_id);
    assert.equal([retried.value, retried.name, retried.revision], [2, text, 2]);
    await recorded({ ...of, value: 3 });
    const changed = await scored(event_id);
    assert.equal([changed.value, changed.name, changed.revision], [3, text, 3]);
  });

  test('a retry of what a correction said undoes no later one, and what is new in it counts', async () => {
    const of = { key: 'said', occurred_at: T1 };
    const { event_id } = await recorded({ ...of, value: 10 });
    const value = async () => (await get(`/v1/event/${event_id}`)).data.value;
    await patch(event_id, { value: 12 });
    await recorded({ ...of, value: 12 });
    await patch(event_id, { value: 13 });
    await recorded({ ...of, value: 12 });
    assert.is(await value(), 13);
    await recorded({ ...of, value: 13 });
    await recorded({ ...of, value: 12 });
    assert.is(await value(), 12);
    assert.is((await scored(event_id)).revision, 4);
  });

  test('what the row says now is the same row, also in a batch', async () => {
    const { event_id } = await recorded({ key: 'moved', occurred_at: T1 });
    await patch(event_id, { occurred_at: T2 });
    const again = await recorded({ key: 'moved', occurred_at: T2 });
    assert.equal([again.event_id, again.scheduled], [event_id, false]);
    const events = [T1, T2, T2].map(occurred_at => ({ key: 'moved', text, occurred_at }));
    const batch = await api.call('POST', '/v1/event/record-batch', { body: { events } });
    assert.equal(
      batch.json.data.events.map((each: Json) => each.event_id),
      [event_id, event_id, event_id],
    );
    assert.is(batch.json.data.duplicates, 3);
    await recorded({ key: 'moved', occurred_at: T2, value: 5 });
    assert.equal(
      (await rows('moved')).map(row => [row.event_id, row.occurred_at, row.value]),
      [[event_id, T2, 5]],
    );
  });

  test('where it does not stand any more another event may be recorded', async () => {
    const { event_id } = await recorded({ key: 'on', occurred_at: T1 });
    await patch(event_id, { occurred_at: T2 });
    await patch(event_id, { occurred_at: T3 });
    const other = await recorded({ key: 'on', occurred_at: T2 });
    assert.is.not(other.event_id, event_id);
    assert.is((await recorded({ key: 'on', occurred_at: T2 })).event_id, other.event_id);
    assert.is((await recorded({ key: 'on', occurred_at: T3 })).event_id, event_id);
    assert.equal(
      (await rows('on')).map(row => row.occurred_at),
      [T3, T2],
    );
  });

  test('another that came there, and went on, leaves the one that stands there meant', async () => {
    const of = { key: 'both' };
    const a = (await recorded({ ...of, occurred_at: T1 })).event_id;
    const b = (await recorded({ ...of, occurred_at: T2 })).event_id;
    await patch(a, { occurred_at: T3 });
    await patch(b, { occurred_at: T3 });
    await patch(b, { occurred_at: T2 });
    assert.is((await recorded({ ...of, occurred_at: T3 })).event_id, a);
    await patch(b, { occurred_at: T3 });
    await patch(a, { occurred_at: T4 });
    assert.is((await recorded({ ...of, occurred_at: T3 })).event_id, b);
    assert.is((await rows('both')).length, 2);
  });

  test('and where it was deleted', async () => {
    const { event_id } = await recorded({ key: 'gone', occurred_at: T1 });
    await patch(event_id, { occurred_at: T2 });
    assert.is((await api.call('DELETE', `/v1/event/${event_id}`)).status, 200);
    const next = await recorded({ key: 'gone', occurred_at: T2 });
    assert.is.not(next.event_id, event_id);
    assert.is((await rows('gone')).length, 1);
  });

  test('a correction that is refused leads nobody astray', async () => {
    const { event_id } = await recorded({ key: 'refused', occurred_at: T1 });
    const headers = { 'if-match': '"7"' };
    const answer = await api.call('PATCH', `/v1/event/${event_id}`, { body: { occurred_at: T2 }, headers });
    assert.is(answer.status, 409);
    assert.is.not((await recorded({ key: 'refused', occurred_at: T2 })).event_id, event_id);
    assert.is((await rows('refused')).length, 2);
  });
});
