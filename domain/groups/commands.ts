import type { Message } from '../fact.js';
import type { Role } from './roles.js';
import type { GroupChanged, OfGroup, OrganizationCreated, Retention, WorkspaceCreated } from './facts.js';

/**
 * `by`: the member who asks; null: an operator of the platform, who may do anything that the rules of the
 * group allow.
 */
type ByMember = OfGroup & { readonly by: string | null };
/** The version that is meant; null, and absent: whichever there is. */
type Seen = { readonly seen?: number | null };
type OfInvitation = ByMember & { readonly invitationId: string };
/** Domains of addresses that the organization takes members from; none: from any. */
type Domains = { readonly domains: readonly string[] };
/** Whether who asks has a second factor themselves; absent: they have none. */
type Factor = { readonly hasSecondFactor?: boolean };

export type CreateWorkspace = Message<
  'CreateWorkspace',
  WorkspaceCreated['data'] & { readonly ownerUid: string }
>;
export type CreateOrganization = Message<
  'CreateOrganization',
  OrganizationCreated['data'] & Factor & { readonly ownerUid: string }
>;
/** What is absent stays, also of `retention`. */
export type GroupChanges = Omit<GroupChanged['data']['changes'], 'retention'> & {
  readonly retention?: Partial<Retention>;
};
export type ChangeGroup = Message<
  'ChangeGroup',
  ByMember & Factor & Seen & { readonly changes: GroupChanges }
>;
/** `confirm`: the group's name, typed once more. */
export type ArchiveGroup = Message<'ArchiveGroup', ByMember & Seen & { readonly confirm: string }>;
export type RestoreGroup = Message<'RestoreGroup', ByMember & { readonly now: number }>;
/** `email`: that of the new member; null: they have none. */
export type AddMember = Message<
  'AddMember',
  ByMember & Domains & { readonly uid: string; readonly email: string | null; readonly role: Role }
>;
export type ChangeMemberRole = Message<
  'ChangeMemberRole',
  ByMember & { readonly uid: string; readonly role: Role }
>;
export type RemoveMember = Message<'RemoveMember', ByMember & { readonly uid: string }>;
/**
 * Somebody is erased: their membership ends, and what they are invited to closes, whatever state the group is
 * in.
 */
export type ForgetMember = Message<'ForgetMember', OfGroup & { readonly uid: string }>;
export type ForgetInvitation = Message<'ForgetInvitation', OfGroup & { readonly invitationId: string }>;
export type Invite = Message<
  'Invite',
  OfInvitation &
    Domains & {
      readonly email: string;
      readonly role: Role;
      readonly tokenHash: string;
      readonly now: number;
    }
>;
export type ResendInvitation = Message<
  'ResendInvitation',
  OfInvitation & Domains & { readonly tokenHash: string; readonly now: number }
>;
export type RevokeInvitation = Message<'RevokeInvitation', OfInvitation>;
/** `by` is the invited person, `email` theirs. */
export type AnswerInvitation = Message<
  'AnswerInvitation',
  OfInvitation &
    Domains & {
      readonly by: string;
      readonly email: string;
      readonly tokenHash: string;
      readonly accept: boolean;
      readonly now: number;
    }
>;

export type GroupCommand =
  | CreateWorkspace
  | CreateOrganization
  | ChangeGroup
  | ArchiveGroup
  | RestoreGroup
  | AddMember
  | ChangeMemberRole
  | RemoveMember
  | Invite
  | ResendInvitation
  | RevokeInvitation
  | AnswerInvitation
  | ForgetMember
  | ForgetInvitation;
