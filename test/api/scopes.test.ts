import * as assert from 'uvu/assert';
import { isOpen, type Access, type Row } from '../../api/edge/row.js';
import { roles, type Role } from '../../domain/groups/roles.js';
import { scopes, type Scope } from '../../domain/tokens/scopes.js';
import type { Installed } from '../../commands/installation.js';
import type { People, Person } from '../people.js';
import { send, type Answer, type Running } from '../platform.js';
import { suite } from '../suite.js';
import {
  leastInGroup,
  leastInstead,
  leastInWorkspace,
  leastRole,
  needsOf,
  needsUnlimited,
  needsWorkspace,
  type Needs,
} from './expected-access.js';
import { bodyOf, filled } from './requests.js';
import { accessWorld, groupRow, nowhere, refused, type NamedRow } from './access-world.js';

suite('who may call what, row by row', test => {
  let api: Running;
  let people: People;
  let rows: readonly NamedRow[];
  let stranger: Installed;
  let close: () => Promise<void>;
  const tokens = new Map<string, string>();
  test.before(async () => {
    ({ api, people, rows, stranger, close } = await accessWorld());
  });
  test.after(() => close());

  /** A token of the installation's owner with just these scopes. */
  const tokenWith = async (wanted: readonly Scope[]): Promise<string> => {
    const name = wanted.join();
    const known = tokens.get(name) ?? (await people.token(api.installed.uid, { scopes: wanted }));
    tokens.set(name, known);
    return known;
  };
  /**
   * The row's path with something in the place of each parameter, no body, and only the headers that are
   * given.
   */
  const knock = (row: Row, { token, workspace }: { token?: string; workspace?: string }): Promise<Answer> =>
    send(
      api.base,
      row.method.toUpperCase(),
      filled(row.path, () => 'some_id'),
      { token: '', workspaceId: '' },
      {
        headers: {
          authorization: token === undefined ? '' : `Bearer ${token}`,
          'x-workspace-id': workspace ?? '',
        },
      },
    );
  const here = () => api.installed.workspaceId;

  test('the running server has these rows and no others', async () => {
    const { paths } = (await api.call('GET', '/openapi/v1.json')).json as {
      paths: Record<string, Record<string, unknown>>;
    };
    const served = Object.entries(paths).flatMap(([path, item]) =>
      Object.keys(item).map(method => `${method} ${path}`),
    );
    assert.equal(served.sort(), rows.map(({ method, path }) => `${method} ${path}`).sort());
  });

  test('every row asks for what it should', () => {
    for (const { verb, path, access } of rows) {
      const needs = needsOf(verb, path);
      const what = `${verb} ${path}`;
      assert.equal(askedBy(access), needs, what);
      assert.is(access.kind === 'workspace', needsWorkspace(verb, path), what);
      assert.is('everywhere' in access, needsUnlimited(verb, path), what);
    }
  });

  test('no token: 401; a token that nobody has: 401', async () => {
    for (const row of rows) {
      if (needsOf(row.verb, row.path) === 'nothing') continue;
      const bare = await knock(row, { workspace: here() });
      refused(bare, 401, 'authorization_required', `${row.verb} ${row.path}`);
      assert.is(bare.headers.get('www-authenticate'), 'Bearer realm="presage"');
      refused(
        await knock(row, { workspace: here(), token: 'psg_live_none' }),
        401,
        'token_invalid',
        `${row.verb} ${row.path}`,
      );
    }
  });

  test('no workspace: 400; no member of it: 403, whether it exists or not', async () => {
    for (const row of rows.filter(({ verb, path }) => needsWorkspace(verb, path))) {
      const what = `${row.verb} ${row.path}`;
      const missing = await knock(row, { token: api.installed.token });
      refused(missing, 400, 'workspace_required', what);
      assert.is(missing.json.error.message, 'Workspace ID required');
      for (const workspace of [
        stranger.workspaceId,
        nowhere,
        stranger.organizationId,
        api.installed.organizationId,
      ])
        refused(
          await knock(row, { token: api.installed.token, workspace }),
          403,
          'workspace_forbidden',
          what,
        );
      const elsewhere = await people.token(api.installed.uid, { workspaceIds: [nowhere] });
      refused(await knock(row, { token: elsewhere, workspace: here() }), 403, 'workspace_forbidden', what);
    }
  });

  test('a scope is missing: 403 that names it; with the scope alone the door is open', async () => {
    for (const row of rows) {
      const needs = needsOf(row.verb, row.path);
      const what = `${row.verb} ${row.path}`;
      const wanted = typeof needs === 'string' ? [] : needs;
      for (const missing of wanted) {
        const granted = scopes.filter(scope => scope !== missing).sort();
        const answer = await knock(row, { token: await tokenWith(granted), workspace: here() });
        refused(answer, 403, 'insufficient_scope', what);
        const { request_id: _, ...details } = answer.json.error.details;
        assert.equal(details, { required: wanted, granted }, what);
        assert.is(
          answer.headers.get('www-authenticate'),
          `Bearer error="insufficient_scope", scope="${wanted.join(' ')}"`,
        );
      }
      if (needs === 'nothing') continue;
      const { status, json } = await knock(row, { token: await tokenWith(wanted), workspace: here() });
      if (needs === 'internal token')
        assert.equal([status, json.error.code], [403, 'internal_token_required'], what);
      else
        assert.not.ok(
          [400, 401, 403].includes(status) && /scope|role|workspace|token/.test(json?.error?.code),
          `${what} ${status}`,
        );
    }
  });

  test('a token that is limited to some workspaces: 403 for what stands above them', async () => {
    const token = await people.token(api.installed.uid, { workspaceIds: [here()] });
    for (const row of rows.filter(
      ({ verb, path }) => !['nothing', 'internal token'].includes(needsOf(verb, path) as string),
    )) {
      const answer = await knock(row, { token, workspace: here() });
      const what = `${row.verb} ${row.path}`;
      if (needsUnlimited(row.verb, row.path)) refused(answer, 403, 'token_limited', what);
      else assert.not.equal(answer.json?.error?.code, 'token_limited', what);
    }
  });

  test('a role is too low: 403, from the least that may on it is not', async () => {
    const members = new Map<Role, Person>();
    for (const role of roles) {
      const person = await people.person(`${role}@example.org`);
      await people.join('workspace', here(), person.uid, role);
      members.set(role, person);
    }
    for (const row of rows.filter(({ verb, path }) => needsWorkspace(verb, path)))
      for (const role of roles) {
        const wanted = needsOf(row.verb, row.path) as readonly Scope[];
        const instead = leastInstead(row.verb, row.path);
        const ofScopes = instead ? [instead] : wanted.map(leastRole);
        const least = [leastInWorkspace(row.verb, row.path), ...ofScopes];
        const may = least.every(one => above(role, one));
        const { status, json } = await knock(row, { token: members.get(role)!.token, workspace: here() });
        if (may) assert.is.not(status, 403, `${row.verb} ${row.path} as ${role}`);
        else
          assert.equal(
            [status, json.error.code],
            [403, 'role_forbidden'],
            `${row.verb} ${row.path} as ${role}`,
          );
      }
  });

  test('in a workspace or organization itself, too', async () => {
    for (const row of rows.filter(({ path }) => groupRow.test(path))) {
      const kind = row.path.startsWith('/v1/workspace') ? 'workspace' : 'organization';
      const context = people.operator();
      const { groupId } =
        kind === 'workspace'
          ? await people.groups.createWorkspace(
              stranger.uid,
              { name: 'N', organizationId: stranger.organizationId },
              context,
            )
          : await people.groups.createOrganization(stranger.uid, { name: 'N' }, context);
      for (const role of roles) {
        const person = await people.person('member@example.org');
        const target = await people.person('target@example.org');
        await people.join(kind, groupId, person.uid, role);
        await people.join(kind, groupId, target.uid, 'viewer');
        const invited = await people.groups.invite(
          kind,
          groupId,
          null,
          `${person.uid}@example.org`,
          'viewer',
          people.operator(),
        );
        await api.platform.visible(invited.position);
        const ids: Record<string, string> = { uid: target.uid, invitation_id: invited.invitationId };
        const path = filled(row.path, name => ids[name] ?? groupId);
        const { status, json } = await send(
          api.base,
          row.verb,
          path,
          { token: person.token, workspaceId: '' },
          bodyOf(row, { confirm: 'N', role: 'viewer', email: 'x@example.org' }),
        );
        const what = `${row.verb} ${row.path} as ${role}`;
        if (!above(role, leastInGroup(row.verb, row.path)))
          assert.equal([status, json.error.code], [403, 'role_forbidden'], what);
        else
          assert.ok(
            status < 300 || (status === 409 && json.error.code === 'already_invited'),
            `${what}: ${status} ${json?.error?.message}`,
          );
      }
    }
  });
});

const above = (role: Role, least: Role): boolean => roles.indexOf(role) >= roles.indexOf(least);

function askedBy(access: Access): Needs {
  if (isOpen(access)) return 'nothing';
  if (access.kind === 'internal') return 'internal token';
  const scopes = [access.scope ?? []].flat();
  return scopes.length === 0 ? 'token' : scopes;
}
