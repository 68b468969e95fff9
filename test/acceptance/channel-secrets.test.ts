import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { presage } from '../cli/presage.js';
import type { Json } from '../json.js';
import { suite } from '../suite.js';
import { person, type Person } from './inbox.js';
import { LOCAL, receive, verify, type Receiver } from './receivers.js';
import { expected, openWorld, type World } from './world.js';

// Secrets are shown once (open-parts 21): whoever operates the platform sees none, while it runs or stands,
// and no file holds one, nor a whole target. Readings: so are codes, and the secret of a second factor.

suite('acceptance: secrets of channels', test => {
  let world: World;
  let ada: Person;
  let receiver: Receiver;
  let [secret, code, factor] = ['', '', ''];
  const key = { 'idempotency-key': 'channel-1' };
  test.before(async () => {
    world = await openWorld(LOCAL);
    ada = await person(world);
    receiver = await receive();
    const add = async (type: string) => {
      const body = { type, name: 'Ops', target: `${receiver.url}/secret-place/${type}` };
      const sent = { method: 'POST', path: '/v1/notifications/channels', body };
      return expected(
        await ada.api.send<Json>({ ...sent, ...(type === 'webhook' && { headers: key }) }),
        201,
      );
    };
    secret = (await add('webhook')).data.secret;
    assert.match(secret, /^whsec_/);
    const { channel_id } = (await add('slack')).data;
    const path = `/v1/notifications/channels/${channel_id}`;
    const target = `${receiver.url}/secret-place/again`;
    const { body } = await receiver.received(each => each.path.endsWith('/slack'), 'a code');
    code = /\d{6,8}/.exec(body.text)![0];
    expected(await ada.api.patch<Json>(path, { target }));
    factor = expected(await ada.api.post<Json>('/v1/user/totp/enroll', {}), 201).data.secret;
    assert.ok(factor.length > 10);
  });
  test.after(async () => {
    receiver.close();
    await world.close();
  });
  const hidden = (text: string, where: string): void => {
    for (const each of [secret, secret.slice('whsec_'.length), factor, 'secret-place', `"code":"${code}"`])
      assert.is(text.includes(each), false, `${where} holds ${each}`);
  };

  test('the audit stars them, and tells all else', async () => {
    await world.restart(async () => {
      const env = { DATA_DIR: world.folder, LOG_LEVEL: 'trace', ...LOCAL };
      for (const args of [['audit'], ['audit', '--ndjson'], ['doctor'], ['replay', '--verify']]) {
        const { stdout, stderr } = await presage(args, env);
        hidden(stdout + stderr, args.join(' '));
      }
      const { stdout } = await presage(['audit', '--ndjson'], env);
      const facts = stdout.trim().split('\n');
      const personal = (type: string): Json[] =>
        facts
          .map(line => JSON.parse(line) as Json)
          .filter(fact => fact.type === type)
          .map(({ data }) => data.personal);
      const [of, target] = [ada.uid, `${receiver.url}/***`];
      assert.equal(personal('ChannelAdded'), [
        { of, name: 'Ops', target, secret: '***' },
        { of, name: 'Ops', target, secret: null },
      ]);
      assert.equal(personal('ChannelRetargeted'), [{ of, target }]);
      assert.equal(personal('ChannelCodeIssued')[0], { of, code: '***' });
      assert.equal(personal('TotpEnrolled'), [{ of, secret: '***' }]);
    });
  });

  test('no file holds them', async () => {
    await world.restart(async () => {
      const files = readdirSync(world.folder, { recursive: true, withFileTypes: true });
      const names = files.filter(file => file.isFile()).map(file => join(file.parentPath, file.name));
      assert.ok(names.length > 3, 'files to look through');
      for (const name of names) hidden(readFileSync(name, 'latin1'), name);
    });
  });

  test('what is signed with them is as before', async () => {
    const seen = receiver.got.length;
    const { channels } = expected(await ada.api.get<Json>('/v1/notifications/channels')).data;
    const { channel_id } = channels.find((each: Json) => each.type === 'webhook');
    expected(await ada.api.post<Json>(`/v1/notifications/channels/${channel_id}/test`));
    const delivery = await receiver.received(each => receiver.got.indexOf(each) >= seen, 'the test');
    assert.match(delivery.path, '/secret-place/webhook');
    verify(delivery, secret);
  });
});
