import * as assert from 'uvu/assert';
import { suite } from '../suite.js';
import type { Client } from './client.js';
import { channelsApi, PATH as CHANNELS } from './channels-world.js';
import type { Json } from '../json.js';

suite('no change of what is set is lost', test => {
  let world: Awaited<ReturnType<typeof channelsApi>>;
  let client: Client;
  test.before(async () => {
    world = await channelsApi();
    const { token, workspaceId } = world.api.installed;
    client = world.clientFor({ token, workspaceId });
  });
  test.after(() => world.close());

  type Change = (headers: Record<string, string>, body: object) => Promise<{ status: number; body: Json }>;
  const patching =
    (path: string): Change =>
    (headers, body) =>
      client.patch<Json>(path, body, headers);

  /** Two who have read the same: the first changes it, the second is refused, and reads again. */
  const guarded = async (etag: unknown, change: Change, bodies: readonly [object, object]): Promise<void> => {
    assert.match(String(etag), /^"\d+/);
    const seen = { 'if-match': String(etag) };
    const [one, two] = bodies;
    assert.is((await change(seen, one)).status, 200);
    const late = await change(seen, two);
    assert.equal([late.status, late.body.error.code], [409, 'version_conflict']);
    const { version } = late.body.error.details;
    assert.is((await change({ 'if-match': `"${version}"` }, two)).status, 200);
    assert.is((await change({ 'if-match': '*' }, one)).status, 200);
    assert.is((await change({}, two)).status, 200);
    assert.is((await change({ 'if-match': '"no tag of ours"' }, one)).status, 409);
  };
  const etagOf = async (path: string) => {
    const { headers } = await client.get(path);
    const known = { 'if-none-match': headers.etag! };
    assert.is((await client.get(path, known)).status, 304);
    return headers.etag;
  };

  for (const kind of ['workspace', 'organization'] as const)
    test(`of a ${kind}`, async () => {
      const { workspaceId, organizationId } = world.api.installed;
      const path = `/v1/${kind}/${kind === 'workspace' ? workspaceId : organizationId}`;
      await guarded(await etagOf(path), patching(path), [{ name: 'One' }, { name: 'Two' }]);
      const confirmed = { confirm: 'Two' };
      const headers = { 'if-match': '"1"' };
      const late = await client.send({ method: 'DELETE', path, body: confirmed, headers });
      assert.equal([late.status, late.body.error.code], [409, 'version_conflict']);
      assert.is((await client.get<Json>(path)).body.data.archived_at, null);
    });

  test('of a token, the version of which is in the list', async () => {
    const path = '/v1/user/api-tokens';
    const { body: made } = await client.post<Json>(path, { name: 'n', scopes: ['data.read'] });
    const { token_id: id, version } = made.data;
    assert.is(version, 1);
    const one = `${path}/${id}`;
    await guarded(`"${version}"`, patching(one), [{ name: 'One' }, { name: 'Two' }]);
    const listed: Json[] = (await client.get<Json>(`${path}?per_page=100`)).body.data.tokens;
    assert.is(listed.find(({ token_id }) => token_id === id).version, 5);
    assert.is((await client.delete(one, { 'if-match': '"1"' })).status, 409);
    const changed = await client.patch(one, { name: 'Three' });
    assert.is((await client.delete(one, { 'if-match': changed.headers.etag! })).status, 200);
  });

  test('of a channel: what happens to it by itself refuses nobody', async () => {
    const made = await client.post<Json>(CHANNELS, { type: 'email', target: 'ann@example.org' });
    assert.is(made.status, 201, made.text);
    const one = `${CHANNELS}/${made.body.data.channel_id}`;
    await etagOf(`${CHANNELS}/in_app`);
    await guarded(await etagOf(one), patching(one), [{ name: 'One' }, { name: 'Two' }]);
    const before = await etagOf(one);
    await client.post(`${one}/verify`);
    assert.is((await client.patch(one, { name: 'Three' }, { 'if-match': before! })).status, 200);
    assert.is((await client.delete(one, { 'if-match': before! })).status, 409);
    const tried = await client.delete<Json>(`${one}?dry_run=true`);
    assert.equal(tried.body.data, { dry_run: true, channel_id: made.body.data.channel_id });
    assert.is((await client.delete(one, { 'if-match': '*' })).status, 200);
  });

  test('of preferences', async () => {
    const path = '/v1/notifications/preferences';
    const put: Change = (headers, body) => client.put<Json>(path, body, headers);
    await guarded(await etagOf(path), put, [{ digest: 'daily' }, { digest: 'weekly' }]);
  });

  test('of the settings of billing', async () => {
    const path = '/v1/billing/settings';
    const [one, two] = [{ low_balance_threshold: '1.000' }, { low_balance_threshold: '2.000' }];
    await guarded(await etagOf(path), patching(path), [one, two]);
    assert.equal((await client.get(path)).body.data, two);
  });

  test('of the caller, whom no version guards: the ETag is of all that is shown', async () => {
    const before = await etagOf('/v1/user/me');
    await client.post('/v1/user/update-profile', { name: 'Somebody else' });
    assert.is.not(await etagOf('/v1/user/me'), before);
  });

  test('every single item has an ETag, and what changes or deletes one takes it', () => {
    const { rows } = world.api.platform;
    const items = rows.filter(({ method, path }) => method === 'get' && path.endsWith('}'));
    assert.equal(
      items.filter(({ versioned }) => !versioned).map(({ path }) => path),
      [],
    );
    const changes = rows.filter(({ method }) => ['put', 'patch', 'delete'].includes(method));
    const changed = new Set(changes.map(({ path }) => path));
    const ofItems = [...items, ...changes.filter(({ path }) => items.some(item => item.path === path))];
    assert.equal(
      ofItems
        .filter(({ path, versioned }) => changed.has(path) !== (versioned === true))
        .map(({ path }) => path),
      [],
    );
  });

  test('a change meant for one version is refused where there are none', async () => {
    const { uid, workspaceId } = world.api.installed;
    const member = `/v1/workspace/${workspaceId}/members/${uid}`;
    const refused = await client.patch(member, { role: 'owner' }, { 'if-match': '"1"' });
    const [fault] = refused.body.detail;
    assert.equal(
      [refused.status, fault!.loc, fault!.msg],
      [422, ['header', 'If-Match'], 'is not supported here; nothing was done'],
    );
    assert.is((await client.patch(member, { role: 'owner' }, { 'if-match': '*' })).status, 200);
    const stream = '/v1/event/streams/none';
    assert.is((await client.delete(stream, { 'if-match': '"1"' })).status, 422);
    assert.is((await client.delete(stream)).status, 200);
  });
});
