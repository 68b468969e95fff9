import * as assert from 'uvu/assert';
import { suite } from '../suite.js';
import { startPlatform, temporaryFolder, type Running } from '../platform.js';
import { eventCalls } from './event-calls.js';

const HOUR = 3_600_000;

suite('events over HTTP', test => {
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

  test('a text is recorded, visible at once and scored in the background', async () => {
    const answer = await record({
      key: 'outages',
      text: 'Explosion at refinery kills 12 workers',
      occurred_at: '2026-03-01T12:00:00Z',
    });
    assert.is(answer.status, 200);
    const { event_id } = answer.json.data;
    assert.equal(answer.json.data, { event_id, stream: 'outages', status: 'pending', scheduled: false });
    const { data } = await get(`/v1/event/${event_id}`);
    assert.is(data.key, 'outages');
    assert.is(data.deleted_at, null);
    const { scores, score_version } = await scored(event_id);
    assert.is(scores.sentiment, 'negative');
    assert.ok(scores.rank > 0 && scores.polarity < 0 && scores.importance > 0.5);
    assert.match(score_version, /^es-/);
  });

  const refused: [string, object | string, number, string, string][] = [
    ['no key', { text: 'x' }, 400, 'event_key_required', "Event stream ('key') is required"],
    ['a blank key', { key: ' ', text: 'x' }, 400, 'event_key_required', "Event stream ('key') is required"],
    ['no text', { key: 'k' }, 400, 'event_text_required', "Event 'text' is required"],
    ['an empty text', { key: 'k', text: '' }, 400, 'event_text_required', "Event 'text' is required"],
    [
      'more than 400 days ahead',
      { key: 'k', text: 'x', occurred_at: Date.now() + 401 * 24 * HOUR },
      400,
      'occurred_at_too_far',
      'Scheduled events can be at most 400 days in the future',
    ],
    [
      'a subscribed stream',
      { key: 'mkt-evt:x', text: 'x' },
      403,
      'stream_read_only',
      "Event stream 'mkt-evt:x' is a subscribed one and read-only",
    ],
    [
      'a stream called like a subscribed signal',
      { key: 'mkt:x', text: 'x' },
      403,
      'stream_read_only',
      "Event stream 'mkt:x' has a reserved name and is read-only",
    ],
    [
      'no time',
      { key: 'k', text: 'x', occurred_at: 'soon' },
      422,
      'validation_error',
      '1 field is not valid',
    ],
    ['a key that is a number', { key: 7, text: 'x' }, 422, 'validation_error', '1 field is not valid'],
    [
      'a control character in a key',
      { key: 'a\u0000b', text: 'x' },
      422,
      'validation_error',
      '1 field is not valid',
    ],
    [
      'an unknown origin',
      { key: 'k', text: 'x', origin: 'mars' },
      422,
      'validation_error',
      '1 field is not valid',
    ],
    [
      'an infinite value',
      '{"key":"k","text":"x","value":1e999}',
      422,
      'validation_error',
      '1 field is not valid',
    ],
    [
      'half a pair of surrogates',
      '{"key":"k","text":"\\ud800"}',
      422,
      'validation_error',
      '1 field is not valid',
    ],
    ['what is not JSON', '{', 400, 'invalid_json', 'The body is not valid JSON'],
  ];
  for (const [what, body, status, code, message] of refused)
    test(`${what} is refused`, async () => {
      const answer = await api.call('POST', '/v1/event/record', { body });
      assert.is(answer.status, status);
      assert.is(answer.json.error.code, code);
      assert.is(answer.json.error.message, message);
      assert.is(answer.json.status, message);
      assert.is(answer.json.error.details.request_id, answer.headers.get('x-request-id'));
    });

  test('an unknown event is not found, in these words', async () => {
    const answer = await api.call('GET', '/v1/event/evt_nothing');
    assert.is(answer.status, 404);
    assert.is(answer.json.error.message, 'Event not found');
  });

  test('defaults', async () => {
    const text = 'ü'.repeat(300);
    const before = Date.now();
    const { event_id } = (await record({ key: 'défaults/%', text })).json.data;
    const { data } = await get(`/v1/event/${event_id}`);
    assert.is(data.name, 'ü'.repeat(200));
    assert.is(data.source, 'défaults/%');
    assert.is(data.origin, 'api');
    assert.is(data.data_type, 'text');
    assert.is(data.value, null);
    assert.is(data.raw, null);
    assert.is(data.revision, 1);
    assert.is(data.shape, 'fresh');
    assert.ok(data.occurred_at >= before && data.timestamp >= before && data.occurred_at <= Date.now());
    const list = await get(`/v1/event/streams/${encodeURIComponent('défaults/%')}/events`);
    assert.equal(
      list.data.events.map((e: { event_id: string }) => e.event_id),
      [event_id],
    );
  });

  for (const text of [
    '😀 emoji 👩‍👩‍👧',
    'انقطاع التيار الكهربائي',
    'a\u0000b\u2028c',
    'x'.repeat(100_000),
    '"quotes" \\ and \n lines',
  ])
    test(`the text ${JSON.stringify(text.slice(0, 20))} (${text.length}) comes back as it went`, async () => {
      const raw = { text, deep: [[[{ 'a.b': { $x: 1 } }]]], '': null };
      const { event_id } = (await record({ key: 'texts', text, raw })).json.data;
      const { data } = await get(`/v1/event/${event_id}`);
      assert.is(data.text, text);
      assert.equal(data.raw, raw);
    });

  for (const raw of ['', 0, false, [], {}])
    test(`the payload ${JSON.stringify(raw)} is kept as it is, and so in its revisions`, async () => {
      const said = { key: 'raws', text: `payload ${JSON.stringify(raw)}`, occurred_at: 1 };
      const { event_id } = (await record({ ...said, raw: 'first' })).json.data;
      await record({ ...said, raw });
      const { data } = await get(`/v1/event/${event_id}`);
      assert.equal([data.raw, data.revision], [raw, 2]);
    });

  test('the three forms of time are one', async () => {
    const at = Date.UTC(2026, 0, 15, 8);
    const ids = await Promise.all(
      [at, at / 1000, '2026-01-15T08:00:00Z', String(at)].map(
        async occurred_at => (await record({ key: 'times', text: 'same', occurred_at })).json.data.event_id,
      ),
    );
    assert.is(new Set(ids).size, 1);
    assert.is((await get(`/v1/event/${ids[0]}`)).data.shape, 'stale');
  });

  test('numeric content is scored at once and its value measured against the stream', async () => {
    for (const [i, value] of [10, 11, 12, 11, 10, 12, 11].entries())
      await record({ key: 'numbers', text: String(value), value, occurred_at: 1_770_000_000 + i });
    const answer = await record({ key: 'numbers', text: '50', value: 50, occurred_at: 1_770_000_100 });
    assert.is(answer.json.data.status, 'scored');
    const { data } = await get(`/v1/event/${answer.json.data.event_id}`);
    assert.equal(data.scores, {
      sentiment: 'neutral',
      polarity: 0,
      importance: 0,
      relevance: 0,
      impact: 0,
      rank: 0,
      novelty: null,
    });
    assert.ok(data.value_normalized > 3);
  });

  test('submitted again it is one row, scored again; with something new it is a revision', async () => {
    const body = { key: 'again', text: 'Strike at the port', occurred_at: '2026-02-01T00:00:00Z' };
    const { event_id } = (await record(body)).json.data;
    const first = await scored(event_id);
    assert.is((await record(body)).json.data.event_id, event_id);
    const second = await scored(event_id);
    assert.equal({ ...second }, { ...first });
    assert.is((await record({ ...body, value: 3 })).json.data.event_id, event_id);
    const third = await scored(event_id);
    assert.is(third.revision, 2);
    assert.is(third.value, 3);
    assert.equal(third.scores, first.scores);
    const { data } = await get(`/v1/event/${event_id}/revisions`);
    assert.equal(
      data.revisions.map((r: { revision: number; value: number | null }) => [r.revision, r.value]),
      [
        [1, null],
        [2, 3],
      ],
    );
    assert.is(data.total, 2);
    assert.is((await get('/v1/event/streams/again/events')).data.events.length, 1);
  });

  test('PATCH changes, If-Match guards, DELETE takes back', async () => {
    const { event_id } = (
      await record({ key: 'items', text: 'Late delivery', occurred_at: '2026-02-02T00:00:00Z' })
    ).json.data;
    await scored(event_id);
    const etag = (await api.call('GET', `/v1/event/${event_id}`)).headers.get('etag')!;
    assert.is(
      (await api.call('GET', `/v1/event/${event_id}`, { headers: { 'if-none-match': etag } })).status,
      304,
    );
    const patch = (body: object, ifMatch: string) =>
      api.call('PATCH', `/v1/event/${event_id}`, { body, headers: { 'if-match': ifMatch } });
    const patched = await patch({ name: 'Late' }, etag);
    assert.is(patched.status, 200);
    assert.is(patched.json.data.revision, 2);
    const { data } = await get(`/v1/event/${event_id}`);
    assert.is(data.name, 'Late');
    assert.is(data.status, 'scored');
    const stale = await patch({ name: 'Later' }, etag);
    assert.is(stale.status, 409);
    const { code, details } = stale.json.error;
    assert.equal([code, details.version], ['version_conflict', 2]);
    assert.equal((await api.call('DELETE', `/v1/event/${event_id}`)).json, { status: 'deleted' });
    assert.is((await api.call('GET', `/v1/event/${event_id}`)).status, 404);
    assert.is((await patch({ name: 'x' }, etag)).status, 404);
    assert.equal((await get('/v1/event/streams/items/events')).data.events, []);
  });
});
