import type { Invited } from '../../commands/groups/invitations.js';
import type { GroupKind } from '../../domain/groups/facts.js';
import { contextOf } from '../edge/context.js';
import { dryQuery, goneOr, wouldBe } from '../edge/dry-run.js';
import { perPage } from '../edge/paging.js';
import { row, type Row } from '../edge/row.js';
import { pageOf, reads, writes, type GroupDeps } from './deps.js';
import type { Enter } from './enter.js';
import * as schemas from './schemas.js';
import { invitationView } from './views.js';

const errors = { 403: ['role_forbidden'], 404: ['not_found'] };
const inviting = {
  403: ['role_forbidden', 'email_domain_not_allowed'],
  404: ['not_found'],
  409: ['already_invited'],
};

/** Invitations to a group as its members see them; its admins make and withdraw them. */
export const invitationRows = (kind: GroupKind, deps: GroupDeps, enter: Enter): Row[] => [
  listRow(kind, deps, enter),
  inviteRow(kind, deps, enter),
  resendRow(kind, deps, enter),
  revokeRow(kind, deps, enter),
];

function listRow(kind: GroupKind, { queries, clock }: GroupDeps, enter: Enter): Row {
  const { one, id, tag, name } = schemas.kinds[kind];
  const schema = schemas.paged('invitations', schemas.listOf.invitation);
  return row({
    method: 'get',
    path: `${one}/invitations`,
    operation: `list${name}Invitations`,
    summary: 'Invitations, newest first',
    tag,
    access: reads(kind),
    params: schemas.groupParams(id),
    query: schemas.pageQuery,
    answers: { 200: { description: 'Without their tokens', schema } },
    async run(call) {
      const group = await enter(call);
      const { items, total } = await queries.invitations(group.id, pageOf(call.query));
      const now = clock();
      const invitations = items.map(invitation => invitationView(invitation, now));
      return { body: { data: { invitations, ...perPage(call.query, total) } } };
    },
  });
}

function inviteRow(kind: GroupKind, { commands, clock, visible }: GroupDeps, enter: Enter): Row {
  const { one, id, tag, name } = schemas.kinds[kind];
  return row({
    method: 'post',
    path: `${one}/invitations`,
    operation: `invite${name}Member`,
    summary: 'Invite somebody',
    tag,
    access: writes(kind),
    // Somebody else is told of it, whoever they are
    policy: 'heavy',
    params: schemas.groupParams(id),
    body: schemas.inviteBody,
    kept: withoutSecrets,
    errors: inviting,
    answers: { 201: { description: 'With the token, this once', schema: schemas.invitationMadeAnswer } },
    async run(call) {
      const group = await enter(call);
      const { uid } = call.caller;
      const { email, role } = call.body;
      const context = contextOf(call, clock());
      const invited = await commands.invite(kind, group.id, uid, email, role, context);
      await visible(invited.position);
      return { status: 201, body: withToken(invited, clock()) };
    },
  });
}

function resendRow(kind: GroupKind, { commands, clock, visible }: GroupDeps, enter: Enter): Row {
  const { one, id, tag, name } = schemas.kinds[kind];
  const description = 'With the new token, this once; the old one is dead';
  return row({
    method: 'post',
    path: `${one}/invitations/{invitation_id}/resend`,
    operation: `resend${name}Invitation`,
    summary: 'A new token and a new week',
    tag,
    access: writes(kind),
    params: schemas.invitationParams(id),
    kept: withoutSecrets,
    errors: { ...inviting, 410: ['invitation_expired'] },
    answers: { 200: { description, schema: schemas.invitationMadeAnswer } },
    async run(call) {
      const group = await enter(call);
      const { uid } = call.caller;
      const context = contextOf(call, clock());
      const invited = await commands.resend(kind, group.id, uid, invitationIn(call.params), context);
      await visible(invited.position);
      return { body: withToken(invited, clock()) };
    },
  });
}

function revokeRow(kind: GroupKind, { commands, tried, clock, visible }: GroupDeps, enter: Enter): Row {
  const { one, id, tag, name } = schemas.kinds[kind];
  return row({
    method: 'delete',
    path: `${one}/invitations/{invitation_id}`,
    operation: `revoke${name}Invitation`,
    summary: 'Withdraw an invitation',
    tag,
    access: writes(kind),
    params: schemas.invitationParams(id),
    query: dryQuery,
    errors,
    answers: { 200: { description: 'Withdrawn', schema: goneOr({ invitation_id: { type: 'string' } }) } },
    async run(call) {
      const group = await enter(call);
      const { uid } = call.caller;
      const invitationId = invitationIn(call.params);
      const context = contextOf(call, clock());
      const by = call.query.dry_run ? tried : commands;
      const { position } = await by.revokeInvitation(kind, group.id, uid, invitationId, context);
      if (call.query.dry_run) return wouldBe({ invitation_id: invitationId });
      await visible(position);
      return { body: { status: 'deleted' } };
    },
  });
}

const invitationIn = (params: Readonly<Record<string, string>>): string => params['invitation_id']!;

function withToken({ invitationId, token, state }: Invited, now: number) {
  const { status, email, role, expiresAt } = state.invitations.get(invitationId)!;
  const doc = { _id: invitationId, email, role, status, invited_at: now, expires_at: expiresAt };
  return { data: { ...invitationView(doc, now), token } };
}

/** What a repeat shows: neither what is shown once nor whose address it is. */
function withoutSecrets(body: unknown) {
  const { token: _, ...data } = (body as ReturnType<typeof withToken>).data;
  return { data: { ...data, email: null } };
}
