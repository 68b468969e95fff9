import type { Decider } from '../decider.js';
import type { Fact, Message } from '../fact.js';
import { Rejected } from '../rejected.js';
import { scopes, type Scope } from './scopes.js';
import { iso } from '../time.js';

type OfToken = { readonly tokenId: string };

/**
 * `hash`: SHA-256 of the whole value, hex; the value itself is nowhere. `prefix` and `last4` let people
 * recognise it. `workspaceIds` null: every workspace its owner is in. `expiresAt`: epoch ms; null: never.
 * `internal`: for our own services.
 */
export type ApiTokenIssued = Message<
  'ApiTokenIssued',
  OfToken & {
    readonly uid: string;
    readonly name: string;
    readonly hash: string;
    readonly prefix: string;
    readonly last4: string;
    readonly scopes: readonly Scope[];
    readonly workspaceIds: readonly string[] | null;
    readonly expiresAt: number | null;
    readonly homeCell: string;
    readonly internal: boolean;
  }
>;
/** `hash` as in `ApiTokenIssued`, by which the token is looked up. What is absent in `changes` stays. */
export type ApiTokenChanged = Message<
  'ApiTokenChanged',
  OfToken & {
    readonly hash: string;
    readonly changes: {
      readonly name?: string;
      readonly scopes?: readonly Scope[];
      readonly workspaceIds?: readonly string[] | null;
    };
  }
>;
export type ApiTokenRevoked = Message<'ApiTokenRevoked', OfToken & { readonly hash: string }>;
/** Another took its place (`by`); this one works until `until`, epoch ms. */
export type ApiTokenReplaced = Message<
  'ApiTokenReplaced',
  OfToken & { readonly hash: string; readonly by: string; readonly until: number }
>;
/**
 * For those who look after a workspace: a token limited to it (among others) may do this there from now on.
 */
export type ApiTokenAdmitted = Message<
  'ApiTokenAdmitted',
  OfToken & {
    readonly uid: string;
    readonly workspaceId: string;
    readonly scopes: readonly Scope[];
  }
>;
/** It may nothing there any more, from `until` on (epoch ms; null: from now on). */
export type ApiTokenWithdrawn = Message<
  'ApiTokenWithdrawn',
  OfToken & {
    readonly uid: string;
    readonly workspaceId: string;
    readonly until: number | null;
  }
>;
export type ApiTokenFact =
  | ApiTokenIssued
  | ApiTokenChanged
  | ApiTokenRevoked
  | ApiTokenReplaced
  | ApiTokenAdmitted
  | ApiTokenWithdrawn;

/**
 * What the token that asks may do itself, and until when (epoch ms; null: for ever): what it gives must lie
 * within.
 */
export type Bounds = {
  readonly scopes: readonly Scope[];
  readonly workspaceIds: readonly string[] | null;
  readonly expiresAt: number | null;
};
/** For how long the organizations of its workspaces let a token live; `until`: epoch ms. */
export type Lifetime = { readonly days: number; readonly until: number };
/** `uid`: whose token it must be; null: an operator asks. `within` null: no bounds but those of the user. */
type ByOwner = OfToken & { readonly uid: string | null };
type Giving = { readonly within?: Bounds | null };
/** `lifetime` null: for ever. */
export type IssueApiToken = Message<
  'IssueApiToken',
  ApiTokenIssued['data'] & Giving & { readonly lifetime?: Lifetime | null }
>;
export type ChangeApiToken = Message<
  'ChangeApiToken',
  ByOwner & Giving & { readonly changes: ApiTokenChanged['data']['changes']; readonly now: number }
>;
export type RevokeApiToken = Message<'RevokeApiToken', ByOwner>;
export type ReplaceApiToken = Message<
  'ReplaceApiToken',
  ByOwner & Giving & { readonly by: string; readonly until: number; readonly now: number }
>;
export type ApiTokenCommand = IssueApiToken | ChangeApiToken | RevokeApiToken | ReplaceApiToken;

/**
 * `replaced`: another took its place, it may work for a while yet. `issuedAt`: epoch ms. `admitted`: to these
 * workspaces by name.
 */
export type ApiTokenState = {
  readonly token: ApiTokenIssued['data'] | null;
  readonly issuedAt: number;
  readonly status: 'active' | 'replaced' | 'revoked';
  readonly admitted: readonly string[];
};

function decide(
  command: ApiTokenCommand,
  { token, status, admitted }: ApiTokenState,
): readonly ApiTokenFact[] {
  if (command.type === 'IssueApiToken') return token ? [] : issue(command);
  const { tokenId, uid } = command.data;
  if (!token || (uid !== null && token.uid !== uid))
    throw new Rejected('missing', 'not_found', 'Token not found');
  const { hash } = token;
  if (command.type === 'RevokeApiToken')
    return status === 'revoked'
      ? []
      : [{ type: 'ApiTokenRevoked', data: { tokenId, hash } }, ...admitted.map(withdrawn(token, null))];
  if (status !== 'active') throw new Rejected('conflict', 'token_revoked', 'The token is revoked');
  if (token.expiresAt !== null && token.expiresAt <= command.data.now)
    throw new Rejected('conflict', 'token_expired', 'The token has expired');
  if (command.type === 'ChangeApiToken') return change(command, token, admitted);
  const { by, until, within } = command.data;
  bounded(token, within);
  return [
    { type: 'ApiTokenReplaced', data: { tokenId, hash, by, until } },
    ...admitted.map(withdrawn(token, until)),
  ];
}

