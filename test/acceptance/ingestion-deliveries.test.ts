import { gzipSync } from 'node:zlib';
import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { suite } from '../suite.js';
import { LOCAL } from './receivers.js';
import { counts, event, eventsOf, hmac, hookPath, names } from './sources.js';
import { pushSource, senderTo, signed, taken, webhook, type Sender } from './sources.js';
import { expected, openWorld, places, refused, type World } from './world.js';

// Webhook sources and their deliveries (specification 2.8, 4.7, 7; open-parts 0.3 R3, R5, R8, R10, R12, 6.3,
// 32.1, 32.2, 32.5).

suite('acceptance: a webhook source', test => {
  let world: World;
  let sender: Sender;
  const create = (body: object) => world.api.post<Json>('/v1/ingestion/connect/create-event', body);
  test.before(async () => {
    world = await openWorld();
    sender = senderTo(world);
  });
  test.after(() => world.close());

  test('create-event answers everything that a sender needs', async () => {
    const path = '/v1/ingestion/connect/create-event';
    const body = { mode: 'push', name: 'Shop', event_config: { stream: 'shop' } };
    const headers = { host: 'elsewhere.example.org' };
    const { data } = expected(await world.api.send<Json>({ method: 'POST', path, body, headers }));
    assert.equal([data.status, data.kind, data.mode], ['created', 'event', 'push']);
    assert.equal([data.stream, data.job_ids], ['shop', []]);
    const base = `${world.running.base}/v1/ingestion/webhooks/${data.source_id}`;
    assert.equal(
      [data.webhook_url_events, data.webhook_url_signal, data.webhook_url],
      [`${base}/events`, `${base}/signal`, `${base}/events`],
      'and never of the Host header',
    );
    assert.ok(data.webhook_secret.length >= 32, 'a key that nobody guesses');
    assert.ok(data.message.length > 0);
    const other = await pushSource(world.api);
    assert.is.not(other.webhook_secret, data.webhook_secret);
    assert.is(other.stream, 'events', 'the stream where none is named');
  });

  test('an event arrives under the stream, with what came kept beside it', async () => {
    const made = await pushSource(world.api, { stream: 'orders' });
    const item = { text: 'A large order came in', occurred_at: 1_790_000_000, customer: { id: 7 } };
    const answer = await sender.events(made, item);
    const { data } = expected(answer);
    assert.equal([data.status, data.kind, data.accepted], ['ok', 'events', 1]);
    assert.equal([data.duplicates, data.rejected, data.ignored], [0, 0, 0]);
    assert.match(data.delivery_id, /./);
    assert.is(answer.headers['ratelimit-policy'], '"webhook";q=600;w=60');
    const [row] = await eventsOf(world.api, 'orders');
    const found = await event(world.api, row.event_id);
    assert.equal([found.key, found.name, found.text], ['orders', item.text, item.text]);
    assert.equal([found.origin, found.occurred_at], ['ingestion', 1_790_000_000_000]);
    assert.equal(found.raw, item);
    assert.is(found.external_id, null);
  });

  test('the path without a kind is that of events', async () => {
    const made = await pushSource(world.api, { stream: 'bare' });
    const body = { text: 'By the short address' };
    const { data } = expected(await sender.raw(hookPath(made, null), body, signed(made, body)));
    assert.equal([data.kind, data.accepted], ['events', 1]);
    assert.equal(await names(world.api, 'bare'), ['By the short address']);
  });

  test('what is not understood at creation is named', async () => {
    assert.equal(places(await create({})), ['body.mode']);
    assert.equal(places(await create({ mode: 'pull' })), ['body.mode']);
    assert.equal(places(await create({ mode: 'push', event_config: [] })), ['body.event_config']);
    const wrong = ['a..b', '.a', 'a.', 'a[', 'a[x]', 'a[-1]', 'a["b]', 'a[0]b', 'a b[', ''];
    for (const name of ['array_path', 'text_path', 'occurred_at_path', 'id_path'])
      for (const path of wrong)
        assert.equal(
          places(await create({ mode: 'push', event_config: { [name]: path } })),
          [`body.event_config.${name}`],
          `${name} ${path}`,
        );
    assert.equal(places(await create({ mode: 'push', event_config: { text_path: 5 } })), [
      'body.event_config.text_path',
    ]);
    const reserved = await create({ mode: 'push', event_config: { stream: 'mkt-evt:theirs' } });
    assert.ok([403, 422].includes(reserved.status), reserved.text);
    const answer = await create({ mode: 'push', colour: 1, event_config: { txt_path: 'a' } });
    expected(answer);
    assert.is(answer.headers['x-ignored-fields'], 'colour, event_config.txt_path');
  });
});

