import { secretHash } from '../../commands/engine/secrets.js';
import type { Invited } from '../../commands/groups/invitations.js';
import { sameEmail } from '../../domain/users/email.js';
import type { GroupKind } from '../../domain/groups/facts.js';
import { Rejected } from '../../domain/rejected.js';
import { iso } from '../../domain/time.js';
import { contextOf } from '../edge/context.js';
import { perPage } from '../edge/paging.js';
import { row, type Caller, type Row } from '../edge/row.js';
import { pageOf, reads, writes, type Enter, type GroupDeps } from './deps.js';
import * as schemas from './schemas.js';
import { invitationView, statusOf } from './views.js';

const anyone = { kind: 'account' } as const;

/** Invitations to a group: made and withdrawn by its admins, answered by whoever is invited. */
export function invitationRows(
  kind: GroupKind,
  { commands, queries, clock, visible }: GroupDeps,
  enter: Enter,
): Row[] {
  const { path, id, tag } = schemas.kinds[kind];
  const invitations = `${path}/{${id}}/invitations`;
  const name = tag.slice(0, -1);
  const params = schemas.invitationParams(id);
  const errors = { 403: ['role_forbidden'], 404: ['not_found'] };
  const inviting = {
    403: ['role_forbidden', 'email_domain_not_allowed'],
    404: ['not_found'],
    409: ['already_invited'],
  };
  const made = ({ invitationId, token, state }: Invited) => {
    const { status, email, role, expiresAt } = state.invitations.get(invitationId)!;
    return {
      data: {
        ...invitationView(
          { _id: invitationId, email, role, status, invited_at: clock(), expires_at: expiresAt },
          clock(),
        ),
        token,
      },
    };
  };
  /** What a repeat shows: neither what is shown once nor whose address it is. */
  const forRepeats = (body: unknown) => {
    const {
      data: { token: _, ...data },
    } = body as ReturnType<typeof made>;
    return { data: { ...data, email: null } };
  };
  const idIn = (given: unknown) => (given as Record<string, string>)['invitation_id']!;

  const found = async (token: string) => {
    const invitation = await queries.invitationBy(secretHash(token));
    if (!invitation || invitation.kind !== kind)
      throw new Rejected('missing', 'not_found', 'Invitation not found');
    return invitation;
  };
  const emailOf = async ({ uid }: Caller): Promise<string> => (await queries.user(uid))?.email ?? '';
  /** What a token invites to, shown only to whoever is invited; once it is closed, to whoever accepted it. */
  const invited = async (token: string, caller: Caller) => {
    const [invitation, email] = await Promise.all([found(token), emailOf(caller)]);
    if (invitation.answered_by === caller.uid) return invitation;
    if (invitation.email === null)
      throw new Rejected('gone', 'invitation_expired', 'The invitation is no longer open');
    if (!sameEmail(email, invitation.email))
      throw new Rejected('forbidden', 'not_invited', 'The invitation is for another address');
    return invitation;
  };
  const answering = (accept: boolean): Row =>
    row({
      method: 'post',
      path: `${path}/invitations/{token}/${accept ? 'accept' : 'decline'}`,
      tag,
      access: anyone,
      params: schemas.tokenParams,
      operation: `${accept ? 'accept' : 'decline'}${name}Invitation`,
      summary: accept ? 'Become a member' : 'Say no',
      errors: {
        403: ['not_invited', ...(accept ? ['email_domain_not_allowed'] : [])],
        404: ['not_found'],
        410: ['invitation_expired'],
      },
      answers: { 200: { description: 'Done', schema: schemas.acknowledged } },
      async run(call) {
        const { token } = call.params;
        const [invitation, email] = await Promise.all([found(token), emailOf(call.caller)]);
        const of = { kind, groupId: invitation.group_id, invitationId: invitation._id };
        const { position } = await commands.answer(
          of,
          call.caller.uid,
          email,
          token,
          accept,
          contextOf(call, clock()),
        );
        await visible(position);
        return { body: { status: 'ok' } };
      },
    });

  return [
    row({
      method: 'get',
      path: invitations,
      operation: `list${name}Invitations`,
      summary: 'Invitations, newest first',
      tag,
      access: reads(kind),
      params: schemas.groupParams(id),
      query: schemas.pageQuery,
      answers: {
        200: {
          description: 'Without their tokens',
          schema: schemas.paged('invitations', schemas.listOf.invitation),
        },
      },
      async run(call) {
        const group = await enter(call);
        const { items, total } = await queries.invitations(group.id, pageOf(call.query));
        const now = clock();
        return {
          body: {
            data: {
              invitations: items.map(each => invitationView(each, now)),
              ...perPage(call.query, total),
            },
          },
        };
      },
    }),
    row({
      method: 'post',
      path: invitations,
      operation: `invite${name}Member`,
      summary: 'Invite somebody',
      tag,
      access: writes(kind),
      params: schemas.groupParams(id),
      body: schemas.inviteBody,
      kept: forRepeats,
      errors: inviting,
      answers: { 201: { description: 'With the token, this once', schema: schemas.invitationMadeAnswer } },
      async run(call) {
        const group = await enter(call);
        const { email, role } = call.body;
        const invited = await commands.invite(
          kind,
          group.id,
          call.caller.uid,
          email,
          role,
          contextOf(call, clock()),
        );
        await visible(invited.position);
        return { status: 201, body: made(invited) };
      },
    }),
    row({
      method: 'post',
      path: `${invitations}/{invitation_id}/resend`,
      operation: `resend${name}Invitation`,
      summary: 'A new token and a new week',
      tag,
      access: writes(kind),
      params,
      kept: forRepeats,
      errors: { ...inviting, 410: ['invitation_expired'] },
      answers: {
        200: {
          description: 'With the new token, this once; the old one is dead',
          schema: schemas.invitationMadeAnswer,
        },
      },
      async run(call) {
        const group = await enter(call);
        const again = await commands.resend(
          kind,
          group.id,
          call.caller.uid,
          idIn(call.params),
          contextOf(call, clock()),
        );
        await visible(again.position);
        return { body: made(again) };
      },
    }),
    row({
      method: 'delete',
      path: `${invitations}/{invitation_id}`,
      operation: `revoke${name}Invitation`,
      summary: 'Withdraw an invitation',
      tag,
      access: writes(kind),
      params,
      errors,
      answers: { 200: { description: 'Withdrawn', schema: schemas.deleted } },
      async run(call) {
        const group = await enter(call);
        const { position } = await commands.revokeInvitation(
          kind,
          group.id,
          call.caller.uid,
          idIn(call.params),
          contextOf(call, clock()),
        );
        await visible(position);
        return { body: { status: 'deleted' } };
      },
    }),
    row({
      method: 'get',
      path: `${path}/invitations/{token}`,
      operation: `get${name}Invitation`,
      summary: 'What one is invited to',
      tag,
      access: anyone,
      params: schemas.tokenParams,
      errors: { 403: ['not_invited'], 404: ['not_found'], 410: ['invitation_expired'] },
      answers: { 200: { description: 'The invitation', schema: schemas.invitedAnswer } },
      async run({ caller, params: { token } }) {
        const invitation = await invited(token, caller);
        const group = await queries.group(kind, invitation.group_id);
        return {
          body: {
            data: {
              kind,
              group_id: invitation.group_id,
              group_name: group?.name ?? '',
              role: invitation.role,
              status: statusOf(invitation, clock()),
              expires_at: iso(invitation.expires_at),
            },
          },
        };
      },
    }),
    answering(true),
    answering(false),
  ];
}
