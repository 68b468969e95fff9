import * as assert from 'uvu/assert';
import { MINUTE, SECOND } from '../../domain/time.js';
import { suite } from '../suite.js';
import { accountWorld, codeAt, type AccountWorld } from './account-world.js';
import type { Answered, Client } from './client.js';

const refused = ({ status, body }: Answered, expected: number, code: string) =>
  assert.equal([status, body.error.code], [expected, code]);
const STEP = 30 * SECOND;

type Enabled = {
  readonly uid: string;
  readonly by: Client;
  readonly secret: string;
  readonly codes: string[];
};
type Verified = {
  data: { verified: true; method: string; totp_verified_at: string; recovery_codes_remaining: number };
};

suite('a second factor', test => {
  let world: AccountWorld;
  let service: Client;
  let people = 0;
  test.before(async () => {
    world = await accountWorld();
    service = world.as(await world.people.token(world.api.installed.uid, { internal: true, scopes: [] }));
  });
  test.after(() => world.close());
  const person = async () => {
    const { uid, token } = await world.people.person(`p${people++}@example.org`);
    return { uid, by: world.as(token) };
  };
  const enroll = async (by: Client): Promise<string> => {
    const {
      status,
      body: { data },
    } = await by.post('/v1/user/totp/enroll');
    assert.is(status, 201);
    assert.is(new URL(data['otpauth_uri'] as string).searchParams.get('secret'), data['secret']);
    return data['secret'] as string;
  };
  const enabled = async (): Promise<Enabled> => {
    const { uid, by } = await person();
    const secret = await enroll(by);
    // At the beginning of a step: none ends in the middle of a test
    world.later(STEP - (world.now() % STEP));
    const {
      body: { data },
    } = await by.post('/v1/user/totp/confirm', { code: codeAt(secret, world.now()) });
    return { uid, by, secret, codes: data['recovery_codes'] as string[] };
  };
  const verify = (uid: string, code: string) =>
    service.post<Verified>('/v1/user/ops/verify-2fa', { uid, code });
  const refusedVerify = async (uid: string, code: string) =>
    verify(uid, code) as unknown as Promise<Answered>;
  const isEnabled = async (by: Client) => (await by.get('/v1/user/me')).body.data['totp_enabled'];

  test('is enrolled and confirmed; secret and recovery codes are shown once', async () => {
    const { by } = await person();
    const key = { 'idempotency-key': 'k' };
    const first = await enroll(by);
    const secret = await enroll(by);
    assert.not.equal(first, secret);
    refused(
      await by.post('/v1/user/totp/confirm', { code: codeAt(first, world.now()) }),
      401,
      'invalid_2fa_code',
    );
    assert.is(await isEnabled(by), false);
    const code = codeAt(secret, world.now());
    const {
      body: { data },
    } = await by.post('/v1/user/totp/confirm', { code }, key);
    assert.equal(
      [data['totp_enabled'], (data['recovery_codes'] as string[]).length, await isEnabled(by)],
      [true, 10, true],
    );
    assert.equal((await by.post('/v1/user/totp/confirm', { code }, key)).body.data, { totp_enabled: true });
    refused(await by.post('/v1/user/totp/enroll'), 409, 'totp_already_enabled');
    refused(await by.post('/v1/user/totp/confirm', { code }), 409, 'totp_not_enrolled');
  });

  test('a code is right one step early or late, and once', async () => {
    const { uid, secret } = await enabled();
    await refusedVerify(uid, codeAt(secret, world.now())).then(answer =>
      refused(answer, 401, 'invalid_2fa_code'),
    );
    refused(await refusedVerify(uid, codeAt(secret, world.now() + 2 * STEP)), 401, 'invalid_2fa_code');
    const {
      status,
      body: { data },
    } = await verify(uid, codeAt(secret, world.now() + STEP));
    assert.equal(
      [status, data.verified, data.method, data.recovery_codes_remaining],
      [200, true, 'totp', 10],
    );
    refused(await refusedVerify(uid, codeAt(secret, world.now() + STEP)), 401, 'invalid_2fa_code');
    refused(await refusedVerify(uid, codeAt(secret, world.now())), 401, 'invalid_2fa_code');
    world.later(3 * STEP);
    assert.is((await verify(uid, codeAt(secret, world.now() - STEP))).status, 200);
  });

  test('a recovery code works once, however it is typed', async () => {
    const {
      uid,
      codes: [one, two],
    } = await enabled();
    const {
      body: { data },
    } = await verify(uid, one!);
    assert.equal([data.method, data.recovery_codes_remaining], ['recovery_code', 9]);
    refused(await refusedVerify(uid, one!), 401, 'invalid_2fa_code');
    assert.is(
      (await verify(uid, ` ${two!.toLowerCase().replaceAll('-', ' ')} `)).body.data.recovery_codes_remaining,
      8,
    );
  });

  test('one code given many times at once is right once', async () => {
    const {
      uid,
      secret,
      codes: [one],
    } = await enabled();
    world.later(STEP);
    for (const code of [one!, codeAt(secret, world.now())]) {
      const answers = await Promise.all(Array.from({ length: 4 }, () => verify(uid, code)));
      assert.equal(answers.map(({ status }) => status).sort(), [200, 401, 401, 401]);
    }
  });

  test('five wrong codes, then none for 15 minutes, also after a restart', async () => {
    const { uid, secret } = await enabled();
    for (let left = 4; left >= 0; left--) {
      const { status, body } = await refusedVerify(uid, '000000');
      const { attempts_remaining, reset_at } = body.error.details;
      assert.equal([status, attempts_remaining], [401, left]);
      assert.ok(Math.abs(Date.parse(reset_at as string) - world.now() - 15 * MINUTE) < 10 * SECOND);
    }
    world.later(STEP);
    const locked = await refusedVerify(uid, codeAt(secret, world.now()));
    refused(locked, 429, 'too_many_attempts');
    assert.ok(Number(locked.headers['retry-after']) > 14 * 60);
    await world.restart();
    service = world.as(await world.people.token(world.api.installed.uid, { internal: true, scopes: [] }));
    refused(await refusedVerify(uid, codeAt(secret, world.now())), 429, 'too_many_attempts');
    const { uid: other, secret: theirs } = await enabled();
    world.later(STEP);
    assert.is((await verify(other, codeAt(theirs, world.now()))).status, 200);
    world.later(15 * MINUTE);
    assert.is((await verify(uid, codeAt(secret, world.now()))).status, 200);
  });

  test('wrong codes at once do not exceed the budget', async () => {
    const { uid } = await enabled();
    const answers = await Promise.all(Array.from({ length: 9 }, (_, i) => refusedVerify(uid, `00000${i}`)));
    assert.is(answers.filter(({ status }) => status === 401).length, 5);
    assert.is(answers.filter(({ status }) => status === 429).length, 4);
  });

  test('new recovery codes take a code, and end the old ones', async () => {
    const {
      uid,
      by,
      secret,
      codes: [old],
    } = await enabled();
    refused(await by.post('/v1/user/totp/recovery-codes', { code: '000000' }), 401, 'invalid_2fa_code');
    world.later(STEP);
    const {
      status,
      body: { data },
    } = await by.post('/v1/user/totp/recovery-codes', { code: codeAt(secret, world.now()) });
    const fresh = data['recovery_codes'] as string[];
    assert.equal([status, fresh.length], [201, 10]);
    refused(await refusedVerify(uid, old!), 401, 'invalid_2fa_code');
    assert.is((await verify(uid, fresh[0]!)).status, 200);
  });

  test('to do without it takes a code', async () => {
    const {
      uid,
      by,
      codes: [code],
    } = await enabled();
    refused(await by.post('/v1/user/totp/disable', { code: 'wrong' }), 401, 'invalid_2fa_code');
    refused(await by.post('/v1/user/totp/disable'), 422, 'validation_error');
    assert.equal((await by.post('/v1/user/totp/disable', { code })).body, { status: 'ok' });
    assert.is(await isEnabled(by), false);
    refused(await refusedVerify(uid, code!), 409, 'totp_not_enabled');
    refused(await by.post('/v1/user/totp/disable', { code }), 409, 'totp_not_enabled');
    await enroll(by);
  });

  test('only services may ask, and only for users that there are', async () => {
    const { uid } = await enabled();
    const body = { uid, code: '123456' };
    for (const path of ['verify-2fa', 'exchange'])
      refused(await world.client.post(`/v1/user/ops/${path}`, body), 403, 'internal_token_required');
    refused(await world.client.as({}).post('/v1/user/ops/verify-2fa', body), 401, 'authorization_required');
    refused(await refusedVerify('usr_none', '123456'), 404, 'not_found');
    refused(await refusedVerify((await person()).uid, '123456'), 409, 'totp_not_enabled');
  });
});
