import { randomBytes } from 'node:crypto';
import * as assert from 'uvu/assert';
import { workspaceIdIn } from '../../domain/cell.js';
import { tokenValue } from '../../domain/tokens/value.js';
import { suite } from '../suite.js';
import type { Answered } from './client.js';
import { OWNER, WORKSPACE, inWorld, worldOf, type World } from './world.js';

const refused = ({ status, body }: Answered, expected: number, code: string, message?: string): void => {
  assert.equal([status, body.error.code], [expected, code]);
  assert.is(body.status, body.error.message);
  if (message !== undefined) assert.is(body.error.message, message);
};
const toy = '/v1/toys/1';

for (const late of [false, true])
  suite(`auth, identities ${late ? 'promised' : 'at hand'}`, test => {
    let world: World;
    test.before(async () => {
      world = await worldOf({
        cells: [{ name: 'far', url: 'https://far.example' }],
        limits: { auth: { limit: 1000, windowS: 60, per: 'address' } },
      });
      world.people.late = late;
    });
    test.after(() => world.close());
    const get = (token?: string, workspace?: string, path = toy) =>
      world.api
        .as({ ...(token !== undefined && { token }), ...(workspace !== undefined && { workspace }) })
        .get(path);

    test('without a bearer token: 401 authorization_required', async () => {
      const bare = world.api.as({ workspace: WORKSPACE });
      for (const authorization of [undefined, 'Basic YTpi', 'Bearer', world.token]) {
        const answer = await bare.get(toy, { authorization });
        refused(answer, 401, 'authorization_required');
        assert.is(answer.headers['www-authenticate'], 'Bearer realm="presage"');
      }
      assert.is((await bare.get(toy, { authorization: `bearer  ${world.token}` })).status, 200);
    });

    test('a token that is none is refused without a look-up, an unknown one after it', async () => {
      const before = world.people.lookUps;
      const wrong = world.token.slice(0, -1) + (world.token.endsWith('0') ? '1' : '0');
      const answer = await get(wrong, WORKSPACE);
      refused(answer, 401, 'token_invalid');
      assert.match(answer.headers['www-authenticate']!, /^Bearer realm="presage", error="invalid_token"/);
      refused(await get('psg_live_short', WORKSPACE), 401, 'token_invalid');
      assert.is(world.people.lookUps, before);
      refused(await get(tokenValue('here', randomBytes(32)), WORKSPACE), 401, 'token_invalid');
      assert.is(world.people.lookUps, before + 1);
    });

    test('expired tokens to the millisecond, revoked ones whatever the time', async () => {
      const expiring = world.people.issue({ expiresAt: world.now + 1000 });
      assert.is((await get(expiring, WORKSPACE)).status, 200);
      world.now += 1000;
      refused(await get(expiring, WORKSPACE), 401, 'token_expired');
      refused(await get(world.people.issue({ revokedAt: world.now }), WORKSPACE), 401, 'token_revoked');
      const ahead = world.people.issue({ revokedAt: world.now + 5000 });
      refused(await get(ahead, WORKSPACE), 401, 'token_revoked');
    });

    test('no workspace: 400 with the exact message, before any look at membership', async () => {
      refused(await get(world.token), 400, 'workspace_required', 'Workspace ID required');
      assert.is((await get(world.token)).body.error.details['header'], 'X-Workspace-Id');
      refused(await get(world.token, ''), 400, 'workspace_required', 'Workspace ID required');
      refused(await get(undefined), 401, 'authorization_required');
    });

    test("another's workspace is 403, whether it exists or not", async () => {
      world.people.join('wsp_theirs', 'usr_bob');
      refused(await get(world.token, 'wsp_theirs'), 403, 'workspace_forbidden');
      refused(await get(world.token, 'wsp_nowhere'), 403, 'workspace_forbidden');
      refused(
        await get(world.people.issue({ workspaceIds: ['wsp_other'] }), WORKSPACE),
        403,
        'workspace_forbidden',
        'This token is limited to other workspaces',
      );
      assert.is((await get(world.people.issue({ workspaceIds: [WORKSPACE] }), WORKSPACE)).status, 200);
    });

    test('an archived workspace is closed', async () => {
      world.people.join('wsp_old', OWNER, { archivedAt: world.now });
      refused(await get(world.token, 'wsp_old'), 403, 'workspace_archived');
    });

    test('a missing scope is named', async () => {
      const answer = await get(world.people.issue({ scopes: ['goals.read'] }), WORKSPACE);
      refused(answer, 403, 'insufficient_scope');
      const { required, granted } = answer.body.error.details;
      assert.equal([required, granted], [['data.read'], ['goals.read']]);
      assert.is(answer.headers['www-authenticate'], 'Bearer error="insufficient_scope", scope="data.read"');
    });

    test('all of several scopes are needed', async () => {
      const half = world.people.issue({ scopes: ['trainings.run'] });
      const answer = await world.api.as({ token: half, workspace: WORKSPACE }).post('/v1/toys/promote');
      refused(answer, 403, 'insufficient_scope');
      assert.equal(answer.body.error.details.required, ['trainings.run', 'deployments.write']);
      assert.is((await world.api.post('/v1/toys/promote')).status, 200);
    });

    test('a role bounds what its tokens may do', async () => {
      world.people.join(WORKSPACE, 'usr_viewer', { role: 'viewer' });
      const viewer = world.api.as({ token: world.people.issue({ uid: 'usr_viewer' }), workspace: WORKSPACE });
      assert.is((await viewer.get(toy)).status, 200);
      refused(await viewer.post('/v1/toys', { key: 'a', text: 'b' }), 403, 'role_forbidden');
    });

    test('account rows need no workspace, and their scope where one is named', async () => {
      const { status, body } = await world.api
        .as({ token: world.token })
        .get<Record<string, unknown>>('/v1/me');
      assert.equal([status, body.uid, body.workspace, body.chosen], [200, OWNER, null, '']);
      refused(
        await get(world.people.issue({ scopes: ['goals.read'] }), undefined, '/v1/me/tokens'),
        403,
        'insufficient_scope',
      );
      assert.is((await get(world.token, undefined, '/v1/me/tokens')).status, 200);
    });

    test('what lives in another cell is sent there', async () => {
      const expected = { home_cell: 'far', redirect_api_base_url: 'https://far.example' };
      const answers = [
        await get(tokenValue('far', randomBytes(32))),
        await get(world.people.issue({ homeCell: 'far' })),
        await get(world.token, workspaceIdIn('far', '0123456789')),
      ];
      world.people.join('wsp_moved', OWNER, { homeCell: 'far' });
      for (const answer of [...answers, await get(world.token, 'wsp_moved')]) {
        refused(answer, 409, 'wrong_cell');
        const { request_id: _, ...details } = answer.body.error.details;
        assert.equal(details, expected);
      }
      refused(await get(tokenValue('unheard-of', randomBytes(32)), WORKSPACE), 401, 'token_invalid');
    });

    test('401 answers of an address are limited, valid tokens are not', async () => {
      await inWorld({ limits: { auth: { limit: 2, windowS: 60, per: 'address' } } }, async small => {
        const statuses = [];
        for (let i = 0; i < 4; i++) statuses.push((await small.api.as({}).get(toy)).status);
        assert.equal(statuses, [401, 401, 429, 429]);
        const answer = await small.api.as({}).get(toy);
        assert.equal([answer.body.error.details.policy, answer.headers['retry-after']], ['auth', '30']);
        assert.is((await small.api.get(toy)).status, 200);
      });
    });
  });
