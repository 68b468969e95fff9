import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { until } from '../platform.js';
import { suite } from '../suite.js';
import { person, type Person } from './inbox.js';
import { LOCAL, mailbox, receive, type Mailbox } from './receivers.js';
import { expected, openWorld, places, refused, type World } from './world.js';

// Mail and Slack (open-parts 21, 32.33, 32.34).
// Readings: a channel of email or slack becomes active by the code that was sent there; `email` in the
// preferences stands for all of somebody's email channels; a message that a mail server refuses for now is
// tried again with the same back-off.

const base = '/v1/notifications/channels';
const codeIn = (text: string): string => /\b(\d{6,8})\b/.exec(text.replace(/^[\s\S]*?\r?\n\r?\n/, ''))![1]!;

suite('acceptance: mail', test => {
  let world: World;
  let ada: Person;
  let box: Mailbox;
  let made: Json;
  const prefer = async (body: object) =>
    expected(await ada.api.put<Json>('/v1/notifications/preferences', body));
  const one = async (): Promise<Json> => expected(await ada.api.get<Json>(`${base}/${made.channel_id}`)).data;
  const verify = (code: string) => ada.api.post<Json>(`${base}/${made.channel_id}/verify`, { code });
  test.before(async () => {
    box = await mailbox();
    const MAIL_FROM = 'Presage <presage@example.org>';
    world = await openWorld({ ...LOCAL, SMTP_URL: box.url, MAIL_FROM });
    ada = await person(world);
  });
  test.after(async () => {
    await world.close();
    await box.close();
  });

  test('an address is asked first, and only who has the code opens it', async () => {
    const body = { type: 'email', name: 'Desk', target: 'ada.lovelace@example.com' };
    made = expected(await ada.api.post<Json>(base, body), 201).data;
    assert.is(made.status, 'pending_verification');
    assert.is(JSON.stringify(made).includes('ada.lovelace'), false, 'the target is masked');
    assert.match(made.target, 'example.com');
    const mail = await box.arrived(({ to }) => to === 'ada.lovelace@example.com');
    assert.is(mail.from, 'presage@example.org');
    const code = codeIn(mail.text);
    const wrong = code === '000000' ? '000001' : '0'.repeat(code.length);
    const refusal = await verify(wrong);
    assert.ok(refusal.status >= 400 && refusal.status < 500, refusal.text);
    assert.is((await one()).status, 'pending_verification');
    expected(await verify(code));
    assert.is((await one()).status, 'active');
    assert.equal(places(await ada.api.post<Json>(base, { ...body, target: 'nobody' })), ['body.target']);
  });

  test('without a wish for it nothing is mailed, and with one a notification is', async () => {
    await ada.turn('editor');
    await prefer({ defaults: { in_app: true, email: true }, min_severity: { email: 'info' } });
    const item = await ada.turn('analyst');
    const mail = await box.arrived(({ text }) => text.includes(item.title));
    assert.is(mail.to, 'ada.lovelace@example.com');
    assert.match(mail.text, item.body.slice(0, 30));
    assert.match(mail.text, /^Subject: /m);
    assert.is(box.mails.length, 2, 'the code and this one');
  });

  test('what is less severe than wished is not mailed', async () => {
    await prefer({ defaults: { in_app: true, email: true }, min_severity: { email: 'critical' } });
    const before = box.mails.length;
    assert.is.not((await ada.turn('operator')).severity, 'critical');
    await prefer({ defaults: { in_app: true, email: true }, min_severity: { email: 'info' } });
    await ada.turn('viewer');
    await until(async () => box.mails.length > before, 'the mail');
    assert.is(box.mails.length, before + 1);
  });

  test('a mail server that refuses for now gets it later', async () => {
    box.take(false);
    const before = box.mails.length;
    await ada.turn('editor');
    await until(async () => (await one()).last_delivery?.ok === false, 'the failure');
    box.take(true);
    world.later(5_000);
    await until(async () => box.mails.length > before, 'the mail');
    await until(async () => (await one()).last_delivery.ok, 'it being noted');
  });

  test('a digest gathers a day in one mail', async () => {
    const defaults = { defaults: { in_app: true, email: true }, min_severity: { email: 'info' } };
    await prefer({ ...defaults, digest: 'daily' });
    const before = box.mails.length;
    const [first, second] = [await ada.turn('analyst'), await ada.turn('operator')];
    expected(await ada.api.post<Json>(`${base}/${made.channel_id}/test`));
    await until(async () => box.mails.length === before + 1, 'the test alone');
    world.later(25 * 3_600_000);
    await until(async () => box.mails.length === before + 2, 'the digest');
    const { text } = box.mails.at(-1)!;
    for (const { title } of [first, second]) assert.match(text, title.slice(0, 30));
    await prefer({ ...defaults, digest: 'off' });
  });

  test('the code of a mail goes to no feed and no list', async () => {
    const text = JSON.stringify([
      expected(await ada.api.get<Json>(base)),
      expected(await ada.api.get<Json>('/v1/notifications?per_page=100')),
    ]);
    assert.is(text.includes(codeIn(box.mails[0]!.text)), false);
  });
});

suite('acceptance: slack', test => {
  test('a channel of slack is opened by a code, gets text, and shows its address to nobody', async () => {
    const world = await openWorld(LOCAL);
    const receiver = await receive();
    try {
      const ada = await person(world);
      const body = { type: 'slack', name: 'War room', target: `${receiver.url}/services/T0/B0/SECRETPART` };
      const made = expected(await ada.api.post<Json>(base, body), 201).data;
      assert.is(made.status, 'pending_verification');
      const asked = await receiver.received(({ path }) => path === '/services/T0/B0/SECRETPART');
      assert.type(asked.body.text, 'string');
      expected(
        await ada.api.post<Json>(`${base}/${made.channel_id}/verify`, {
          code: codeIn(`\n\n${asked.body.text}`),
        }),
      );
      const channel = expected(await ada.api.get<Json>(`${base}/${made.channel_id}`)).data;
      assert.is(channel.status, 'active');
      const kinds = { 'workspace.role_changed': { [made.channel_id]: true } };
      expected(await ada.api.put<Json>('/v1/notifications/preferences', { kinds }));
      const item = await ada.turn('editor');
      const told = await receiver.received(each => String(each.body.text).includes(item.title));
      assert.ok(told.raw.length > 0);
      const seen = JSON.stringify([made, channel, expected(await ada.api.get<Json>(base))]);
      assert.is(seen.includes('SECRETPART'), false);
    } finally {
      receiver.close();
      await world.close();
    }
  });
});

suite('acceptance: without a mail server', test => {
  test('email is refused, and it is said what an operator must set', async () => {
    const world = await openWorld();
    try {
      const body = { type: 'email', name: 'Desk', target: 'ada@example.com' };
      const answer = await world.api.post<Json>(base, body);
      assert.ok(answer.status >= 400, String(answer.status));
      assert.match(refused(answer, answer.status).message, 'SMTP_URL');
      assert.match(places(await world.api.post<Json>(base, { ...body, type: 'pigeon' })).join(), 'body.type');
    } finally {
      await world.close();
    }
  });
});
