import type { Fact } from '../../domain/fact.js';
import type { Role } from '../../domain/groups/roles.js';
import type { Scope } from '../../domain/tokens/scopes.js';
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

/** Times are epoch ms. */
export type TokenRecord = {
  readonly tokenId: string;
  readonly name: string;
  readonly uid: string;
  readonly scopes: readonly Scope[];
  readonly workspaceIds: readonly string[] | null;
  readonly issuedAt: number;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
  readonly homeCell: string;
  readonly internal: boolean;
};
/**
 * What an organization asks of somebody: a second factor that they lack, and tokens of so many days at most
 * (null: of any age).
 */
export type Demands = { readonly lacksFactor: boolean; readonly tokenDays: number | null };
export type Membership = Demands & {
  readonly role: Role;
  readonly archivedAt: number | null;
  readonly homeCell: string;
};
export type Workspace = { readonly name: string; readonly domainTerms: readonly string[] };
export type Now<T> = T | Promise<T>;

type Settings = { readonly clock: () => number; readonly ttlMs: number; readonly size: number };

/**
 * Who may do what, from memory where it was asked for within `ttlMs`: the check of a request makes no call to
 * a store then. What a page of facts touches is forgotten by the process that projects it (`forget`); what
 * another process changes, after `ttlMs`.
 */
export type Directory = ReturnType<typeof directory>;

export function directory(read: Reader, { clock, ttlMs, size }: Settings) {
  /** What is needed of the documents of one collection, by their ids. */
  const memoryOf = <D extends Doc, V>(collection: string, pick: (doc: D) => V) => {
    const memory = remembering<V | null>(clock, ttlMs, size);
    const ask = async (id: string) => {
      const doc = await read.get<D>(collection, id);
      return doc && pick(doc);
    };
    return { ...memory, collection, get: (id: string) => memory.get(id, ask) };
  };
  const tokens = memoryOf('api_tokens', recordOf);
  const members = memoryOf('members', ({ role }: MemberDoc) => role);
  const workspaces = memoryOf('workspaces', (doc: WorkspaceDoc) => ({
    name: doc.name,
    domainTerms: doc.domain_terms,
    organizationId: doc.organization_id,
    archivedAt: doc.archived_at,
    homeCell: doc.home_cell,
  }));
  const organizations = memoryOf('organizations', (doc: OrganizationDoc) => ({
    asksForFactor: doc.require_2fa,
    tokenDays: doc.token_max_age_days,
  }));
  const factors = memoryOf('users', (doc: UserDoc) => doc.totp_enabled);

  /** Of an organization that is not known nothing is: it asks for nothing. */
  const demands = (organizationId: string, uid: string): Now<Demands> =>
    after(organizations.get(organizationId), organization => {
      const tokenDays = organization?.tokenDays ?? null;
      return organization?.asksForFactor
        ? after(factors.get(uid), has => ({ lacksFactor: !has, tokenDays }))
        : { lacksFactor: false, tokenDays };
    });
  return {
    /** The record behind the SHA-256 (hex) of a token's value. */
    token: (hash: string): Now<TokenRecord | null> => tokens.get(hash),
    member(workspaceId: string, uid: string): Now<Membership | null> {
      const role = members.get(memberId(workspaceId, uid));
      const workspace = workspaces.get(workspaceId);
      return after(
        role,
        role =>
          role
          && after(
            workspace,
            workspace =>
              workspace
              && after(demands(workspace.organizationId, uid), ({ lacksFactor, tokenDays }) => ({
                role,
                archivedAt: workspace.archivedAt,
                homeCell: workspace.homeCell,
                lacksFactor,
                tokenDays,
              })),
          ),
      );
    },
    demands,
    workspace: (id: string): Now<Workspace | null> => workspaces.get(id),
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

const recordOf = (doc: TokenDoc): TokenRecord => ({
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

/** Goes on at once with a value that is there, and later with a promised one. */
const after = <T, U>(value: Now<T>, next: (value: T) => Now<U>): Now<U> =>
  value instanceof Promise ? value.then(next) : next(value);

/**
 * A bounded memory of answers, oldest out first; asking again while an answer is on its way waits for the
 * same one.
 */
function remembering<V>(clock: () => number, ttlMs: number, size: number) {
  const known = new Map<string, { value: Now<V>; until: number }>();
  return {
    /** An answer that is on its way reaches those who wait for it, and nobody else. */
    forget: (key: string) => {
      known.delete(key);
    },
    get(key: string, ask: (key: string) => Promise<V>): Now<V> {
      const hit = known.get(key);
      const now = clock();
      if (hit && hit.until > now) return hit.value;
      const value = ask(key);
      const entry: { value: Now<V>; until: number } = { value, until: now + ttlMs };
      known.delete(key);
      known.set(key, entry);
      if (known.size > size) known.delete(known.keys().next().value!);
      value.then(
        answer => {
          entry.value = answer;
        },
        () => {
          if (known.get(key) === entry) known.delete(key);
        },
      );
      return value;
    },
  };
}
