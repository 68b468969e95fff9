import * as assert from 'uvu/assert';
import { readConfig } from '../../config.js';
import { MINUTE, SECOND } from '../../domain/time.js';
import { suite } from '../suite.js';
import { accountWorld, codeAt, OPS_URI, OTHER_URI, type AccountWorld } from './account-world.js';
import type { Answered, Client } from './client.js';

const refused = ({ status, body }: Answered, expected: number, code: string) =>
  assert.equal([status, body.error.code], [expected, code]);

suite('sign-in with internal applications', test => {
  let world: AccountWorld;
  let service: Client;
  test.before(async () => {
    world = await accountWorld();
    service = world.as(await world.people.token(world.api.installed.uid, { internal: true, scopes: [] }));
  });
  test.after(() => world.close());
  const authorize = async (redirect_uri = OPS_URI) =>
    (await world.client.post('/v1/user/ops/authorize', { redirect_uri })).body.data;
  const exchange = (code: unknown, redirect_uri = OPS_URI) =>
    service.post('/v1/user/ops/exchange', { code, redirect_uri });

  test('a code for an allowed address is exchanged for the user', async () => {
    const { code, redirect_uri, redirect_to, expires_at, expires_in_seconds } = await authorize();
    assert.match(code as string, /^[A-Za-z0-9_-]{43}$/);
    assert.equal(
      [redirect_uri, redirect_to, expires_in_seconds],
      [OPS_URI, `${OPS_URI}&code=${code as string}`, 60],
    );
    assert.ok(Math.abs(Date.parse(expires_at as string) - world.now() - MINUTE) < 10 * SECOND);
    const {
      status,
      body: { data },
    } = await exchange(code);
    assert.equal(
      [status, data],
      [
        200,
        {
          uid: world.api.installed.uid,
          email: 'a@example.org',
          name: 'A',
          totp_enabled: false,
          totp_verified_at: null,
        },
      ],
    );
  });

  test('only exactly allowed addresses', async () => {
    for (const redirect_uri of [
      `${OPS_URI}&x=1`,
      OPS_URI.slice(0, -1),
      OPS_URI.toUpperCase(),
      'https://ops.example.org',
      ' ',
      `${OPS_URI},${OTHER_URI}`,
    ])
      refused(
        await world.client.post('/v1/user/ops/authorize', { redirect_uri }),
        400,
        'redirect_uri_not_allowed',
      );
    for (const body of [{}, { redirect_uri: 7 }, { redirect_uri: '' }])
      refused(await world.client.post('/v1/user/ops/authorize', body), 422, 'validation_error');
  });

  test('used, late, for another address or made up: one answer', async () => {
    const messages = new Set<string>();
    const no = async (code: unknown, uri?: string) => {
      const {
        status,
        body: { error },
      } = await exchange(code, uri);
      messages.add(`${status} ${error.code} ${error.message}`);
    };
    const [used, foreign, late] = [await authorize(), await authorize(), await authorize()].map(
      ({ code }) => code,
    );
    await exchange(used);
    await no(used);
    await no(foreign, OTHER_URI);
    await no('made-up');
    world.later(MINUTE);
    await no(late);
    assert.equal([...messages], ['400 invalid_code The code is not valid']);
    refused(await exchange(7), 422, 'validation_error');
  });

  test('a code given to the wrong address is not spent', async () => {
    const { code } = await authorize();
    refused(await exchange(code, OTHER_URI), 400, 'invalid_code');
    assert.is((await exchange(code)).status, 200);
  });

  test('exchanged by many at once it works once, and each further try leaves a trace', async () => {
    const { code } = await authorize();
    const answers = await Promise.all(Array.from({ length: 8 }, () => exchange(code)));
    assert.equal(answers.map(({ status }) => status).sort(), [200, ...Array<number>(7).fill(400)]);
    const facts = (await world.api.platform.stores.events.page(-1, 10_000)).filter(({ journal }) =>
      journal.startsWith('ops_code-'),
    );
    const own = facts.filter(({ journal }) => journal === facts.at(-1)!.journal).map(({ type }) => type);
    assert.equal(own, ['OpsCodeIssued', 'OpsCodeExchanged', ...Array<string>(7).fill('OpsCodeReplayed')]);
    assert.not.ok(JSON.stringify(facts).includes(code as string));
  });

  test('nothing of a code is kept for a repeat under the same key', async () => {
    const key = { 'idempotency-key': 'sign-in' };
    const ask = () => world.client.post('/v1/user/ops/authorize', { redirect_uri: OPS_URI }, key);
    const [first, second] = [await ask(), await ask()];
    assert.not.equal(first.body.data['code'], second.body.data['code']);
    assert.is(second.headers['idempotency-replayed'], undefined);
  });

  test('a configured address that is none is refused at the start', () => {
    for (const address of ['not-one', 'https://[', 'https://a.example, https://b.example'])
      assert.throws(
        () => readConfig({ OPS_REDIRECT_URIS: address }),
        (error: Error) => error.message.startsWith('OPS_REDIRECT_URIS='),
      );
  });
});

suite('wrong codes and the limit of refused tokens', test => {
  test('a service that asks for many users from one address is not shut out', async () => {
    const world = await accountWorld({ env: { RATE_AUTH: '2' } });
    try {
      const service = world.as(await world.people.token(world.api.installed.uid, { internal: true }));
      const {
        data: { secret },
      } = (await world.client.post('/v1/user/totp/enroll')).body;
      await world.client.post('/v1/user/totp/confirm', { code: codeAt(secret as string, world.now()) });
      const body = { uid: world.api.installed.uid, code: '000000' };
      for (let i = 0; i < 4; i++)
        refused(await service.post('/v1/user/ops/verify-2fa', body), 401, 'invalid_2fa_code');
      for (let i = 0; i < 2; i++)
        refused(await world.client.as({}).get('/v1/user/me'), 401, 'authorization_required');
      refused(await world.client.as({}).get('/v1/user/me'), 429, 'rate_limited');
    } finally {
      await world.close();
    }
  });
});