suite('acceptance: signatures of deliveries', test => {
  let world: World;
  let sender: Sender;
  test.before(async () => {
    world = await openWorld();
    sender = senderTo(world);
  });
  test.after(() => world.close());

  test('any of three headers, with a prefix or without, in either case', async () => {
    const made = await pushSource(world.api, { stream: 'headers' });
    let sent = 0;
    for (const header of ['X-Signature', 'X-Hub-Signature-256', 'X-Webhook-Signature'])
      for (const prefix of ['', 'sha256='])
        for (const form of [(hex: string) => hex, (hex: string) => hex.toUpperCase()]) {
          const body = `{"text":"number ${sent++}"}`;
          const signature = prefix + form(hmac(made.webhook_secret, body));
          const answer = await sender.raw(hookPath(made), body, { [header]: signature });
          assert.equal(counts(answer), taken(1), `${header} ${signature}`);
        }
    assert.is((await eventsOf(world.api, 'headers')).length, 12);
  });

  test('a signature of anything else is wrong', async () => {
    const made = await pushSource(world.api, { stream: 'wrong' });
    const other = await pushSource(world.api);
    const body = '{"text": "never"}';
    const right = hmac(made.webhook_secret, body);
    const base64 = Buffer.from(right, 'hex').toString('base64');
    for (const signature of [
      undefined,
      '',
      'sha256=',
      hmac(other.webhook_secret, body),
      hmac(made.webhook_secret, JSON.stringify(JSON.parse(body))),
      hmac(made.webhook_secret, ''),
      right.slice(0, 62),
      `${right}00`,
      `${right.slice(0, 63)}g`,
      `sha1=${right}`,
      base64,
      made.webhook_secret,
    ]) {
      const error = refused(
        await sender.raw(hookPath(made), body, { 'x-signature': signature }),
        401,
        'invalid_signature',
      );
      assert.is(error.message, 'Invalid signature', String(signature));
    }
    assert.equal(await eventsOf(world.api, 'wrong'), []);
  });

  test('where several headers come, one that is right will do', async () => {
    const made = await pushSource(world.api, { stream: 'several' });
    const body = '{"text":"one is right"}';
    const right = hmac(made.webhook_secret, body);
    const wrong = hmac('another', body);
    const several = (values: readonly string[]) => {
      const [a, b, c] = values;
      return { 'x-signature': a, 'x-hub-signature-256': b, 'x-webhook-signature': c };
    };
    for (const values of [
      [right, wrong, wrong],
      [wrong, `sha256=${right}`, 'nonsense'],
      ['', wrong, right],
    ])
      expected(await sender.raw(hookPath(made), body, several(values)));
    refused(await sender.raw(hookPath(made), body, several([wrong, wrong, wrong])), 401);
  });

  test('the bytes are signed as they came, whatever they are called', async () => {
    const made = await pushSource(world.api, { stream: 'bytes' });
    const raw = Buffer.from(
      '\r\n {"text"\t: "Grüße, 東京 \\ud83d\\ude00 \u{1F600}",  "occurred_at":1.79e9 }\n',
    );
    const types = [
      undefined,
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/json',
      'nonsense',
    ];
    for (const type of types) {
      const headers = { ...signed(made, raw), authorization: 'Bearer whatever', 'content-type': type };
      expected(await sender.raw(hookPath(made), raw, headers));
    }
    const [{ name, occurred_at }, ...more] = await eventsOf(world.api, 'bytes');
    assert.equal([name, occurred_at, more], ['Grüße, 東京 😀 😀', 1_790_000_000_000, []]);
    refused(await sender.raw(hookPath(made), String(raw).trim(), signed(made, raw)), 401);
  });

  test('wrong signatures are limited, and right ones are not by them', async () => {
    const [made, other] = [await pushSource(world.api), await pushSource(world.api)];
    const statuses: number[] = [];
    for (let i = 0; i < 120 && statuses.at(-1) !== 429; i++) {
      const answer = await sender.raw(hookPath(made), '{}', { 'x-signature': 'f'.repeat(64) });
      statuses.push(answer.status);
      if (answer.status === 429) assert.ok(Number(answer.headers['retry-after']) >= 1);
    }
    assert.equal(statuses.at(-1), 429);
    assert.ok(statuses.slice(0, -1).every(status => status === 401));
    assert.ok(statuses.length > 10, 'some are allowed');
    assert.equal(counts(await sender.events(made, { text: 'right all the same' })), taken(1));
    refused(await sender.raw(hookPath(other), '{}', { 'x-signature': 'f'.repeat(64) }), 401);
  });
});

