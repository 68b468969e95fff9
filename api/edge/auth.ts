import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { andThen, type Awaitable } from '../../projections/engine/awaitable.js';
import { cellCode, cellOfWorkspace } from '../../domain/cell.js';
import { roleAllows, roleReaches, type Role } from '../../domain/groups/roles.js';
import type { Scope } from '../../domain/tokens/scopes.js';
import { parseToken } from '../../domain/tokens/value.js';
import type { Membership, TokenRecord } from '../../projections/identity/records.js';
import * as refusals from './auth-refusals.js';
import { wrongCell, type Cell } from './auth-refusals.js';
import { meets } from './demands.js';
import { isOpen, type Access, type Caller } from './row.js';

/**
 * The read model behind auth. What is at hand is answered at once, not as a promise: the hot path waits for
 * nothing then.
 */
export type Identity = {
  /** By the SHA-256 of the token's full value, in lower-case hex. */
  token(sha256Hex: string): Awaitable<TokenRecord | null>;
  member(workspace: string, uid: string): Awaitable<Membership | null>;
};

type Deps = {
  readonly identity: Identity;
  readonly clock: () => number;
  /** Name of this cell, and all other cells known. */
  readonly cell: string;
  readonly cells: readonly Cell[];
};
export type Admit = (access: Access, headers: IncomingHttpHeaders) => Awaitable<Caller>;

const nobody: Caller = {
  tokenId: '',
  tokenName: '',
  uid: '',
  scopes: [],
  workspaceIds: null,
  issuedAt: 0,
  expiresAt: null,
  workspace: null,
  role: null,
};

/**
 * The order of refusals: 401 token, 409 wrong cell, 400 no workspace, 403 not in the workspace, 403 what its
 * organization asks for, 403 scope, 403 role. Answers at once when the identities do.
 */
export const doorkeeper = ({ identity, clock, cell, cells }: Deps): Admit => {
  const own = cellCode(cell);
  const byCode = new Map(cells.map(other => [cellCode(other.name), other] as const));
  const byName = new Map(cells.map(other => [other.name, other] as const));

  const tokenOf = (authorization: string | undefined): Awaitable<TokenRecord> => {
    const value = bearer(authorization);
    const parsed = parseToken(value);
    if (!parsed) throw refusals.tokenInvalid;
    if (parsed.cell !== own) throw wrongCell(byCode.get(parsed.cell)) ?? refusals.tokenInvalid;
    return andThen(identity.token(hash('sha256', value)), alive);
  };
  const alive = (token: TokenRecord | null): TokenRecord => {
    if (!token) throw refusals.tokenInvalid;
    // Whatever the time: who revoked it may have had a clock ahead of this one
    if (token.revokedAt !== null) throw refusals.tokenRevoked;
    if (token.expiresAt !== null && token.expiresAt <= clock()) throw refusals.tokenExpired;
    if (token.homeCell !== cell) throw wrongCell(byName.get(token.homeCell)) ?? refusals.tokenInvalid;
    return token;
  };
  const membership = (found: Membership | null, workspace: string): Membership => {
    if (!found) {
      const elsewhere = wrongCell(byCode.get(cellOfWorkspace(workspace) ?? ''));
      throw elsewhere ?? refusals.workspaceForbidden;
    }
    if (found.homeCell !== cell) throw wrongCell(byName.get(found.homeCell)) ?? refusals.workspaceForbidden;
    if (found.archivedAt !== null) throw refusals.workspaceArchived;
    return found;
  };
  const inWorkspace = (
    token: TokenRecord,
    workspace: string,
    scope: Scope | readonly Scope[],
    from: Role | null,
  ): Awaitable<Caller> => {
    if (token.workspaceIds && !token.workspaceIds.includes(workspace)) throw refusals.workspaceOutside;
    return andThen(identity.member(workspace, token.uid), found => {
      const member = membership(found, workspace);
      meets(token, member, clock());
      allow(token, scope, member.role, from);
      return callerOf(token, workspace, member.role);
    });
  };

  return (access, headers) => {
    if (isOpen(access)) return nobody;
    return andThen(tokenOf(headers.authorization), token => {
      if (access.kind === 'internal') {
        if (!token.internal) throw refusals.internalTokenRequired;
        return callerOf(token, null, null);
      }
      if (access.kind === 'account') {
        const chosen = access.workspace && headers['x-workspace-id'];
        if (typeof chosen === 'string' && chosen !== '')
          return inWorkspace(token, chosen, access.scope ?? [], null);
        if (access.scope) allow(token, access.scope, null, null);
        if (access.everywhere && token.workspaceIds) throw refusals.tokenLimited;
        return callerOf(token, null, null);
      }
      const workspace = headers['x-workspace-id'];
      if (typeof workspace !== 'string' || workspace === '') throw refusals.workspaceRequired;
      return inWorkspace(token, workspace, access.scope, access.from ?? null);
    });
  };
};

function bearer(authorization: string | undefined): string {
  if (authorization === undefined || authorization.length < 8) throw refusals.authorizationRequired;
  if (authorization.slice(0, 7).toLowerCase() !== 'bearer ') throw refusals.authorizationRequired;
  return authorization.slice(7).trim();
}

/** `from`: the least role, where that is not the scope's own. */
function allow(
  token: TokenRecord,
  scope: Scope | readonly Scope[],
  role: Role | null,
  from: Role | null,
): void {
  const wanted = typeof scope === 'string' ? [scope] : scope;
  if (!wanted.every(one => token.scopes.includes(one)))
    throw refusals.insufficientScope(wanted, token.scopes);
  if (role && from && roleReaches(role, from)) return;
  if (role && !wanted.every(one => roleAllows(role, one))) throw refusals.roleForbidden(role, wanted);
}

/** The role in a workspace that a row asks for beyond what its scope says. @throws Rejected 403 */
export function mindRole(least: Role | undefined, { role }: Caller): void {
  if (least && role && !roleReaches(role, least)) throw refusals.roleTooLow(role, least);
}

const callerOf = (token: TokenRecord, workspace: string | null, role: Role | null): Caller => ({
  tokenId: token.tokenId,
  tokenName: token.name,
  uid: token.uid,
  scopes: token.scopes,
  workspaceIds: token.workspaceIds,
  issuedAt: token.issuedAt,
  expiresAt: token.expiresAt,
  workspace,
  role,
});
