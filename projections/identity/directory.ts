import type { Role } from '../../domain/roles.js';
import type { Scope } from '../../domain/scopes.js';
import type { Reader } from '../reader.js';
import { memberId, type MemberDoc, type TokenDoc, type WorkspaceDoc } from './documents.js';

export type TokenRecord = {
  readonly tokenId: string; readonly name: string; readonly uid: string; readonly scopes: readonly Scope[];
  readonly workspaceIds: readonly string[] | null; readonly expiresAt: number | null; readonly revokedAt: number | null;
  readonly homeCell: string; readonly internal: boolean;
};
export type Membership = { readonly role: Role; readonly archivedAt: number | null; readonly homeCell: string };
export type Workspace = { readonly name: string; readonly domainTerms: readonly string[] };

type Settings = { readonly clock: () => number; readonly ttlMs: number; readonly size: number };

/**
 * Who may do what, from memory where it was asked for within `ttlMs`: the check of a request makes no call to a store
 * then. What the projection of this process changes is forgotten at once (`forget`); what another process changes, after `ttlMs`.
 */
export type Directory = ReturnType<typeof directory>;

export function directory(read: Reader, { clock, ttlMs, size }: Settings) {
  const tokens = remembering<TokenRecord | null>(clock, ttlMs, size);
  const members = remembering<Membership | null>(clock, ttlMs, size);
  const workspaces = remembering<Workspace | null>(clock, ttlMs, size);

  const workspaceDoc = (id: string) => read.get<WorkspaceDoc>('workspaces', id);
  const membership = async (workspace: string, uid: string): Promise<Membership | null> => {
    const [member, doc] = await Promise.all([read.get<MemberDoc>('members', memberId(workspace, uid)), workspaceDoc(workspace)]);
    return member && doc && { role: member.role, archivedAt: doc.archived_at, homeCell: doc.home_cell };
  };
  return {
    /** The record behind the SHA-256 (hex) of a token's value. */
    token: (hash: string) => tokens.get(hash, async () => recordOf(await read.get<TokenDoc>('api_tokens', hash))),
    member: (workspace: string, uid: string) => members.get(memberId(workspace, uid), () => membership(workspace, uid)),
    workspace: (id: string) => workspaces.get(id, async () => {
      const doc = await workspaceDoc(id);
      return doc && { name: doc.name, domainTerms: doc.domain_terms };
    }),
    forget(): void {
      for (const memory of [tokens, members, workspaces]) memory.clear();
    },
  };
}

const recordOf = (doc: TokenDoc | null): TokenRecord | null => doc && {
  tokenId: doc.token_id, name: doc.name, uid: doc.uid, scopes: doc.scopes, workspaceIds: doc.workspace_ids,
  expiresAt: doc.expires_at, revokedAt: doc.revoked_at, homeCell: doc.home_cell, internal: doc.internal,
};

/** A bounded memory of answers, oldest out first; asking again while an answer is on its way waits for the same one. */
function remembering<V>(clock: () => number, ttlMs: number, size: number) {
  const known = new Map<string, { value: V | Promise<V>; until: number }>();
  return {
    clear: () => known.clear(),
    get(key: string, ask: () => Promise<V>): V | Promise<V> {
      const hit = known.get(key), now = clock();
      if (hit && hit.until > now) return hit.value;
      const value = ask();
      const entry: { value: V | Promise<V>; until: number } = { value, until: now + ttlMs };
      known.delete(key);
      known.set(key, entry);
      if (known.size > size) known.delete(known.keys().next().value!);
      value.then(answer => { entry.value = answer; }, () => { if (known.get(key) === entry) known.delete(key); });
      return value;
    },
  };
}
