import type { ApiTokenIssued } from '../../domain/tokens/facts.js';
import { plainEmail } from '../../domain/users/email.js';
import type {
  GroupKind,
  InvitationIssued,
  OrganizationCreated,
  WorkspaceCreated,
} from '../../domain/groups/facts.js';
import type { Fact } from '../../domain/fact.js';
import type { Role } from '../../domain/groups/roles.js';
import type { Scope } from '../../domain/tokens/scopes.js';
import { LATEST } from '../../domain/time.js';
import type { FlagValue } from '../../domain/users/facts.js';

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

export const invitationOf = ({ data, at }: Fact<InvitationIssued>): InvitationDoc => ({
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

export const workspaceOf = ({ data, at }: Fact<WorkspaceCreated>): WorkspaceDoc => ({
  _id: data.groupId,
  organization_id: data.organizationId,
  name: data.name,
  home_cell: data.homeCell,
  timezone: data.timezone,
  domain_terms: data.domainTerms,
  retention: data.retention,
  created_at: at,
  archived_at: null,
});

export const organizationOf = ({ data, at }: Fact<OrganizationCreated>): OrganizationDoc => ({
  _id: data.groupId,
  name: data.name,
  home_cell: data.homeCell,
  created_at: at,
  archived_at: null,
  require_2fa: data.require2fa,
  allowed_email_domains: data.allowedEmailDomains,
  token_max_age_days: data.tokenMaxAgeDays,
});

export const tokenOf = ({ data, at }: Pick<Fact<ApiTokenIssued>, 'data' | 'at'>): TokenDoc => ({
  _id: data.hash,
  token_id: data.tokenId,
  uid: data.uid,
  name: data.name,
  prefix: data.prefix,
  last4: data.last4,
  scopes: data.scopes,
  workspace_ids: data.workspaceIds,
  issued_at: at,
  expires_at: data.expiresAt,
  revoked_at: null,
  replaced_by: null,
  ends_at: data.expiresAt ?? LATEST,
  home_cell: data.homeCell,
  internal: data.internal,
});
