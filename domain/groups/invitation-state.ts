import type { Fact } from '../fact.js';
import type { GroupFact, InvitationAccepted, InvitationRenewed } from './facts.js';
import type { Role } from './roles.js';

/** `email` null: it was thrown away, as that of every invitation that is closed. `acceptedBy`: a uid. */
export type Invitation = {
  readonly status: 'pending' | 'accepted' | 'declined' | 'revoked';
  readonly email: string | null;
  readonly role: Role;
  readonly tokenHash: string;
  readonly expiresAt: number;
  readonly acceptedBy: string | null;
};
export type Invitations = ReadonlyMap<string, Invitation>;

export const isOpen = ({ status, expiresAt }: Invitation, now: number): boolean =>
  status === 'pending' && expiresAt > now;

export function invitationsAfter(invitations: Invitations, { type, data }: Fact<GroupFact>): Invitations {
  if (!('invitationId' in data)) return invitations;
  if (type === 'InvitationIssued') {
    const { invitationId, role, tokenHash, expiresAt, personal } = data;
    const email = personal?.email ?? null;
    const issued: Invitation = { status: 'pending', email, role, tokenHash, expiresAt, acceptedBy: null };
    return new Map([...invitations, [invitationId, issued]]);
  }
  const was = invitations.get(data.invitationId);
  if (!was) return invitations;
  return new Map([...invitations, [data.invitationId, { ...was, ...change(type, data) }]]);
}

function change(type: GroupFact['type'], data: object): Partial<Invitation> {
  switch (type) {
    case 'InvitationRenewed': {
      const { tokenHash, expiresAt } = data as InvitationRenewed['data'];
      return { tokenHash, expiresAt };
    }
    case 'InvitationAccepted':
      return { status: 'accepted', acceptedBy: (data as InvitationAccepted['data']).uid };
    case 'InvitationDeclined':
      return { status: 'declined' };
    default:
      return { status: 'revoked' };
  }
}
