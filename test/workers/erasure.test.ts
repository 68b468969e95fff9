import { copyFileSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { replayJob, type Replayed } from '../../cli/jobs/replay.js';
import { projections } from '../../main.js';
import { users } from '../../domain/users/decider.js';
import { identityProjection } from '../../projections/identity/projection.js';
import { collectionName } from '../../projections/engine/projection.js';
import { accountWorld, codeAt, type AccountWorld } from '../api/account-world.js';
import { until } from '../platform.js';
import { suite } from '../suite.js';

const EMAIL = 'zoe.unmistakable@example.org';
const NAME = 'Zoë Unmistakable';
const RENAMED = 'Zoë Otherwise-Called';
const everyone = { running: ['api', 'projections', 'workers'] } as const;

/** The files of a data folder that hold one of these texts, as they stand on the disk. */
const holding = (folder: string, texts: readonly string[]): string[] =>
  readdirSync(folder)
    .filter(file => statSync(join(folder, file)).isFile())
    .filter(file =>
      texts.some(text =>
        [text, JSON.stringify(text).slice(1, -1)].some(form =>
          readFileSync(join(folder, file)).includes(form),
        ),
      ),
    );

async function replayed(world: AccountWorld, verify: boolean): Promise<Replayed[]> {
  const done: Replayed[] = [];
  const { platform, base } = world.api;
  for await (const output of replayJob({ platform, base, signal: new AbortController().signal }, {
    projection: null,
    verify,
  } as never))
    if (output.kind === 'result') done.push(output.result as Replayed);
  return done;
}

suite('erasing a user', test => {
  let world: AccountWorld;
  test.before(async () => {
    world = await accountWorld(everyone);
  });
  test.after(() => world.close());
  const texts = [EMAIL, NAME, RENAMED];
  const shown = async () => (await world.client.get('/v1/user/me')).body.data;

  /** Somebody about whom there is all that can be known, and many others beside, so that pages split. */
  const somebody = async () => {
    for (let i = 0; i < 60; i++) await world.people.person(`${'x'.repeat(i)}${i}@example.org`);
    const { uid, token } = await world.people.person(EMAIL);
    const by = world.as(token);
    for (const name of [NAME, RENAMED])
      await by.post('/v1/user/update-profile', { name }, { 'idempotency-key': name });
    const { secret } = (await by.post('/v1/user/totp/enroll')).body.data;
    await by.post('/v1/user/totp/confirm', { code: codeAt(secret as string, world.now()) });
    // In a group of others, and invited to it and to others; each is asked with a key, whose answer is kept
    const {
      installed: { organizationId, workspaceId },
    } = world.api;
    const invitations: string[] = [];
    await world.people.join('workspace', workspaceId, uid, 'viewer');
    for (const [nth, path] of [
      `/v1/organization/${organizationId}`,
      `/v1/workspace/${workspaceId}`,
      `/v1/organization/${organizationId}`,
    ].entries()) {
      const { data } = (
        await world.client.post(
          `${path}/invitations`,
          { email: EMAIL, role: 'viewer' },
          { 'idempotency-key': `${uid} ${nth}` },
        )
      ).body;
      invitations.push(data['invitation_id'] as string);
      if (nth === 0) await by.post(`/v1/organization/invitations/${data['token'] as string}/decline`);
    }
    for (let i = 60; i < 120; i++) await world.people.person(`${'x'.repeat(i)}${i}@example.org`);
    return { uid, by, secret: secret as string, invitations };
  };
  const nothing = projections.map(() => 0);
  const keyOf = (uid: string) => world.api.platform.stores.vault.known(uid);

  test('takes email, name and second factor out of every file, and stops the tokens', async () => {
    const before = await shown();
    const { uid, by, secret, invitations } = await somebody();
    const more = (await by.post('/v1/user/api-tokens', { name: 'more' })).body.data['token'] as string;
    await world.api.platform.areas.identity.lastUses.flush();
    await until(async () => holding(world.folder, texts).length > 0, 'read models on the disk');

    const { cleared } = await world.api.platform.areas.identity.users.erase(uid, world.people.operator());
    assert.is(cleared, true);
    assert.is(await keyOf(uid), null);
    assert.equal(holding(world.folder, [...texts, secret]), []);
    for (const client of [by, world.as(more)])
      assert.equal([(await client.get('/v1/user/me')).status], [401]);
    assert.equal(
      await world.api.platform.areas.identity.lastUses.last(
        (await tokensOf(uid)).map(({ token_id }) => token_id),
      ),
      new Map(),
    );
    assert.equal(await shown(), before);
    await closed(uid, invitations);
  });

  /** Memberships have ended, what they were invited to is closed, and its keys are thrown away. */
  const closed = async (uid: string, invitations: readonly string[]) => {
    const {
      installed: { organizationId, workspaceId },
      platform: { stores },
    } = world.api;
    type Members = { data: { members: { uid: string }[] } };
    type Invitations = {
      data: { invitations: { invitation_id: string; status: string; email: string | null }[] };
    };
    await until(
      async () =>
        (await Promise.all(invitations.map(id => stores.vault.known(id)))).every(key => key === null),
      'their keys thrown away',
    );
    assert.not.ok(
      (await world.client.get<Members>(`/v1/workspace/${workspaceId}/members`)).body.data.members.some(
        member => member.uid === uid,
      ),
    );
    const listed = (
      await Promise.all(
        [`/v1/organization/${organizationId}`, `/v1/workspace/${workspaceId}`].map(
          async path =>
            (
              await world.client.get<Invitations>(`${path}/invitations?per_page=100`)
            ).body.data.invitations,
        ),
      )
    ).flat();
    assert.equal(
      listed
        .filter(({ invitation_id }) => invitations.includes(invitation_id))
        .map(({ status, email }) => [status, email])
        .sort(),
      [
        ['declined', null],
        ['revoked', null],
        ['revoked', null],
      ],
    );
  };
  const tokensOf = (uid: string) =>
    world.api.platform.stores.models.find<{ _id: string; token_id: string; revoked_at: number | null }>(
      collectionName(identityProjection, 'api_tokens', 0),
      { where: { uid } },
    );

  test('and a replay finds and brings back nothing', async () => {
    assert.equal(
      (await replayed(world, true)).map(({ differences }) => differences),
      nothing,
    );
    await replayed(world, false);
    assert.equal(holding(world.folder, texts), []);
    assert.equal(
      (await replayed(world, true)).map(({ differences }) => differences),
      nothing,
    );
    await world.restart();
    assert.equal(holding(world.folder, texts), []);
    assert.is((await shown())['email'], 'a@example.org');
  });

  test('is finished by the reactor when a crash came between', async () => {
    const { uid, by, invitations } = await somebody();
    const { platform } = world.api;
    await platform.handle(users, { type: 'EraseUser', data: { uid } }, world.people.operator());
    await until(async () => (await keyOf(uid)) === null, 'the key thrown away');
    await until(async () => (await by.get('/v1/user/me')).status === 401, 'the token revoked');
    await closed(uid, invitations);
    assert.equal(holding(world.folder, texts), []);
  });

  test('is finished at the next start when no workers ran', async () => {
    const idle = await accountWorld();
    try {
      const { uid } = await idle.people.person(EMAIL);
      const { position } = await idle.api.platform.handle(
        users,
        { type: 'EraseUser', data: { uid } },
        idle.people.operator(),
      );
      await idle.api.platform.visible(position);
      assert.ok(await idle.api.platform.stores.vault.known(uid));
      await idle.restart(everyone.running);
      await until(
        async () => (await idle.api.platform.stores.vault.known(uid)) === null,
        'the key thrown away',
      );
      assert.equal(holding(idle.folder, [EMAIL]), []);
    } finally {
      await idle.close();
    }
  });

  test('is done again where an older vault was restored', async () => {
    const other = await accountWorld(everyone);
    const file = (name: string) => join(other.folder, name);
    try {
      const { uid } = await other.people.person(EMAIL);
      const known = () => other.api.platform.stores.vault.known(uid);
      await other.restart(everyone.running, () => copyFileSync(file('vault.db'), file('vault.old')));
      await other.api.platform.areas.identity.users.erase(uid, other.people.operator());
      assert.is(await known(), null);
      await other.restart(everyone.running, () => {
        renameSync(file('vault.old'), file('vault.db'));
        for (const derived of ['models.db', 'state.db']) rmSync(file(derived));
      });
      await until(async () => (await known()) === null, 'the key thrown away');
    } finally {
      await other.close();
    }
  });

  test('a token that came late is revoked, too', async () => {
    const { uid } = await world.people.person('late@example.org');
    await world.api.platform.areas.identity.users.erase(uid, world.people.operator());
    const token = await world.people.token(uid);
    await until(
      async () => (await world.as(token).get('/v1/user/me')).status === 401,
      'the late token revoked',
    );
  });

  test('a second time changes nothing', async () => {
    const { uid } = await world.people.person('twice@example.org');
    const { users: commands } = world.api.platform.areas.identity;
    const first = await commands.erase(uid, world.people.operator());
    const second = await commands.erase(uid, world.people.operator());
    assert.equal(second, first);
  });
});
