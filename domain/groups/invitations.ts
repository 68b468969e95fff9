import { inDomains, sameEmail } from '../users/email.js';
import { Rejected } from '../rejected.js';
import type { Role } from './roles.js';
import { DAY } from '../time.js';
import type {
  AnswerInvitation,
  ForgetInvitation,
  Invite,
  ResendInvitation,
  RevokeInvitation,
} from './commands.js';
import type { GroupFact, OfGroup } from './facts.js';
import { isOpen, type Invitation, type Invitations } from './invitation-state.js';

export const INVITATION_LASTS = 7 * DAY;

export function invite({ data }: Invite, of: OfGroup, invitations: Invitations): readonly GroupFact[] {
  const { invitationId, email, role, tokenHash, domains, now } = data;
  if (!inDomains(email, domains)) throw strangeDomain(domains);
  onlyOne(invitations, email, now);
  return [
    {
      type: 'InvitationIssued',
      data: {
        ...of,
        invitationId,
        role,
        tokenHash,
        expiresAt: now + INVITATION_LASTS,
        personal: { of: invitationId, email },
      },
    },
  ];
}

export function resend(
  { data: { invitationId, tokenHash, domains, now } }: ResendInvitation,
  of: OfGroup,
  invitations: Invitations,
): readonly GroupFact[] {
  const { email } = pending(invitations, invitationId);
  if (!inDomains(email, domains)) throw strangeDomain(domains);
  // One that had expired may have been followed by another
  onlyOne(new Map([...invitations].filter(([id]) => id !== invitationId)), email, now);
  return [
    {
      type: 'InvitationRenewed',
      data: { ...of, invitationId, tokenHash, expiresAt: now + INVITATION_LASTS },
    },
  ];
}

export function revoke(
  { data: { invitationId } }: RevokeInvitation | ForgetInvitation,
  of: OfGroup,
  invitations: Invitations,
): readonly GroupFact[] {
  if (!invitations.has(invitationId)) throw notFound();
  return invitations.get(invitationId)!.status === 'pending'
    ? [{ type: 'InvitationRevoked', data: { ...of, invitationId } }]
    : [];
}

export function answer(
  { data: { invitationId, by: uid, email, tokenHash, domains, accept, now } }: AnswerInvitation,
  of: OfGroup,
  invitations: Invitations,
  members: ReadonlyMap<string, Role>,
): readonly GroupFact[] {
  const invitation = invitations.get(invitationId);
  if (!invitation || invitation.tokenHash !== tokenHash) throw notFound();
  if (accept && invitation.acceptedBy === uid && members.has(uid)) return [];
  if (invitation.status !== 'pending' || invitation.email === null) throw closed();
  if (!sameEmail(invitation.email, email))
    throw new Rejected('forbidden', 'not_invited', 'The invitation is for another address');
  if (!isOpen(invitation, now)) throw closed();
  if (accept && !members.has(uid) && !inDomains(email, domains)) throw strangeDomain();
  if (!accept) return [{ type: 'InvitationDeclined', data: { ...of, invitationId } }];
  const joined: GroupFact[] = members.has(uid)
    ? []
    : [{ type: 'MemberAdded', data: { ...of, uid, role: invitation.role } }];
  return [{ type: 'InvitationAccepted', data: { ...of, invitationId, uid } }, ...joined];
}

function onlyOne(others: Invitations, email: string | null, now: number): void {
  const open = [...others.values()].some(
    other => isOpen(other, now) && other.email !== null && email !== null && sameEmail(other.email, email),
  );
  if (open) throw new Rejected('conflict', 'already_invited', 'There is an open invitation for this address');
}

function pending(invitations: Invitations, id: string): Invitation {
  const invitation = invitations.get(id);
  if (!invitation) throw notFound();
  if (invitation.status !== 'pending' || invitation.email === null) throw closed();
  return invitation;
}

const notFound = () => new Rejected('missing', 'not_found', 'Invitation not found');
const closed = () => new Rejected('gone', 'invitation_expired', 'The invitation is no longer open');

/** `domains`: those that are allowed, said to members alone. */
export const strangeDomain = (domains?: readonly string[]) =>
  new Rejected(
    'forbidden',
    'email_domain_not_allowed',
    'The organization takes no members with addresses of this domain',
    domains && { allowed_email_domains: domains },
  );
