import type { ApiTokenFact } from '../../domain/tokens/facts.js';
import type { Fact } from '../../domain/fact.js';
import type { GroupChanged, GroupFact } from '../../domain/groups/facts.js';
import { withFlag } from '../../domain/users/state.js';
import type { UserFact } from '../../domain/users/facts.js';
import { projection } from '../engine/projection.js';
import {
  invitationOf,
  memberId,
  organizationOf,
  tokenOf,
  workspaceOf,
  type InvitationDoc,
  type MemberDoc,
  type OrganizationDoc,
  type TokenDoc,
  type UserDoc,
  type WorkspaceDoc,
} from './documents.js';

type Docs = {
  api_tokens: TokenDoc;
  users: UserDoc;
  organizations: OrganizationDoc;
  members: MemberDoc;
  workspaces: WorkspaceDoc;
  invitations: InvitationDoc;
};
export type IdentityFact = UserFact | GroupFact | ApiTokenFact;

const idOf =
  (read: (data: Record<string, string>) => string | undefined) =>
  ({ data }: Fact<IdentityFact>) =>
    read(data as unknown as Record<string, string>) ?? null;
const group = (kind: string) => idOf(data => (data['kind'] === kind ? data['groupId'] : undefined));

/** Who there is, and who may do what: what the check of every request reads. */
export const identityProjection = projection<Docs, IdentityFact>({
  name: 'identity',
  version: 2,
  collections: {
    api_tokens: {
      indexes: [['uid', 'issued_at', '_id'], ['token_id']],
      idOf: idOf(data => (data['hash'] && data['tokenId'] ? data['hash'] : undefined)),
    },
    users: {
      personal: true,
      indexes: [['email']],
      idOf: idOf(data => (data['groupId'] || data['tokenId'] ? undefined : data['uid'])),
    },
    organizations: { indexes: [], idOf: group('organization') },
    members: {
      indexes: [
        ['uid', 'kind', 'group_id'],
        ['group_id', 'joined_at', '_id'],
      ],
      idOf: idOf(data =>
        data['groupId'] && data['uid'] ? memberId(data['groupId'], data['uid']) : undefined,
      ),
    },
    workspaces: { indexes: [['organization_id', '_id']], idOf: group('workspace') },
    invitations: {
      personal: true,
      indexes: [['group_id', 'invited_at', '_id'], ['token_hash'], ['address']],
      idOf: idOf(data => data['invitationId']),
    },
  },
  on: {
    UserRegistered: (_, { data: { uid, homeCell, personal }, at }) => ({
      users: {
        _id: uid,
        email: personal?.email ?? null,
        name: personal?.name ?? null,
        avatar_url: null,
        locale: 'en',
        timezone: 'UTC',
        home_cell: homeCell,
        created_at: at,
        erased_at: null,
        ui_flags: {},
        totp_enabled: false,
        totp_verified_at: null,
        recovery_codes: 0,
      },
    }),
    ProfileUpdated: ({ users }, { data: { timezone, locale, personal } }) =>
      users
        ? {
            users: {
              ...users,
              timezone: timezone ?? users.timezone,
              locale: locale ?? users.locale,
              ...(personal?.name !== undefined && { name: personal.name }),
              ...(personal?.avatarUrl !== undefined && { avatar_url: personal.avatarUrl }),
            },
          }
        : {},
    UiFlagSet: ({ users }, { data: { flag, value } }) =>
      users ? { users: { ...users, ui_flags: withFlag(users.ui_flags, flag, value) } } : {},
    TotpConfirmed: ({ users }) => (users ? { users: { ...users, totp_enabled: true } } : {}),
    TotpDisabled: ({ users }) =>
      users ? { users: { ...users, totp_enabled: false, recovery_codes: 0 } } : {},
    RecoveryCodesIssued: ({ users }, { data: { hashes } }) =>
      users ? { users: { ...users, recovery_codes: hashes.length } } : {},
    SecondFactorVerified: ({ users }, { data: { hash }, at }) =>
      users
        ? {
            users: {
              ...users,
              totp_verified_at: at,
              recovery_codes: users.recovery_codes - Number(hash !== null),
            },
          }
        : {},
    UserErased: ({ users }, { at }) =>
      users
        ? {
            users: {
              ...users,
              email: null,
              name: null,
              avatar_url: null,
              ui_flags: {},
              totp_enabled: false,
              recovery_codes: 0,
              erased_at: at,
            },
          }
        : {},

    WorkspaceCreated: (_, fact) => ({ workspaces: workspaceOf(fact) }),
    OrganizationCreated: (_, fact) => ({ organizations: organizationOf(fact) }),
    GroupChanged: ({ workspaces, organizations }, fact) => ({
      ...(workspaces && { workspaces: changedWorkspace(workspaces, fact) }),
      ...(organizations && { organizations: changedOrganization(organizations, fact) }),
    }),
    GroupArchived: (before, { at }) => archived(before, at),
    GroupRestored: before => archived(before, null),

    MemberAdded: (_, { data: { kind, groupId, uid, role }, at }) => ({
      members: { _id: memberId(groupId, uid), kind, group_id: groupId, uid, role, joined_at: at },
    }),
    MemberRoleChanged: ({ members }, { data: { role } }) =>
      members ? { members: { ...members, role } } : {},
    MemberRemoved: () => ({ members: null }),

    InvitationIssued: (_, fact) => ({ invitations: invitationOf(fact) }),
    InvitationRenewed: ({ invitations }, { data: { tokenHash, expiresAt } }) =>
      invitations ? { invitations: { ...invitations, token_hash: tokenHash, expires_at: expiresAt } } : {},
    InvitationAccepted: (before, { data: { uid } }) => closed(before, 'accepted', uid),
    InvitationDeclined: before => closed(before, 'declined'),
    InvitationRevoked: before => closed(before, 'revoked'),

    ApiTokenIssued: (_, fact) => ({ api_tokens: tokenOf(fact) }),
    ApiTokenChanged: ({ api_tokens: token }, { data: { changes } }) =>
      token
        ? {
            api_tokens: {
              ...token,
              name: changes.name ?? token.name,
              scopes: changes.scopes ?? token.scopes,
              workspace_ids: changes.workspaceIds === undefined ? token.workspace_ids : changes.workspaceIds,
            },
          }
        : {},
    ApiTokenReplaced: ({ api_tokens: token }, { data: { by, until }, at }) =>
      token
        ? {
            api_tokens:
              until <= at
                ? { ...ended(token, at), replaced_by: by }
                : {
                    ...token,
                    replaced_by: by,
                    expires_at: Math.min(until, token.expires_at ?? until),
                    ends_at: Math.min(until, token.ends_at),
                  },
          }
        : {},
    ApiTokenRevoked: ({ api_tokens: token }, { at }) => (token ? { api_tokens: ended(token, at) } : {}),
  },
});

