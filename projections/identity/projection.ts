import type { ApiTokenIssued } from '../../domain/api-tokens.js';
import type { Fact } from '../../domain/fact.js';
import type { OrganizationCreated } from '../../domain/organizations.js';
import type { Role } from '../../domain/roles.js';
import type { Scope } from '../../domain/scopes.js';
import type { UserRegistered } from '../../domain/users.js';
import type { WorkspaceFact } from '../../domain/workspaces.js';
import { projection } from '../projection.js';

/** Times are epoch ms. A token's `_id` is the hash of its value. */
export type TokenDoc = {
  readonly _id: string; readonly token_id: string; readonly uid: string; readonly name: string;
  readonly prefix: string; readonly last4: string; readonly scopes: readonly Scope[]; readonly workspace_ids: readonly string[] | null;
  readonly issued_at: number; readonly expires_at: number | null; readonly revoked_at: number | null; readonly home_cell: string;
};
export type UserDoc = { readonly _id: string; readonly email: string | null; readonly name: string | null; readonly home_cell: string; readonly created_at: number };
export type OrganizationDoc = { readonly _id: string; readonly name: string; readonly owner_uid: string; readonly home_cell: string; readonly created_at: number };
export type WorkspaceDoc = {
  readonly _id: string; readonly organization_id: string; readonly name: string; readonly home_cell: string; readonly timezone: string;
  readonly domain_terms: readonly string[]; readonly created_at: number; readonly archived_at: number | null;
};
export type MemberDoc = { readonly _id: string; readonly workspace_id: string; readonly uid: string; readonly role: Role; readonly joined_at: number };

type Docs = { api_tokens: TokenDoc; users: UserDoc; organizations: OrganizationDoc; members: MemberDoc; workspaces: WorkspaceDoc };
export type IdentityFact = UserRegistered | OrganizationCreated | WorkspaceFact | ApiTokenIssued;

export const memberId = (workspace: string, uid: string): string => `${workspace}/${uid}`;

const only = <T extends IdentityFact['type']>(type: T, id: (fact: Fact<Extract<IdentityFact, { type: T }>>) => string) =>
  (fact: Fact<IdentityFact>) => fact.type === type ? id(fact as Fact<Extract<IdentityFact, { type: T }>>) : null;

/** Who there is, and who may do what: what the check of every request reads. */
export const identityProjection = projection<Docs, IdentityFact>({
  name: 'identity', version: 1,
  collections: {
    api_tokens: { indexes: [['uid', '_id']], idOf: only('ApiTokenIssued', ({ data }) => data.hash) },
    users: { indexes: [['email']], idOf: only('UserRegistered', ({ data }) => data.uid) },
    organizations: { indexes: [], idOf: only('OrganizationCreated', ({ data }) => data.organizationId) },
    members: { indexes: [['uid', 'workspace_id'], ['workspace_id', 'uid']], idOf: only('MemberAdded', ({ data }) => memberId(data.workspaceId, data.uid)) },
    workspaces: { indexes: [['organization_id']], idOf: only('WorkspaceCreated', ({ data }) => data.workspaceId) },
  },
  on: {
    UserRegistered: (_, { data: { uid, homeCell, personal }, at }) =>
      ({ users: { _id: uid, email: personal?.email ?? null, name: personal?.name ?? null, home_cell: homeCell, created_at: at } }),
    OrganizationCreated: (_, { data: { organizationId, name, ownerUid, homeCell }, at }) =>
      ({ organizations: { _id: organizationId, name, owner_uid: ownerUid, home_cell: homeCell, created_at: at } }),
    WorkspaceCreated: (_, { data, at }) => ({
      workspaces: {
        _id: data.workspaceId, organization_id: data.organizationId, name: data.name, home_cell: data.homeCell,
        timezone: data.timezone, domain_terms: data.domainTerms, created_at: at, archived_at: null,
      },
    }),
    MemberAdded: (_, { data: { workspaceId, uid, role }, at }) =>
      ({ members: { _id: memberId(workspaceId, uid), workspace_id: workspaceId, uid, role, joined_at: at } }),
    ApiTokenIssued: (_, { data, at }) => ({
      api_tokens: {
        _id: data.hash, token_id: data.tokenId, uid: data.uid, name: data.name, prefix: data.prefix, last4: data.last4,
        scopes: data.scopes, workspace_ids: data.workspaceIds, issued_at: at, expires_at: data.expiresAt, revoked_at: null,
        home_cell: data.homeCell,
      },
    }),
  },
});
