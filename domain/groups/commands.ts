import type { Message } from '../fact.js';
import type { Role } from '../roles.js';
import type { GroupChanged, OfGroup, OrganizationCreated, WorkspaceCreated } from './facts.js';

/** `by`: the member who asks; null: an operator of the platform, who may do anything that the rules of the group allow. */
type Asked = OfGroup & { readonly by: string | null };
type OfInvitation = Asked & { readonly invitationId: string };

export type CreateWorkspace = Message<'CreateWorkspace', WorkspaceCreated['data'] & { readonly ownerUid: string }>;
export type CreateOrganization = Message<'CreateOrganization', OrganizationCreated['data'] & { readonly ownerUid: string }>;
export type ChangeGroup = Message<'ChangeGroup', Asked & { readonly changes: GroupChanged['data']['changes'] }>;
/** `confirm`: the group's name, typed once more. */
export type ArchiveGroup = Message<'ArchiveGroup', Asked & { readonly confirm: string }>;
export type RestoreGroup = Message<'RestoreGroup', Asked & { readonly now: number }>;
export type AddMember = Message<'AddMember', Asked & { readonly uid: string; readonly role: Role }>;
export type ChangeMemberRole = Message<'ChangeMemberRole', Asked & { readonly uid: string; readonly role: Role }>;
export type RemoveMember = Message<'RemoveMember', Asked & { readonly uid: string }>;
export type Invite = Message<'Invite', OfInvitation & {
  readonly email: string; readonly role: Role; readonly tokenHash: string; readonly now: number;
}>;
export type ResendInvitation = Message<'ResendInvitation', OfInvitation & { readonly tokenHash: string; readonly now: number }>;
export type RevokeInvitation = Message<'RevokeInvitation', OfInvitation>;
/** `by` is the invited person, `email` theirs. */
export type AnswerInvitation = Message<'AnswerInvitation', OfInvitation & {
  readonly by: string; readonly email: string; readonly tokenHash: string; readonly accept: boolean; readonly now: number;
}>;

export type GroupCommand =
  | CreateWorkspace | CreateOrganization | ChangeGroup | ArchiveGroup | RestoreGroup | AddMember | ChangeMemberRole | RemoveMember
  | Invite | ResendInvitation | RevokeInvitation | AnswerInvitation;
