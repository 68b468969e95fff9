import * as assert from 'uvu/assert';
import { Webhook } from 'standardwebhooks';
import type { Json } from '../json.js';
import { suite } from '../suite.js';
import { ingestionApi, signatureOf, type IngestionApi, type Made } from './ingestion-world.js';

const SOURCES = '/v1/ingestion/sources';
const DAY = 86_400_000;

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

suite('deliveries', test => {
  let world: IngestionApi;
  test.before(async () => {
    world = await ingestionApi();
  });
  test.after(() => world.close());

  const unsigned = async (config: object): Promise<Made> =>
    (
      await world.client.post<Json>(SOURCES, {
        ...{ connector_id: 'webhook', config: { signed: false, ...config } },
        event_config: { stream: 'open' },
      })
    ).body.data;
  const listed = async ({ source_id: id }: Made): Promise<readonly Json[]> =>
    (await world.read(`${SOURCES}/${id}/deliveries`)).deliveries;

  test('of events are there when they are answered, by all three URLs', async () => {
    const made = await world.source({ stream: 'news', array_path: 'items', id_path: 'id' });
    const items = [
      { id: 1, text: 'Refinery fire halts exports', occurred_at: '2026-05-04T10:00:00Z', extra: [1] },
      { id: 2, text: 'Prices surge', occurred_at: 1_777_890_600 },
      { id: 3, text: 'Talks begin' },
    ];
    const first = await world.deliver(made, { items: items.slice(0, 1) });
    assert.is(first.status, 200, first.text);
    const { delivery_id, ...rest } = first.body.data;
    assert.match(delivery_id, /^whd_/);
    const counts = { accepted: 1, duplicates: 0, rejected: 0, ignored: 0, errors: [] };
    assert.equal(rest, { status: 'ok', kind: 'events', ...counts });
    await world.deliver(made, { items: items.slice(1, 2) }, { kind: '' });
    await world.deliver(made, { items: items.slice(2) });
    const events = await world.events('news');
    assert.equal(
      events.map(({ text, occurred_at, origin, source }) => [text, occurred_at, origin, source]),
      [
        ['Refinery fire halts exports', Date.parse('2026-05-04T10:00:00Z'), 'ingestion', 'news'],
        ['Prices surge', 1_777_890_600_000, 'ingestion', 'news'],
        ['Talks begin', world.clock.now, 'ingestion', 'news'],
      ],
    );
    assert.equal([events[0]!.raw, events[0]!.external_id], [items[0], '1']);
  });

  test('again are dropped by their ids, for ever and also when the event is gone', async () => {
    const made = await world.source({ stream: 'again', id_path: 'id' });
    const count = async (body: unknown): Promise<readonly number[]> => {
      const { accepted, duplicates, rejected } = (await world.deliver(made, body)).body.data;
      return [accepted, duplicates, rejected];
    };
    assert.equal(
      await count([
        { id: 7, text: 'a' },
        { id: '7', text: 'b' },
        { id: null, text: 'c' },
      ]),
      [2, 1, 0],
    );
    world.clock.now += 100 * DAY;
    // Another text, another time: the id is what counts
    assert.equal(await count({ id: 7, text: 'changed', occurred_at: 1 }), [0, 1, 0]);
    assert.is((await world.client.delete('/v1/event/streams/again')).status, 200);
    assert.equal(await count({ id: 7, text: 'a' }), [0, 1, 0]);
    assert.equal(await world.events('again'), []);
    const other = await world.source({ stream: 'again', id_path: 'id' });
    assert.is((await world.deliver(other, { id: 7, text: 'of another source' })).body.data.accepted, 1);
  });

  test('sent at once by many are each recorded once', async () => {
    const made = await world.source({ stream: 'race', id_path: 'id' });
    const items = Array.from({ length: 40 }, (_, id) => ({ id, text: `Item ${id}` }));
    const answers = await Promise.all(Array.from({ length: 8 }, () => world.deliver(made, items)));
    const sum = (count: string): number => answers.reduce((total, { body }) => total + body.data[count], 0);
    assert.equal([sum('accepted'), sum('duplicates')], [40, 280]);
    assert.is((await world.events('race')).length, 40);
  });

  test('count what they reject and what lies past 1,000 items, with errors by index', async () => {
    const made = await world.source({ stream: 'many' });
    const items: object[] = Array.from({ length: 1_005 }, (_, i) => ({ text: `Item ${i}`, occurred_at: i }));
    items[3] = { text: ' ' };
    items[1_000] = { text: '' };
    items[5] = { text: 'far', occurred_at: world.clock.now + 401 * DAY };
    const { accepted, rejected, ignored, errors } = (await world.deliver(made, items)).body.data;
    assert.equal([accepted, rejected, ignored], [998, 2, 5]);
    const [delivery] = await listed(made);
    assert.equal(
      delivery!.errors.map((error: Json) => [error.index, error.code]),
      [
        [3, 'validation_error'],
        [5, 'occurred_at_too_far'],
      ],
    );
    assert.equal(errors, delivery!.errors);
  });

  test('lose the item that is no Unicode, and that alone', async () => {
    const made = await world.source({ stream: 'unicode' });
    const body = '[{"text":"good"},{"text":"\\ud800 alone"}]';
    const { status, body: said } = await world.deliver(made, body);
    const { accepted, rejected, errors } = said.data;
    assert.equal([status, accepted, rejected, errors[0].index, errors[0].field], [200, 1, 1, 1, 'text']);
    const packed = await world.deliver(made, body, { headers: { 'content-encoding': 'gzip' } });
    assert.is(packed.status, 415);
  });

  test('of rows become points, and those of a known time revise', async () => {
    const made = await world.source({ stream: 'plant', occurred_at_path: 'ts', id_path: 'unit' });
    const send = async (rows: unknown): Promise<readonly number[]> => {
      const answer = await world.deliver(made, rows, { kind: 'signal' });
      assert.equal([answer.status, answer.body.data.kind], [200, 'signal'], answer.text);
      const { accepted, duplicates, rejected } = answer.body.data;
      return [accepted, duplicates, rejected];
    };
    const at = '2026-05-01T00:00:00Z';
    assert.equal(
      await send({ ts: at, unit: 'u1', kw: 5, on: true, mode: 'auto', nested: { x: 1 } }),
      [2, 0, 0],
    );
    assert.equal(await send([{ ts: at, unit: 'u1', kw: '6.5', on: true }]), [1, 1, 0]);
    assert.equal(await send({ ts: at, unit: 'u1' }), [0, 0, 0]);
    assert.equal(await send({ ts: 'never', unit: 'u1', kw: 1 }), [0, 0, 1]);
    const { points } = await world.read('/v1/signal/points?key=plant.kw__u1');
    assert.equal(
      points.map(([, value]: [unknown, number]) => value),
      [6.5],
    );
    const { data } = (await world.client.get<Json>('/v1/signal?type=signal')).body;
    assert.equal(data.signals.map(({ key, origin }: Json) => [key, origin]).sort(), [
      ['plant.kw__u1', 'ingestion'],
      ['plant.on__u1', 'ingestion'],
    ]);
  });

  test('are signed in any of three headers, in either case, with or without a prefix', async () => {
    const made = await world.source({ stream: 'signed' });
    const body = '{"text": "ä  spaced"}';
    const hex = signatureOf(made.webhook_secret, body);
    for (const headers of [
      { 'x-signature': hex },
      { 'x-hub-signature-256': `sha256=${hex}` },
      { 'x-webhook-signature': hex.toUpperCase(), 'content-type': 'text/plain', authorization: 'Basic x' },
      { 'x-signature': '00', 'x-hub-signature-256': `SHA256=${hex}` },
    ] as Record<string, string>[]) {
      const { status } = await world.deliver(made, body, { headers });
      assert.is(status, 200, JSON.stringify(headers));
    }
    const names = (await listed(made)).map(({ signature_header }) => signature_header);
    assert.equal(names.sort(), [
      'x-hub-signature-256',
      'x-hub-signature-256',
      'x-signature',
      'x-webhook-signature',
    ]);
  });

  test('whose signature is wrong or missing are refused, before anything of the body is told', async () => {
    const made = await world.source({ stream: 'wrong' });
    const good = signatureOf(made.webhook_secret, 'not json');
    for (const headers of [
      {},
      { 'x-signature': '' },
      { 'x-signature': good.slice(1) },
      { 'x-signature': `${good}00` },
      { 'x-signature': good.replace(/./, c => (c === '0' ? '1' : '0')) },
      { 'x-signature': 'ü'.repeat(64) },
      { signature: good },
    ] as Record<string, string>[]) {
      const { status, body } = await world.deliver(made, 'not json', { headers });
      assert.equal([status, body.error.message], [401, 'Invalid signature'], JSON.stringify(headers));
    }
    const right = await world.deliver(made, 'not json');
    assert.equal([right.status, right.body.error.message], [400, 'Invalid JSON body']);
    const empty = await world.deliver(made, '');
    assert.equal([empty.status, empty.body.error.message], [400, 'Invalid JSON body']);
  });

  test('to what is no webhook source are 404 and name what there is', async () => {
    const made = await world.source({ stream: 'kinds' });
    const unknown = await world.deliver({ ...made, source_id: 'src_none' }, {});
    assert.equal([unknown.status, unknown.body.error.message], [404, 'Unknown webhook source']);
    const kind = await world.deliver(made, {}, { kind: 'signals' });
    assert.equal([kind.status, kind.body.error.code], [404, 'unknown_webhook_kind']);
    assert.match(kind.body.error.message, /\/events.*\/signal/);
  });

  test('without a signature are taken only where there is no secret and that is allowed', async () => {
    const closed = await unsigned({});
    assert.is(closed.webhook_secret, null);
    const refused = await world.deliver(closed, { text: 'x' }, { headers: {} });
    assert.equal([refused.status, refused.body.error.code], [401, 'unsigned_rejected']);
    const open = await unsigned({ allow_unsigned: true });
    assert.is((await world.deliver(open, { text: 'x' }, { headers: {} })).status, 200);
    const made = await world.source({ stream: 'both' });
    await world.client.patch(`${SOURCES}/${made.source_id}`, { config: { allow_unsigned: true } });
    assert.is((await world.deliver(made, { text: 'x' }, { headers: {} })).status, 401);
  });

  test('with a time that must be signed are refused when it is off', async () => {
    const made = await world.source({ stream: 'timed' });
    await world.client.patch(`${SOURCES}/${made.source_id}`, { config: { require_timestamp: true } });
    const send = async (offset: number, sign: (at: string, body: string) => string): Promise<number> => {
      const at = String(Math.floor(world.clock.now / 1_000) + offset);
      const body = `{"text": "at ${at}"}`;
      const headers = { 'x-webhook-timestamp': at, 'x-signature': sign(at, body) };
      return (await world.deliver(made, body, { headers })).status;
    };
    const right = (at: string, body: string) => signatureOf(made.webhook_secret, `${at}.${body}`);
    assert.equal(
      [await send(0, right), await send(-300, right), await send(-301, right), await send(301, right)],
      [200, 200, 401, 401],
    );
    assert.is(await send(0, (_, body) => signatureOf(made.webhook_secret, body)), 401);
  });

  test('by Standard Webhooks are taken where the source says so', async () => {
    const made = await world.source({ stream: 'standard' });
    const body = '{"text": "by a library"}';
    const at = new Date(world.clock.now);
    const headers = {
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': new Webhook(made.webhook_secret).sign('msg_1', at, body),
    };
    assert.is((await world.deliver(made, body, { headers })).status, 401);
    await world.client.patch(`${SOURCES}/${made.source_id}`, { config: { standard_webhooks: true } });
    assert.is((await world.deliver(made, body, { headers })).status, 200);
    assert.is((await world.deliver(made, body.replace('by', 'from'), { headers })).status, 401);
    // Four texts of base64 are the same 32 bytes; one of them is the signature
    const other = headers['webhook-signature'].replace(
      /.=$/,
      last => `${LETTERS[LETTERS.indexOf(last[0]!) + 1]}=`,
    );
    const changed = { ...headers, 'webhook-signature': other };
    assert.is((await world.deliver(made, body, { headers: changed })).status, 401);
    assert.is((await world.deliver(made, body)).status, 200);
  });

  test('with ids of 64 bits are as many events, and entities, as there are ids', async () => {
    const body =
      '{"items":[{"id":1234567890123456789,"text":"a","v":1},{"id":1234567890123456790,"text":"b","v":2}]}';
    const made = await world.source({ stream: 'wide', array_path: 'items', id_path: 'id' });
    const counts = async (kind: string): Promise<readonly number[]> => {
      const { accepted, duplicates } = (await world.deliver(made, body, { kind })).body.data;
      return [accepted, duplicates];
    };
    assert.equal(
      [await counts('events'), await counts('events')],
      [
        [2, 0],
        [0, 2],
      ],
    );
    const ids = ['1234567890123456789', '1234567890123456790'];
    const events = await world.events('wide');
    assert.equal(events.map(({ external_id }) => external_id).sort(), ids);
    assert.is((await world.deliver(made, `{"items":[{"id":"${ids[0]}","text":"c"}]}`)).body.data.accepted, 0);
    assert.equal(
      [await counts('signal'), await counts('signal')],
      [
        [2, 0],
        [0, 2],
      ],
    );
    for (const [i, id] of ids.entries()) {
      const { points } = await world.read(`/v1/signal/points?key=wide.v__${id}`);
      assert.equal(
        points.map(([, value]: Json) => value),
        [i + 1],
      );
    }
    const path = `${SOURCES}/${made.source_id}/test`;
    const sent = { method: 'POST', path, headers: { 'content-type': 'application/json' } };
    const tested = await world.client.send<Json>({ ...sent, body: Buffer.from(`{"body":${body}}`) });
    assert.equal(
      tested.body.data.sample.map(({ id }: Json) => id),
      ids,
    );
  });
});
