import type { Fact } from '../../domain/fact.js';
import type { InvitationIssued } from '../../domain/groups/facts.js';
import { plainEmail } from '../../domain/users/email.js';
import type { Before } from '../engine/projection.js';
import type { IdentityDocs, IdentityOn, InvitationDoc } from './documents.js';

/** Invitations to groups. */
export const onInvitations: IdentityOn = {
  InvitationIssued: (_, fact) => ({ invitations: invitationOf(fact) }),
  InvitationRenewed: ({ invitations }, { data: { tokenHash, expiresAt } }) =>
    invitations ? { invitations: { ...invitations, token_hash: tokenHash, expires_at: expiresAt } } : {},
  InvitationAccepted: (before, { data: { uid } }) => closed(before, 'accepted', uid),
  InvitationDeclined: before => closed(before, 'declined'),
  InvitationRevoked: before => closed(before, 'revoked'),
};

const invitationOf = ({ data, at }: Fact<InvitationIssued>): InvitationDoc => ({
  _id: data.invitationId,
  kind: data.kind,
  group_id: data.groupId,
  email: data.personal?.email ?? null,
  address: data.personal ? plainEmail(data.personal.email) : null,
  role: data.role,
  status: 'pending',
  answered_by: null,
  token_hash: data.tokenHash,
  invited_at: at,
  expires_at: data.expiresAt,
});

/** Whose address it was for is nobody's business any more. */
const closed = (
  { invitations }: Before<IdentityDocs>,
  status: InvitationDoc['status'],
  by: string | null = null,
) =>
  invitations ? { invitations: { ...invitations, status, answered_by: by, email: null, address: null } } : {};
