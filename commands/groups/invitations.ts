import type { GroupState } from '../../domain/groups/state.js';
import type { GroupKind, OfGroup } from '../../domain/groups/facts.js';
import type { Role } from '../../domain/groups/roles.js';
import type { Context } from '../engine/handle.js';
import { newId } from '../engine/ids.js';
import { newLinkSecret, secretHash } from '../engine/secrets.js';
import type { By, GroupJournal } from './journal.js';

/** `token` is the one time its value is seen. */
export type Invited = {
  readonly invitationId: string;
  readonly token: string;
  readonly state: GroupState;
  readonly position: number | null;
};

/** Invitations to a group: issued and revoked by its members, accepted or declined by whoever is invited. */
export const groupInvitations = ({ run, domainsOf }: GroupJournal) => ({
  async invite(
    kind: GroupKind,
    groupId: string,
    by: By,
    email: string,
    role: Role,
    context: Context,
  ): Promise<Invited> {
    const invitationId = newId('inv_');
    const token = newLinkSecret();
    const tokenHash = secretHash(token);
    const domains = await domainsOf(kind, groupId);
    const data = { kind, groupId, by, invitationId, email, role, tokenHash, domains, now: context.at };
    const { after, position } = await run({ type: 'Invite', data }, context);
    return { invitationId, token, state: after, position };
  },
  /** A new token; the old one is dead. */
  async resend(
    kind: GroupKind,
    groupId: string,
    by: By,
    invitationId: string,
    context: Context,
  ): Promise<Invited> {
    const token = newLinkSecret();
    const tokenHash = secretHash(token);
    const domains = await domainsOf(kind, groupId);
    const data = { kind, groupId, by, invitationId, tokenHash, domains, now: context.at };
    const { after, position } = await run({ type: 'ResendInvitation', data }, context);
    return { invitationId, token, state: after, position };
  },
  revokeInvitation: (kind: GroupKind, groupId: string, by: By, invitationId: string, context: Context) =>
    run({ type: 'RevokeInvitation', data: { kind, groupId, by, invitationId } }, context),
  /** `uid` with `email` accepts or declines what `token` invites to. */
  async answer(
    invitation: OfGroup & { readonly invitationId: string },
    uid: string,
    email: string,
    token: string,
    accept: boolean,
    context: Context,
  ) {
    const domains = await domainsOf(invitation.kind, invitation.groupId);
    const answer = { by: uid, email, tokenHash: secretHash(token), domains, accept, now: context.at };
    return run({ type: 'AnswerInvitation', data: { ...invitation, ...answer } }, context);
  },
  /** Whoever was invited is erased. */
  forgetInvitation: (kind: GroupKind, groupId: string, invitationId: string, context: Context) =>
    run({ type: 'ForgetInvitation', data: { kind, groupId, invitationId } }, context),
});