suite('acceptance: what a delivery is refused for', test => {
  let world: World;
  let sender: Sender;
  test.before(async () => {
    world = await openWorld(LOCAL);
    sender = senderTo(world);
  });
  test.after(() => world.close());

  test('each fault has its text, and the first of them answers', async () => {
    const made = await pushSource(world.api);
    const event_config = { url: 'http://127.0.0.1:9/', interval_seconds: 86_400 };
    const create = '/v1/ingestion/connect/create-event';
    const poll = expected(await world.api.post<Json>(create, { mode: 'poll', event_config })).data;
    const nobody = { source_id: 'src_nobodys', webhook_secret: 'x' };
    const told = ({ code, message }: Json) => `${code}: ${message}`;
    const unknown = 'source_not_found: Unknown webhook source';
    for (const kind of ['events', 'signal', null])
      assert.is(told(refused(await sender.raw(hookPath(nobody, kind), '{'), 404)), unknown);
    const astray = async (to: { source_id: string }, status: number) =>
      told(refused(await sender.astray(hookPath({ ...to, webhook_secret: null }, 'points'), '{'), status));
    assert.is(await astray(nobody, 404), unknown, 'before the kind');
    const not = 'not_a_webhook: Source is not a webhook';
    assert.is(told(refused(await sender.raw(hookPath(poll), '{'), 400)), not);
    assert.is(await astray(poll, 400), not, 'before the kind, too');
    const kind = await astray(made, 404);
    assert.match(kind, /^unknown_webhook_kind: .*\/events.*\/signal/);
    const unsigned = refused(await sender.raw(hookPath(made), '{'), 401, 'invalid_signature');
    assert.is(unsigned.message, 'Invalid signature', 'before the JSON');
    const bad = refused(await sender.events(made, '{'), 400, 'invalid_json');
    assert.is(bad.message, 'Invalid JSON body');
  });

  test('a body that is not JSON is refused, and nothing of it is taken', async () => {
    const made = await pushSource(world.api, { stream: 'odd' });
    for (const body of [
      ...['', ' ', '{', '{"text":"a"},', '{text:"a"}', "{'text':'a'}", '[1,]', 'NaN', 'text=a', '\u{FEFF}'],
      Buffer.from([0x22, 0xff, 0xfe, 0x22]),
    ])
      for (const kind of ['events', 'signal'] as const)
        assert.is(
          refused(await sender[kind](made, body), 400, 'invalid_json').message,
          'Invalid JSON body',
          String(body),
        );
    assert.equal(await eventsOf(world.api, 'odd'), []);
  });

  test('without a secret every delivery is refused, unless the source allows it', async () => {
    const strict = await webhook(world.api, { signed: false }, { stream: 'strict' });
    assert.is(strict.webhook_secret ?? null, null);
    const { message } = refused(await sender.raw(hookPath(strict), '{'), 401, 'unsigned_rejected');
    assert.match(message, /unsigned/i);
    refused(await sender.raw(hookPath(strict), '{}', { 'x-signature': hmac('', '{}') }), 401);
    const open = await webhook(world.api, { signed: false, allow_unsigned: true }, { stream: 'open' });
    assert.equal(counts(await sender.raw(hookPath(open), { text: 'Unsigned' })), taken(1));
    refused(await sender.raw(hookPath(open), '{'), 400, 'invalid_json');
    const both = await webhook(world.api, { allow_unsigned: true }, { stream: 'both' });
    assert.type(both.webhook_secret, 'string');
    refused(await sender.raw(hookPath(both), { text: 'Unsigned' }), 401, 'invalid_signature');
    assert.equal(counts(await sender.events(both, { text: 'Signed' })), taken(1));
    assert.equal(
      [await names(world.api, 'strict'), await names(world.api, 'open'), await names(world.api, 'both')],
      [[], ['Unsigned'], ['Signed']],
    );
  });

  test('a body past 5 MB is too large, one below it is taken', async () => {
    const made = await pushSource(world.api, { stream: 'large', array_path: 'items' });
    const body = (bytes: number) => ({ items: [{ text: 'Small' }], padding: 'x'.repeat(bytes) });
    assert.equal(counts(await sender.events(made, body(4_900_000))), taken(1));
    const error = refused(await sender.events(made, body(5_100_000)), 413, 'payload_too_large');
    assert.ok(error.details.limit_bytes >= 5_000_000);
  });

  test('a packed body is refused, since its bytes are signed as they are', async () => {
    const made = await pushSource(world.api, { stream: 'packed' });
    const raw = gzipSync('{"text":"Packed"}');
    const headers = { 'x-signature': hmac(made.webhook_secret, raw), 'content-encoding': 'gzip' };
    refused(await sender.raw(hookPath(made), raw, headers), 415, 'unsupported_media_type');
    assert.equal(await eventsOf(world.api, 'packed'), []);
  });

  test('a deleted source is unknown', async () => {
    const made = await pushSource(world.api);
    assert.equal(counts(await sender.events(made, { text: 'Last' })), taken(1));
    expected(await world.api.delete<Json>(`/v1/ingestion/sources/${made.source_id}`));
    const { message } = refused(await sender.events(made, { text: 'Late' }), 404, 'source_not_found');
    assert.is(message, 'Unknown webhook source');
    refused(await world.api.get<Json>(`/v1/ingestion/sources/${made.source_id}`), 404);
  });
});
