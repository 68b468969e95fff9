import * as assert from 'uvu/assert';
import { MOST_CHANNELS } from '../../commands/channels.js';
import { HOUR, MINUTE } from '../../domain/time.js';
import { idOf, mailbox, answering, receiver, silent, verified } from '../receivers.js';
import { suite } from '../suite.js';
import { channelsApi, codeIn, PATH, type Caller, type ChannelBody } from './channels-world.js';

suite('channels', test => {
  let world: Awaited<ReturnType<typeof channelsApi>>;
  let ann: Caller;
  test.before(async () => {
    world = await channelsApi();
    ({ ann } = world);
  });
  test.after(() => world.close());
  // Signatures are verified by a library that knows the time
  test.before.each(() => {
    world.clock.now = Date.now();
  });

  const made = async (body: object, who = ann): Promise<ChannelBody> => {
    const answer = await who.post(PATH, body);
    assert.is(answer.status, 201, answer.text);
    return answer.body.data;
  };
  const read = async (id: string): Promise<ChannelBody> => (await ann.get(`${PATH}/${id}`)).body.data;
  const refused = async (body: object): Promise<readonly unknown[]> => {
    const { status, body: said } = await ann.post(PATH, body);
    return [status, said.error.code, said.detail?.[0]?.loc.join('.') ?? null];
  };
  const wait = (ms: number) => {
    world.clock.now += ms;
  };

  test('the feed is always there, and stays as it is', async () => {
    const { channels, total } = (await ann.get(PATH)).body.data;
    assert.equal([total, channels[0].channel_id, channels[0].status], [1, 'in_app', 'active']);
    assert.is((await read('in_app')).type, 'in_app');
    for (const [method, path] of [
      ['patch', ''],
      ['delete', ''],
      ['post', '/verify'],
      ['post', '/test'],
    ] as const) {
      const { status, body } = await ann[method](`${PATH}/in_app${path}`);
      assert.equal([status, body.error.code], [409, 'invalid_state'], path);
    }
  });

  test('a webhook that echoes its challenge is active at once; its secret is shown once', async () => {
    const hook = await receiver();
    const channel = await made({ type: 'webhook', name: 'Ops', target: `${hook.url}?key=hidden` });
    assert.equal([channel.status, channel.verification!.method], ['active', 'challenge']);
    assert.match(channel.target, /^http:\/\/127\.0\.0\.1:\d+\/\*\*\*$/);
    const [challenge] = hook.received;
    const told = verified(channel.secret!, challenge!) as { type: string; challenge: string };
    assert.equal(Object.keys(told), ['type', 'challenge']);
    assert.is(challenge!.path, '/in?key=hidden');
    const again = await ann.get(`${PATH}/${channel.channel_id}`);
    assert.not.match(again.text, /whsec_|hidden/);
    assert.not.match((await ann.get(PATH)).text, /whsec_|hidden/);
    await hook.close();
  });

  test('one that echoes nothing waits, and is verified when it does', async () => {
    const hook = await receiver(answering(204));
    const { channel_id: id, ...channel } = await made({ type: 'webhook', target: hook.url });
    assert.equal([channel.status, channel.name], ['pending_verification', 'webhook']);
    assert.equal(channel.verification, {
      method: 'challenge',
      ok: false,
      status_code: 204,
      reason: 'not_echoed',
    });
    const verify = async () => {
      const { status, body } = await ann.post(`${PATH}/${id}/verify`, {});
      return [status, body.error?.code ?? body.data.status, body.error?.details.reason ?? null];
    };
    assert.equal(await verify(), [422, 'verification_failed', 'not_echoed']);
    hook.answers(answering(500));
    assert.equal(await verify(), [422, 'verification_failed', 'status']);
    hook.answers((response, { text }) => response.end((JSON.parse(text) as { challenge: string }).challenge));
    assert.equal(await verify(), [200, 'active', null]);
    assert.equal(await verify(), [200, 'active', null]);
    await hook.close();
  });

  test('a mailed code makes an email channel active; the address is never shown whole', async () => {
    const channel = await made({ type: 'email', name: 'Mail', target: 'ann@example.org' });
    assert.equal([channel.status, channel.target], ['pending_verification', 'a***@example.org']);
    assert.equal(channel.verification, { method: 'code', ok: true, status_code: 250, reason: null });
    const path = `${PATH}/${channel.channel_id}/verify`;
    const code = codeIn(world.box.mails.at(-1)!.text);
    const wrong = await ann.post(path, { code: code === '000000' ? '111111' : '000000' });
    assert.equal([wrong.status, wrong.body.error.code], [400, 'invalid_code']);
    assert.is((await ann.post(path, { code: ` ${code} ` })).body.data.status, 'active');
  });

  test('an old code and one tried too often are worth nothing, and only so many are sent', async () => {
    const { channel_id: id } = await made({ type: 'email', target: 'late@example.org' });
    const path = `${PATH}/${id}/verify`;
    const first = codeIn(world.box.mails.at(-1)!.text);
    wait(30 * MINUTE);
    assert.is((await ann.post(path, { code: first })).status, 400);
    assert.is((await ann.post(path, {})).status, 200);
    const second = codeIn(world.box.mails.at(-1)!.text);
    for (let tries = 0; tries < 5; tries++) await ann.post(path, { code: 'wrong' });
    assert.is((await ann.post(path, { code: second })).status, 400);
    for (let sent = 0; sent < 3; sent++) assert.is((await ann.post(path, {})).status, 200);
    wait(HOUR / 2);
    assert.is((await ann.post(path, {})).status, 200);
    const many = await ann.post(path, {});
    assert.equal([many.status, many.body.error.code], [429, 'too_many_attempts']);
    assert.ok(Number(many.headers['retry-after']) > 0);
  });

  test('a slack channel is sent its code, and its messages, as text', async () => {
    const hook = await receiver(answering(200));
    const { channel_id: id, ...channel } = await made({ type: 'slack', name: 'Room', target: hook.url });
    assert.is(channel.status, 'pending_verification');
    const code = codeIn((JSON.parse(hook.received[0]!.text) as { text: string }).text);
    const path = `${PATH}/${id}`;
    assert.is((await ann.post(`${path}/test`)).status, 409);
    assert.is((await ann.post(`${path}/verify`, { code })).body.data.status, 'active');
    assert.is((await ann.post(`${path}/test`)).body.data.ok, true);
    assert.match(
      (JSON.parse(hook.received[1]!.text) as { text: string }).text,
      /^\*A test of this channel\*\n/,
    );
    await hook.close();
  });

  test('a test is signed, and its outcome is the last delivery', async () => {
    const hook = await receiver();
    const { channel_id: id, secret } = await made({ type: 'webhook', target: hook.url });
    const tested = async () => (await ann.post(`${PATH}/${id}/test`)).body.data;
    const good = await tested();
    assert.equal([good.ok, good.status_code, good.reason], [true, 200, null]);
    const [message] = hook.deliveries();
    assert.is((verified(secret!, message!) as { type: string }).type, 'channel.test');
    assert.match(idOf(message!), /^tst_/);
    hook.answers(answering(302));
    assert.equal([(await tested()).ok, (await read(id)).last_delivery!.status_code], [false, 302]);
    assert.is((await read(id)).status, 'active');
    await hook.close();
    assert.is((await tested()).reason, 'unreachable');
  });

  test('a test that is answered 410 disables at once', async () => {
    const hook = await receiver();
    const { channel_id: id } = await made({ type: 'webhook', target: hook.url });
    hook.answers(answering(410));
    assert.is((await ann.post(`${PATH}/${id}/test`)).body.data.status_code, 410);
    const { status, disabled_reason, last_delivery } = await read(id);
    assert.equal([status, disabled_reason, last_delivery!.status_code], ['disabled', 'gone', 410]);
    assert.is((await ann.post(`${PATH}/${id}/test`)).status, 409);
    await hook.close();
  });

  test('name, target and whether it is used may change; a new target is verified anew', async () => {
    const hook = await receiver();
    const { channel_id: id } = await made({ type: 'webhook', target: hook.url });
    const patch = async (body: object) => (await ann.patch(`${PATH}/${id}`, body)).body.data;
    assert.equal([(await patch({ name: 'New' })).name, (await read(id)).status], ['New', 'active']);
    assert.is((await patch({ target: `${hook.url}/2` })).status, 'pending_verification');
    await ann.post(`${PATH}/${id}/verify`, {});
    const off = await patch({ enabled: false });
    assert.equal([off.status, off.disabled_reason], ['disabled', 'owner']);
    assert.is((await ann.post(`${PATH}/${id}/verify`, {})).status, 409);
    assert.equal(
      [(await patch({ enabled: true })).status, (await read(id)).disabled_reason],
      ['pending_verification', null],
    );
    assert.is((await ann.delete(`${PATH}/${id}`)).body.status, 'deleted');
    assert.is((await ann.get(`${PATH}/${id}`)).status, 404);
    assert.is((await ann.delete(`${PATH}/${id}`)).status, 404);
    await hook.close();
  });

  test('what is no target, or may not be one, is refused by its name', async () => {
    for (const target of ['nobody', 'a@b, c@d', 'Ann <ann@example.org>', 'a@b@c', '@example.org', 'a b@c'])
      assert.equal(
        await refused({ type: 'email', target }),
        [422, 'validation_error', 'body.target'],
        target,
      );
    for (const target of [
      'here',
      'ftp://example.org/',
      'javascript:alert(1)',
      'https://u:p@example.org/',
      'https://',
    ])
      assert.equal(
        await refused({ type: 'webhook', target }),
        [422, 'validation_error', 'body.target'],
        target,
      );
    for (const host of [
      '10.0.0.1',
      '169.254.169.254',
      '[::1]',
      '[::ffff:10.0.0.1]',
      '0x0a000001',
      '2130706434',
    ])
      assert.equal(
        await refused({ type: 'webhook', target: `https://${host}/` }),
        [422, 'address_not_allowed', 'body.target'],
        host,
      );
    const ftp = await ann.post(PATH, { type: 'webhook', target: 'ftp://example.org/' });
    assert.match(ftp.text, /must be an https URL, or http where the operator allows it/);
    assert.equal(await refused({ type: 'slack', target: 'http://8.8.8.8/' }), [
      422,
      'address_not_allowed',
      'body.target',
    ]);
    assert.equal(await refused({ type: 'in_app', target: 'x' }), [422, 'validation_error', 'body.type']);
    assert.equal(await refused({ type: 'email' }), [422, 'validation_error', 'body.target']);
    const hidden = await ann.post(PATH, { type: 'webhook', target: 'https://u:hidden@example.org/' });
    assert.not.match(hidden.text, /hidden/);
  });

  test('a repeat under the same key makes no second one, and shows no secret', async () => {
    const hook = await receiver();
    const headers = { 'idempotency-key': 'once' };
    const body = { type: 'webhook', name: 'Once', target: hook.url };
    const first = await ann.post(PATH, body, headers);
    const second = await ann.post(PATH, body, headers);
    assert.is(second.body.data.channel_id, first.body.data.channel_id);
    assert.not.match(second.text, /whsec_|Once/);
    await hook.close();
  });

  test('nobody has more than so many', async () => {
    const { person, mine } = await world.somebody('many@example.org');
    const hook = await receiver();
    for (let i = 0; i < MOST_CHANNELS; i++) await made({ type: 'webhook', target: hook.url }, mine);
    const { status, body } = await mine.post(PATH, { type: 'webhook', target: hook.url });
    assert.equal([status, body.error.code], [409, 'channel_limit_reached']);
    assert.is((await mine.get(`${PATH}?per_page=5&page=2`)).body.data.channels.length, 5);
    assert.ok(person.uid);
    await hook.close();
  });

  test('who never answers is left after ten seconds', async () => {
    const hook = await receiver(silent);
    const { status, verification } = await made({ type: 'webhook', target: hook.url });
    assert.equal([status, verification!.reason], ['pending_verification', 'timed_out']);
    await hook.close();
  });
});

suite('channels without a mail server', test => {
  test('email is refused in words that say what is missing', async () => {
    const world = await channelsApi({ env: { SMTP_URL: '', MAIL_FROM: '' } });
    const { status, body } = await world.ann.post(PATH, { type: 'email', target: 'a@example.org' });
    assert.equal([status, body.error.code], [422, 'mail_unavailable']);
    assert.match(body.error.message, /SMTP_URL and MAIL_FROM/);
    await world.close();
  });

  test('one that does not answer leaves the channel to be verified later', async () => {
    const box = await mailbox();
    const world = await channelsApi({ env: { SMTP_URL: box.url } });
    await box.close();
    const { status, body } = await world.ann.post(PATH, { type: 'email', target: 'a@example.org' });
    assert.equal([status, body.data.verification.reason], [201, 'mail_unavailable']);
    const again = await world.ann.post(`${PATH}/${body.data.channel_id}/verify`, {});
    assert.equal([again.status, again.body.error.code], [503, 'mail_unavailable']);
    await world.close();
  });
});
