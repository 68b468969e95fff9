import type { GroupFact, GroupKind, WorkspaceCreated } from '../../domain/groups/facts.js';
import type { Role } from '../../domain/groups/roles.js';
import type { Scope } from '../../domain/tokens/scopes.js';
import type { ApiTokenFact } from '../../domain/tokens/facts.js';
import type { FlagValue, UserFact } from '../../domain/users/facts.js';
import type { Projection } from '../engine/projection.js';

// All times are epoch ms.

/**
 * `_id`: the hash of the token's value. `ends_at`: when it ended or will end, by time or by somebody; one
 * that never ends has the last of times.
 */
export type TokenDoc = {
  readonly _id: string;
  readonly token_id: string;
  readonly uid: string;
  readonly name: string;
  readonly prefix: string;
  readonly last4: string;
  readonly scopes: readonly Scope[];
  readonly workspace_ids: readonly string[] | null;
  readonly issued_at: number;
  readonly expires_at: number | null;
  readonly revoked_at: number | null;
  readonly replaced_by: string | null;
  readonly ends_at: number;
  readonly home_cell: string;
  readonly internal: boolean;
  /** Counts how often it was changed, from 1; absent in documents of the version before. */
  readonly version?: number;
};
/** Who was erased has no email, name or picture. */
export type UserDoc = {
  readonly _id: string;
  readonly email: string | null;
  readonly name: string | null;
  readonly avatar_url: string | null;
  readonly locale: string;
  readonly timezone: string;
  readonly home_cell: string;
  readonly created_at: number;
  readonly erased_at: number | null;
  readonly ui_flags: Readonly<Record<string, FlagValue>>;
  readonly totp_enabled: boolean;
  readonly totp_verified_at: number | null;
  readonly recovery_codes: number;
};
type GroupDoc = {
  readonly _id: string;
  readonly name: string;
  readonly home_cell: string;
  readonly created_at: number;
  readonly archived_at: number | null;
  /** Counts how often its settings were changed, from 1; absent in documents of the version before. */
  readonly version?: number;
};
export type OrganizationDoc = GroupDoc & {
  readonly require_2fa: boolean;
  readonly allowed_email_domains: readonly string[];
  readonly token_max_age_days: number | null;
};
export type WorkspaceDoc = GroupDoc & {
  readonly organization_id: string;
  readonly timezone: string;
  readonly domain_terms: readonly string[];
  readonly retention: WorkspaceCreated['data']['retention'];
};
export type MemberDoc = {
  readonly _id: string;
  readonly kind: GroupKind;
  readonly group_id: string;
  readonly uid: string;
  readonly role: Role;
  readonly joined_at: number;
};
/**
 * `email` as it was given, and `address` as it is compared: null once the invitation is closed.
 * `answered_by`: the uid of whoever accepted.
 */
export type InvitationDoc = {
  readonly _id: string;
  readonly kind: GroupKind;
  readonly group_id: string;
  readonly email: string | null;
  readonly address: string | null;
  readonly role: Role;
  readonly status: 'pending' | 'accepted' | 'declined' | 'revoked';
  readonly answered_by: string | null;
  readonly token_hash: string;
  readonly invited_at: number;
  readonly expires_at: number;
};

export const memberId = (groupId: string, uid: string): string => `${groupId}/${uid}`;

export type IdentityDocs = {
  api_tokens: TokenDoc;
  users: UserDoc;
  organizations: OrganizationDoc;
  members: MemberDoc;
  workspaces: WorkspaceDoc;
  invitations: InvitationDoc;
};
export type IdentityFact = UserFact | GroupFact | ApiTokenFact;

/** What facts make of the documents they land on: a part of the projection. */
export type IdentityOn = Projection<IdentityDocs, IdentityFact>['on'];
