import type { Message } from '../fact.js';
import type { Role } from './roles.js';
import type { Personal } from '../users/facts.js';

// Workspaces and organizations have members, roles and invitations alike: both are groups.

export const groupKinds = ['workspace', 'organization'] as const;
export type GroupKind = (typeof groupKinds)[number];
export type OfGroup = { readonly kind: GroupKind; readonly groupId: string };

/**
 * `domainTerms`: what the workspace is about, in its own words; they weigh in the relevance of its events.
 */
export type WorkspaceSettings = {
  readonly name: string;
  readonly timezone: string;
  readonly domainTerms: readonly string[];
  readonly retention: Retention;
};
/** Days; null: for ever. */
export type Retention = {
  readonly signalsDays: number | null;
  readonly eventsDays: number | null;
  readonly rawDays: number | null;
};
export type OrganizationSettings = {
  readonly name: string;
  readonly require2fa: boolean;
  readonly allowedEmailDomains: readonly string[];
  readonly tokenMaxAgeDays: number | null;
};
export type WorkspaceCreated = Message<
  'WorkspaceCreated',
  OfGroup &
    WorkspaceSettings & {
      readonly organizationId: string;
      readonly homeCell: string;
    }
>;
export type OrganizationCreated = Message<
  'OrganizationCreated',
  OfGroup & OrganizationSettings & { readonly homeCell: string }
>;
/** What is absent stays; `retention` is all of it. */
export type GroupChanged = Message<
  'GroupChanged',
  OfGroup & { readonly changes: Partial<WorkspaceSettings & OrganizationSettings> }
>;
export type GroupArchived = Message<'GroupArchived', OfGroup>;
export type GroupRestored = Message<'GroupRestored', OfGroup>;

export type MemberAdded = Message<'MemberAdded', OfGroup & { readonly uid: string; readonly role: Role }>;
export type MemberRoleChanged = Message<
  'MemberRoleChanged',
  OfGroup & { readonly uid: string; readonly role: Role }
>;
export type MemberRemoved = Message<'MemberRemoved', OfGroup & { readonly uid: string }>;

type OfInvitation = OfGroup & { readonly invitationId: string };
/**
 * `tokenHash`: SHA-256 (hex) of what the invited person gets; `personal.of`: the invitation, who they are is
 * not known yet.
 */
export type InvitationIssued = Message<
  'InvitationIssued',
  OfInvitation & {
    readonly role: Role;
    readonly tokenHash: string;
    readonly expiresAt: number;
    readonly personal: Personal<{ readonly email: string }>;
  }
>;
export type InvitationRenewed = Message<
  'InvitationRenewed',
  OfInvitation & { readonly tokenHash: string; readonly expiresAt: number }
>;
export type InvitationAccepted = Message<'InvitationAccepted', OfInvitation & { readonly uid: string }>;
export type InvitationDeclined = Message<'InvitationDeclined', OfInvitation>;
export type InvitationRevoked = Message<'InvitationRevoked', OfInvitation>;

export type GroupFact =
  | WorkspaceCreated
  | OrganizationCreated
  | GroupChanged
  | GroupArchived
  | GroupRestored
  | MemberAdded
  | MemberRoleChanged
  | MemberRemoved
  | InvitationIssued
  | InvitationRenewed
  | InvitationAccepted
  | InvitationDeclined
  | InvitationRevoked;