function issue({ data: { within, lifetime, ...given } }: IssueApiToken): readonly ApiTokenFact[] {
  const data = {
    ...given,
    scopes: inOrder(given.scopes),
    workspaceIds: given.workspaceIds && inOrder(given.workspaceIds),
  };
  known(data.scopes);
  bounded(data, within);
  if (lifetime && endOf(data) > lifetime.until)
    throw new Rejected(
      'forbidden',
      'token_lifetime_limited',
      `An organization of these workspaces lets tokens live for ${lifetime.days} days at most`,
      { max_days: lifetime.days },
    );
  return [{ type: 'ApiTokenIssued', data }, ...(data.workspaceIds ?? []).map(admitted(data))];
}

const endOf = ({ expiresAt }: { readonly expiresAt: number | null }): number =>
  expiresAt ?? Number.POSITIVE_INFINITY;

const admitted =
  ({ tokenId, uid, scopes }: ApiTokenIssued['data']) =>
  (workspaceId: string): ApiTokenAdmitted => ({
    type: 'ApiTokenAdmitted',
    data: { tokenId, uid, workspaceId, scopes },
  });
const withdrawn =
  ({ tokenId, uid }: ApiTokenIssued['data'], until: number | null) =>
  (workspaceId: string): ApiTokenWithdrawn => ({
    type: 'ApiTokenWithdrawn',
    data: { tokenId, uid, workspaceId, until },
  });

function change(
  {
    data: {
      tokenId,
      changes: { name, scopes: given, workspaceIds },
      within,
    },
  }: ChangeApiToken,
  token: ApiTokenIssued['data'],
  before: readonly string[],
): readonly ApiTokenFact[] {
  const wanted = {
    ...(name !== undefined && { name }),
    ...(given && { scopes: inOrder(given) }),
    ...(workspaceIds !== undefined && { workspaceIds: workspaceIds && inOrder(workspaceIds) }),
  };
  const changes = Object.fromEntries(
    Object.entries(wanted).filter(
      ([member, value]) => JSON.stringify(value) !== JSON.stringify(token[member as keyof typeof wanted]),
    ),
  ) as typeof wanted;
  if (changes.scopes || changes.workspaceIds !== undefined) {
    known(changes.scopes ?? []);
    bounded({ ...token, ...changes }, within);
  }
  if (Object.keys(changes).length === 0) return [];
  const heard = moved({ ...token, ...changes }, before, changes.scopes !== undefined);
  return [{ type: 'ApiTokenChanged', data: { tokenId, hash: token.hash, changes } }, ...heard];
}

/**
 * What workspaces hear of a change: those that come to it or leave it and, when it may do other things, all.
 */
function moved(
  token: ApiTokenIssued['data'],
  before: readonly string[],
  everywhere: boolean,
): readonly ApiTokenFact[] {
  // One that is no longer limited goes on where it was
  const now = token.workspaceIds ?? before;
  return [
    ...before.filter(id => !now.includes(id)).map(withdrawn(token, null)),
    ...now.filter(id => everywhere || !before.includes(id)).map(admitted(token)),
  ];
}

const inOrder = <T extends string>(list: readonly T[]): readonly T[] => [...new Set(list)].sort();

function known(wanted: readonly Scope[]): void {
  const unknown = wanted.find(scope => !scopes.includes(scope));
  if (unknown !== undefined)
    throw new Rejected('unprocessable', 'validation_error', `Unknown scope ${unknown}`);
}

/**
 * No token gives what it does not have: neither a scope, nor a workspace, nor time; those of services are the
 * operator's alone.
 */
function bounded(token: ApiTokenIssued['data'], within: Bounds | null = null): void {
  if (!within) return;
  if (token.internal)
    throw new Rejected('forbidden', 'scope_escalation', 'Tokens of services are given by an operator');
  const beyond = token.scopes.filter(scope => !within.scopes.includes(scope));
  if (beyond.length > 0)
    throw new Rejected('forbidden', 'scope_escalation', `This token lacks ${beyond.join(' ')} itself`, {
      scopes: beyond,
      granted: [...within.scopes],
    });
  if (within.workspaceIds && !token.workspaceIds?.every(id => within.workspaceIds!.includes(id)))
    throw new Rejected('forbidden', 'scope_escalation', 'This token is limited to other workspaces itself', {
      granted_workspace_ids: [...within.workspaceIds],
    });
  if (endOf(token) > endOf(within))
    throw new Rejected('forbidden', 'scope_escalation', 'This token ends sooner itself', {
      granted_until: iso(within.expiresAt!),
    });
}

function evolve(state: ApiTokenState, { type, data, at }: Fact<ApiTokenFact>): ApiTokenState {
  switch (type) {
    case 'ApiTokenIssued':
      return { token: data, issuedAt: at, status: 'active', admitted: [] };
    case 'ApiTokenAdmitted':
      return { ...state, admitted: [...new Set([...state.admitted, data.workspaceId])] };
    case 'ApiTokenWithdrawn':
      return data.until !== null && data.until > at
        ? state
        : { ...state, admitted: state.admitted.filter(id => id !== data.workspaceId) };
    case 'ApiTokenChanged':
      return { ...state, token: state.token && { ...state.token, ...data.changes } };
    // On its way out it cannot be changed or replaced again, but ended at once
    case 'ApiTokenReplaced':
      return { ...state, status: 'replaced' };
    case 'ApiTokenRevoked':
      return { ...state, status: 'revoked' };
  }
}

export const apiTokens: Decider<ApiTokenCommand, ApiTokenFact, ApiTokenState> = {
  category: 'api_token',
  idOf: ({ data }) => data.tokenId,
  initialState: { token: null, issuedAt: 0, status: 'active', admitted: [] },
  decide,
  evolve,
};
