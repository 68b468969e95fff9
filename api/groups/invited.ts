import { secretHash } from '../../commands/engine/secrets.js';
import type { GroupKind } from '../../domain/groups/facts.js';
import { Rejected } from '../../domain/rejected.js';
import { iso } from '../../domain/time.js';
import { sameEmail } from '../../domain/users/email.js';
import type { InvitationDoc } from '../../projections/identity/documents.js';
import { contextOf } from '../edge/context.js';
import { row, type Caller, type Row } from '../edge/row.js';
import { own, type GroupDeps } from './deps.js';
import * as schemas from './schemas.js';
import { statusOf } from './views.js';

/** An invitation as whoever is invited sees and answers it, by its token. */
export const invitedRows = (kind: GroupKind, deps: GroupDeps): Row[] => [
  invitedRow(kind, deps),
  answerRow(kind, deps, true),
  answerRow(kind, deps, false),
];

function invitedRow(kind: GroupKind, deps: GroupDeps): Row {
  const { queries, clock } = deps;
  const { path, tag, name } = schemas.kinds[kind];
  return row({
    method: 'get',
    path: `${path}/invitations/{token}`,
    operation: `get${name}Invitation`,
    summary: 'What one is invited to',
    tag,
    access: own,
    params: schemas.tokenParams,
    versioned: 'by_content',
    errors: { 403: ['not_invited'], 404: ['not_found'], 410: ['invitation_expired'] },
    answers: { 200: { description: 'The invitation', schema: schemas.invitedAnswer } },
    async run({ caller, params: { token } }) {
      const [invitation, email] = await invitationAndEmail(kind, deps, token, caller);
      checkInvited(invitation, email, caller);
      const group = await queries.group(kind, invitation.group_id);
      const data = {
        kind,
        group_id: invitation.group_id,
        group_name: group?.name ?? '',
        role: invitation.role,
        status: statusOf(invitation, clock()),
        expires_at: iso(invitation.expires_at),
      };
      return { body: { data } };
    },
  });
}

function answerRow(kind: GroupKind, deps: GroupDeps, accept: boolean): Row {
  const { commands, clock, visible } = deps;
  const { path, tag, name } = schemas.kinds[kind];
  const verb = accept ? 'accept' : 'decline';
  return row({
    method: 'post',
    path: `${path}/invitations/{token}/${verb}`,
    tag,
    access: own,
    params: schemas.tokenParams,
    operation: `${verb}${name}Invitation`,
    summary: accept ? 'Become a member' : 'Say no',
    errors: {
      403: accept ? ['not_invited', 'email_domain_not_allowed'] : ['not_invited'],
      404: ['not_found'],
      410: ['invitation_expired'],
    },
    answers: { 200: { description: 'Done', schema: schemas.acknowledged } },
    async run(call) {
      const { caller } = call;
      const { token } = call.params;
      const [{ _id, group_id }, email] = await invitationAndEmail(kind, deps, token, caller);
      const invitation = { kind, groupId: group_id, invitationId: _id };
      const context = contextOf(call, clock());
      const { position } = await commands.answer(invitation, caller.uid, email, token, accept, context);
      await visible(position);
      return { body: { status: 'ok' } };
    },
  });
}

/** What a token invites to, and the address of the caller. @throws Rejected 404 */
const invitationAndEmail = (
  kind: GroupKind,
  { queries }: GroupDeps,
  token: string,
  { uid }: Caller,
): Promise<[InvitationDoc, string]> => {
  const find = async () => {
    const invitation = await queries.invitationBy(secretHash(token));
    if (invitation?.kind === kind) return invitation;
    throw new Rejected('missing', 'not_found', 'Invitation not found');
  };
  const emailOf = async () => {
    const user = await queries.user(uid);
    return user?.email ?? '';
  };
  return Promise.all([find(), emailOf()]);
};

/** It is shown only to whoever is invited; once it is closed, to whoever accepted it. */
function checkInvited(invitation: InvitationDoc, email: string, { uid }: Caller): void {
  if (invitation.answered_by === uid) return;
  if (invitation.email === null)
    throw new Rejected('gone', 'invitation_expired', 'The invitation is no longer open');
  if (!sameEmail(email, invitation.email))
    throw new Rejected('forbidden', 'not_invited', 'The invitation is for another address');
}
