import { andThen, type Awaitable } from '../engine/awaitable.js';
import type { Fact } from '../../domain/fact.js';
import type { Doc } from '../engine/read-models.js';
import type { Reader } from '../engine/reader.js';
import {
  memberId,
  type MemberDoc,
  type OrganizationDoc,
  type TokenDoc,
  type UserDoc,
  type WorkspaceDoc,
} from './documents.js';
import { identityProjection } from './projection.js';
import type { Demands, Membership, TokenRecord } from './records.js';
import { remembering, type MemoryOptions } from './remembering.js';

/** What other areas need of a workspace. */
export type Workspace = {
  readonly name: string;
  readonly organizationId: string;
  readonly domainTerms: readonly string[];
  /** Epoch ms; null: it is not. */
  readonly archivedAt: number | null;
};

/** What is needed of a workspace's document, and of an organization's. */
type WorkspaceRecord = Workspace & { readonly homeCell: string };
type OrganizationRecord = { readonly asksForFactor: boolean; readonly tokenDays: number | null };

/**
 * Who may do what, from memory where it was asked for within `ttlMs`: the check of a request makes no call to
 * a store then. What a page of facts touches is forgotten by the process that projects it (`forget`); what
 * another process changes, after `ttlMs`.
 */
export type Directory = ReturnType<typeof directory>;

export function directory(read: Reader, options: MemoryOptions) {
  /** What is needed of the documents of one collection, by their ids. */
  const memoryOf = <D extends Doc, V>(collection: string, pick: (doc: D) => V) => {
    const memory = remembering<V | null>(options);
    const ask = async (id: string) => {
      const doc = await read.get<D>(collection, id);
      return doc && pick(doc);
    };
    return { ...memory, collection, get: (id: string) => memory.get(id, ask) };
  };
  const tokens = memoryOf('api_tokens', tokenRecordOf);
  const members = memoryOf('members', ({ role }: MemberDoc) => role);
  const workspaces = memoryOf('workspaces', workspaceRecordOf);
  const organizations = memoryOf('organizations', organizationRecordOf);
  const factors = memoryOf('users', (doc: UserDoc) => doc.totp_enabled);

  /** Of an organization that is not known nothing is: it asks for nothing. */
  const demands = (organizationId: string, uid: string): Awaitable<Demands> =>
    andThen(organizations.get(organizationId), organization => {
      const tokenDays = organization?.tokenDays ?? null;
      if (!organization?.asksForFactor) return { lacksFactor: false, tokenDays };
      return andThen(factors.get(uid), hasFactor => ({ lacksFactor: !hasFactor, tokenDays }));
    });

  const memberOf = (
    role: Membership['role'],
    { organizationId, archivedAt, homeCell }: WorkspaceRecord,
    uid: string,
  ): Awaitable<Membership> =>
    andThen(demands(organizationId, uid), ({ lacksFactor, tokenDays }) => ({
      role,
      archivedAt,
      homeCell,
      lacksFactor,
      tokenDays,
    }));

  return {
    /** The record behind the SHA-256 (hex) of a token's value. */
    token: (hash: string): Awaitable<TokenRecord | null> => tokens.get(hash),
    member(workspaceId: string, uid: string): Awaitable<Membership | null> {
      // Both are asked for before either is waited for
      const askedRole = members.get(memberId(workspaceId, uid));
      const askedWorkspace = workspaces.get(workspaceId);
      return andThen(askedRole, role => {
        if (role === null) return null;
        return andThen(askedWorkspace, workspace => workspace && memberOf(role, workspace, uid));
      });
    },
    demands,
    workspace: (id: string): Awaitable<Workspace | null> => workspaces.get(id),
    /** What these facts change is looked up again. */
    forget(page: readonly Fact[]): void {
      for (const memory of [tokens, members, workspaces, organizations, factors]) {
        const { idOf } = identityProjection.collections[memory.collection]!;
        for (const fact of page) {
          const id = identityProjection.on[fact.type] ? idOf(fact) : null;
          if (id !== null) memory.forget(id);
        }
      }
    },
  };
}

const tokenRecordOf = (doc: TokenDoc): TokenRecord => ({
  tokenId: doc.token_id,
  name: doc.name,
  uid: doc.uid,
  scopes: doc.scopes,
  workspaceIds: doc.workspace_ids,
  issuedAt: doc.issued_at,
  expiresAt: doc.expires_at,
  revokedAt: doc.revoked_at,
  homeCell: doc.home_cell,
  internal: doc.internal,
});

const workspaceRecordOf = (doc: WorkspaceDoc): WorkspaceRecord => ({
  name: doc.name,
  domainTerms: doc.domain_terms,
  organizationId: doc.organization_id,
  archivedAt: doc.archived_at,
  homeCell: doc.home_cell,
});

const organizationRecordOf = (doc: OrganizationDoc): OrganizationRecord => ({
  asksForFactor: doc.require_2fa,
  tokenDays: doc.token_max_age_days,
});
