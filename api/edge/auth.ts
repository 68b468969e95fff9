import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { cellCode, cellOfWorkspace } from '../../domain/cell.js';
import { Rejected } from '../../domain/rejected.js';
import { roleAllows, type Role } from '../../domain/groups/roles.js';
import type { Scope } from '../../domain/tokens/scopes.js';
import { DAY, iso } from '../../domain/time.js';
import { parseToken } from '../../domain/tokens/value.js';
import type { Access, Caller } from './row.js';

/** What is known about a token. Times are epoch ms; `workspaceIds` null: every workspace its owner is in. */
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
  /** Of one of our own services. */
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

/**
 * The read model behind auth. What is at hand is answered at once, not as a promise: the hot path waits for
 * nothing then.
 */
export type Identity = {
  /** By the SHA-256 of the token's full value, in lower-case hex. */
  token(sha256Hex: string): Now<TokenRecord | null>;
  member(workspace: string, uid: string): Now<Membership | null>;
};
export type Now<T> = T | Promise<T>;

/** A cell and the address its API is reached at. */
export type Cell = { readonly name: string; readonly url: string };

type Options = {
  readonly identity: Identity;
  readonly clock: () => number;
  /** Name of this cell, and all other cells known. */
  readonly cell: string;
  readonly cells: readonly Cell[];
};
export type Admit = (access: Access, headers: IncomingHttpHeaders) => Now<Caller>;

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
export const doorkeeper = ({ identity, clock, cell, cells }: Options): Admit => {
  const own = cellCode(cell);
  const byCode = new Map(cells.map(other => [cellCode(other.name), other] as const));
  const byName = new Map(cells.map(other => [other.name, other] as const));

  const tokenOf = (authorization: string | undefined): Now<TokenRecord> => {
    const value = bearer(authorization);
    const parsed = parseToken(value);
    if (!parsed) throw invalid;
    if (parsed.cell !== own) throw wrongCell(byCode.get(parsed.cell)) ?? invalid;
    return after(identity.token(hash('sha256', value)), alive);
  };
  const alive = (token: TokenRecord | null): TokenRecord => {
    if (!token) throw invalid;
    if (token.revokedAt !== null && token.revokedAt <= clock()) throw revoked;
    if (token.expiresAt !== null && token.expiresAt <= clock()) throw expired;
    if (token.homeCell !== cell) throw wrongCell(byName.get(token.homeCell)) ?? invalid;
    return token;
  };
  const membership = (found: Membership | null, workspace: string): Membership => {
    if (!found) throw wrongCell(byCode.get(cellOfWorkspace(workspace) ?? '')) ?? forbidden;
    if (found.homeCell !== cell) throw wrongCell(byName.get(found.homeCell)) ?? forbidden;
    if (found.archivedAt !== null) throw archived;
    return found;
  };
  const inWorkspace = (
    token: TokenRecord,
    workspace: string,
    scope: Scope | readonly Scope[],
  ): Now<Caller> => {
    if (token.workspaceIds && !token.workspaceIds.includes(workspace)) throw forbidden;
    return after(identity.member(workspace, token.uid), found => {
      const { role, ...demands } = membership(found, workspace);
      meets(token, demands, clock());
      allow(token, scope, role);
      return callerOf(token, workspace, role);
    });
  };

  return (access, headers) => {
    if (access.kind === 'public') return nobody;
    return after(tokenOf(headers.authorization), token => {
      if (access.kind === 'internal') {
        if (!token.internal) throw internalRequired;
        return callerOf(token, null, null);
      }
      if (access.kind === 'account') {
        if (access.scope) allow(token, access.scope, null);
        if (access.everywhere && token.workspaceIds) throw limited;
        return callerOf(token, null, null);
      }
      const workspace = headers['x-workspace-id'];
      if (typeof workspace !== 'string' || workspace === '') throw workspaceRequired;
      return inWorkspace(token, workspace, access.scope);
    });
  };
};

/** Goes on at once with a value that is there, and later with a promised one. */
const after = <T, U>(value: Now<T>, next: (value: T) => Now<U>): Now<U> =>
  value instanceof Promise ? value.then(next) : next(value);

function bearer(authorization: string | undefined): string {
  if (authorization === undefined) throw required;
  if (authorization.length < 8 || authorization.slice(0, 7).toLowerCase() !== 'bearer ') throw required;
  return authorization.slice(7).trim();
}

function allow(token: TokenRecord, scope: Scope | readonly Scope[], role: Role | null): void {
  const wanted = typeof scope === 'string' ? [scope] : scope;
  if (!wanted.every(one => token.scopes.includes(one))) {
    throw new Rejected('forbidden', 'insufficient_scope', `This token lacks the scope ${wanted.join(' ')}`, {
      required: [...wanted],
      granted: [...token.scopes],
    });
  }
  if (role && !wanted.every(one => roleAllows(role, one))) {
    throw new Rejected('forbidden', 'role_forbidden', `The role ${role} may not do this in the workspace`, {
      role,
      required: [...wanted],
    });
  }
}

/**
 * @throws Rejected 403 where a member or their token is not as the organization asks for; `issuedAt`, `now`:
 * epoch ms
 */
export function meets(
  { issuedAt }: Pick<TokenRecord, 'issuedAt'>,
  { lacksFactor, tokenDays }: Demands,
  now: number,
): void {
  if (lacksFactor) throw factorRequired;
  if (tokenDays !== null && issuedAt + tokenDays * DAY <= now)
    throw new Rejected(
      'forbidden',
      'token_too_old',
      `The organization takes tokens of at most ${tokenDays} days; regenerate it or make a new one`,
      { max_days: tokenDays, issued_at: iso(issuedAt) },
    );
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

/** Where somebody who is not at home here must go; undefined when no such cell is known. */
export const wrongCell = (home: Cell | undefined): Rejected | undefined =>
  home
  && new Rejected('conflict', 'wrong_cell', `This belongs to the cell ${home.name}; call ${home.url}`, {
    home_cell: home.name,
    redirect_api_base_url: home.url,
  });

const required = new Rejected('unauthorized', 'authorization_required', 'A bearer token is required');
const invalid = new Rejected('unauthorized', 'token_invalid', 'The token is not valid');
const revoked = new Rejected('unauthorized', 'token_revoked', 'The token was revoked');
const expired = new Rejected('unauthorized', 'token_expired', 'The token has expired');
const workspaceRequired = new Rejected('invalid', 'workspace_required', 'Workspace ID required');
const forbidden = new Rejected('forbidden', 'workspace_forbidden', 'You are not a member of this workspace');
const internalRequired = new Rejected(
  'forbidden',
  'internal_token_required',
  'Only services of the platform itself may call this',
);
const limited = new Rejected(
  'forbidden',
  'token_limited',
  'This token is limited to some workspaces; this takes one for all of them',
);
const factorRequired = new Rejected(
  'forbidden',
  'second_factor_required',
  'The organization asks for a second factor, and you have none; enrol one: POST /v1/user/totp/enroll',
  { enroll: '/v1/user/totp/enroll' },
);
const archived = new Rejected('forbidden', 'workspace_archived', 'This workspace is archived');