type Before = { readonly [N in keyof Docs]: Docs[N] | null };

const archived = ({ workspaces, organizations }: Before, at: number | null) => ({
  ...(workspaces && { workspaces: { ...workspaces, archived_at: at } }),
  ...(organizations && { organizations: { ...organizations, archived_at: at } }),
});

/** Whose address it was for is nobody's business any more. */
const closed = ({ invitations }: Before, status: InvitationDoc['status'], by: string | null = null) =>
  invitations ? { invitations: { ...invitations, status, answered_by: by, email: null, address: null } } : {};

const ended = (token: TokenDoc, at: number): TokenDoc => ({
  ...token,
  revoked_at: token.revoked_at ?? at,
  ends_at: Math.min(token.ends_at, at),
});

const changedWorkspace = (was: WorkspaceDoc, { data: { changes } }: Fact<GroupChanged>): WorkspaceDoc => ({
  ...was,
  name: changes.name ?? was.name,
  timezone: changes.timezone ?? was.timezone,
  domain_terms: changes.domainTerms ?? was.domain_terms,
  retention: changes.retention ?? was.retention,
});

const changedOrganization = (
  was: OrganizationDoc,
  { data: { changes } }: Fact<GroupChanged>,
): OrganizationDoc => ({
  ...was,
  name: changes.name ?? was.name,
  require_2fa: changes.require2fa ?? was.require_2fa,
  allowed_email_domains: changes.allowedEmailDomains ?? was.allowed_email_domains,
  token_max_age_days:
    changes.tokenMaxAgeDays === undefined ? was.token_max_age_days : changes.tokenMaxAgeDays,
});
