import { isTimeZone } from '../edge/time-zone.js';
import type { GroupKind } from '../../domain/groups/facts.js';
import { Rejected } from '../../domain/rejected.js';
import type { Role } from '../../domain/groups/roles.js';
import type { OrganizationDoc, WorkspaceDoc } from '../../projections/identity/documents.js';
import { meets } from '../edge/demands.js';
import { contextOf } from '../edge/context.js';
import { notValid } from '../edge/errors.js';
import { perPage } from '../edge/paging.js';
import { row, type Call, type Row } from '../edge/row.js';
import { auditRow } from './audit.js';
import { invitationRows } from './invitations.js';
import { memberRows } from './members.js';
import { pageOf, reads, writes, type Enter, type Group, type GroupDeps } from './deps.js';
import * as schemas from './schemas.js';
import { organizationView, settingsOf, workspaceView } from './views.js';

const notFound = () => new Rejected('missing', 'not_found', 'Not found');
/**
 * Workspaces and organizations: who is in them and what they may do. Open-parts 24; the path decides, no
 * header is needed.
 */
export function groupRows(kind: GroupKind, deps: GroupDeps): Row[] {
  const { commands, queries, demands, clock, visible } = deps;
  const { path, id, plural, tag, item, create, patch } = schemas.kinds[kind];
  /** Who asks others for a second factor must have one. */
  const ownFactor = kind === 'organization' ? ['totp_not_enabled'] : [];
  const params = schemas.groupParams(id);
  const one = `${path}/{${id}}`;
  const name = tag.slice(0, -1);

  const enter: Enter = async ({ caller, params: given }, archivedToo = false) => {
    const groupId = given[id]!;
    const { uid, workspaceIds } = caller;
    const [member, group] = await Promise.all([queries.member(groupId, uid), queries.group(kind, groupId)]);
    if (
      !member
      || !group
      || member.kind !== kind
      || (kind === 'workspace' && workspaceIds && !workspaceIds.includes(groupId))
    )
      throw notFound();
    if (!archivedToo && group.archived_at !== null)
      throw new Rejected('forbidden', 'workspace_archived', 'It is archived; restore it first');
    meets(caller, await demands('organization_id' in group ? group.organization_id : groupId, uid), clock());
    return { id: groupId, role: member.role };
  };
  const view = async (doc: WorkspaceDoc | OrganizationDoc, role: Role) => {
    const members = await queries.memberCount(doc._id);
    if ('organization_id' in doc) return workspaceView(doc, role, members);
    return organizationView(
      doc,
      role,
      members,
      await queries.workspaceCount(doc._id),
      await queries.ownerOf(doc._id),
    );
  };
  const shown = async ({ id: groupId, role }: Group) => {
    const doc = await queries.group(kind, groupId);
    if (!doc) throw notFound();
    return { data: await view(doc, role) };
  };

  return [
    row({
      method: 'get',
      path,
      operation: `list${tag}`,
      summary: `The caller's ${plural}`,
      tag,
      access: reads(kind),
      query: schemas.pageQuery,
      answers: { 200: { description: 'By id', schema: schemas.paged(plural, item) } },
      async run({ caller, query }) {
        const among = kind === 'workspace' ? caller.workspaceIds : null;
        const { items, total } = await queries.groupsOf(kind, caller.uid, pageOf(query), among);
        const rows = await Promise.all(items.map(({ group, role }) => view(group, role)));
        return { body: { data: { [plural]: rows, ...perPage(query, total) } } };
      },
    }),
    row({
      method: 'post',
      path,
      operation: `create${name}`,
      summary: `Create ${kind === 'workspace' ? 'a workspace' : 'an organization'}`,
      tag,
      // A new workspace would lie outside of what a token is limited to
      access: writes('organization'),
      body: create,
      errors: { 403: ['token_limited'], 409: ownFactor },
      answers: { 201: { description: 'The caller is its owner', schema: schemas.answerOf(item) } },
      async run(call) {
        const context = contextOf(call, clock());
        const { uid } = call.caller;
        const body = call.body as typeof call.body & { organization_id?: string };
        const wanted = { ...settingsOf(checked(call.body)), name: call.body.name };
        const { groupId, position } =
          kind === 'organization'
            ? await commands.createOrganization(uid, wanted, context)
            : await commands.createWorkspace(
                uid,
                { ...wanted, organizationId: await organizationFor(call, body.organization_id) },
                context,
              );
        await visible(position);
        return { status: 201, body: await shown({ id: groupId, role: 'owner' }) };
      },
    }),
    row({
      method: 'get',
      path: `${path}/roles`,
      operation: `list${name}Roles`,
      summary: 'What each role may do',
      tag,
      access: reads(kind),
      answers: { 200: { description: 'Each with all of the one before it', schema: schemas.rolesAnswer } },
      run: () => ({ body: { data: { roles: schemas.roleTable } } }),
    }),
    row({
      method: 'get',
      path: one,
      operation: `get${name}`,
      summary: `One ${kind}`,
      tag,
      access: reads(kind),
      params,
      answers: { 200: { description: 'Also when it is archived', schema: schemas.answerOf(item) } },
      run: async call => ({ body: await shown(await enter(call, true)) }),
    }),
    row({
      method: 'patch',
      path: one,
      operation: `change${name}`,
      summary: 'Change its settings',
      tag,
      access: writes(kind),
      params,
      body: patch,
      errors: { 403: ['role_forbidden', 'workspace_archived'], 409: ownFactor },
      answers: { 200: { description: 'As it is now', schema: schemas.answerOf(item) } },
      async run(call) {
        const group = await enter(call);
        const { position } = await commands.change(
          kind,
          group.id,
          call.caller.uid,
          settingsOf(checked(call.body)),
          contextOf(call, clock()),
        );
        await visible(position);
        return { body: await shown(group) };
      },
    }),
    row({
      method: 'delete',
      path: one,
      operation: `archive${name}`,
      summary: 'Archive it; 30 days to undo',
      tag,
      access: writes(kind),
      leastRole: 'owner',
      params,
      body: schemas.archiveBody,
      errors: { 403: ['role_forbidden', 'workspace_archived'] },
      answers: { 200: { description: 'Archived', schema: schemas.deleted } },
      async run(call) {
        const { id: groupId } = await enter(call);
        const { position } = await commands.archive(
          kind,
          groupId,
          call.caller.uid,
          call.body.confirm,
          contextOf(call, clock()),
        );
        await visible(position);
        return { body: { status: 'deleted' } };
      },
    }),
    row({
      method: 'post',
      path: `${one}/restore`,
      operation: `restore${name}`,
      summary: 'Undo the archiving',
      tag,
      access: writes(kind),
      leastRole: 'owner',
      params,
      errors: { 403: ['role_forbidden'], 410: ['not_found'] },
      answers: { 200: { description: 'As it is now', schema: schemas.answerOf(item) } },
      async run(call) {
        const group = await enter(call, true);
        const { position } = await commands.restore(
          kind,
          group.id,
          call.caller.uid,
          contextOf(call, clock()),
        );
        await visible(position);
        return { body: await shown(group) };
      },
    }),
    auditRow(kind, deps, enter),
    ...memberRows(kind, deps, enter),
    ...invitationRows(kind, deps, enter),
  ];

  /** An admin or owner of the organization; without a name, the first that the caller is one of. */
  async function organizationFor(
    { caller }: Call<unknown, unknown, unknown>,
    wanted: string | undefined,
  ): Promise<string> {
    const { items } = await queries.groupsOf(
      'organization',
      caller.uid,
      { limit: 100, offset: 0 },
      wanted === undefined ? null : [wanted],
    );
    const found = items.find(
      ({ role, group }) => (role === 'owner' || role === 'admin') && group.archived_at === null,
    )?.group._id;
    if (found !== undefined) {
      meets(caller, await demands(found, caller.uid), clock());
      return found;
    }
    if (wanted !== undefined && items.length > 0)
      throw new Rejected('forbidden', 'role_forbidden', 'This takes the role admin in the organization', {
        required: 'admin',
      });
    throw notValid([
      {
        loc: ['body', 'organization_id'],
        msg: 'is no organization that you may add workspaces to',
        type: 'not_found',
      },
    ]);
  }
}

function checked<B extends { readonly name?: string }>(body: B): B {
  const { timezone } = body as { readonly timezone?: string };
  if (timezone === undefined || isTimeZone(timezone)) return body;
  throw notValid([
    { loc: ['body', 'timezone'], msg: 'is no IANA time zone', type: 'time_zone', input: timezone },
  ]);
}
