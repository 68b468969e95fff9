import type { Decider } from './decider.js';
import type { Fact, Message } from './fact.js';
import { Rejected } from './rejected.js';
import { scopes, type Scope } from './scopes.js';

type OfToken = { readonly tokenId: string };

/**
 * `hash`: SHA-256 of the whole value, hex; the value itself is nowhere. `prefix` and `last4` let people recognise it.
 * `workspaceIds` null: every workspace its owner is in. `expiresAt`: epoch ms; null: never. `internal`: for our own services.
 */
export type ApiTokenIssued = Message<'ApiTokenIssued', OfToken & {
  readonly uid: string; readonly name: string; readonly hash: string; readonly prefix: string; readonly last4: string;
  readonly scopes: readonly Scope[]; readonly workspaceIds: readonly string[] | null; readonly expiresAt: number | null;
  readonly homeCell: string; readonly internal: boolean;
}>;
/** `hash` as in `ApiTokenIssued`, by which the token is looked up. What is absent in `changes` stays. */
export type ApiTokenChanged = Message<'ApiTokenChanged', OfToken & {
  readonly hash: string;
  readonly changes: { readonly name?: string; readonly scopes?: readonly Scope[]; readonly workspaceIds?: readonly string[] | null };
}>;
export type ApiTokenRevoked = Message<'ApiTokenRevoked', OfToken & { readonly hash: string }>;
/** Another took its place (`by`); this one works until `until`, epoch ms. */
export type ApiTokenReplaced = Message<'ApiTokenReplaced', OfToken & { readonly hash: string; readonly by: string; readonly until: number }>;
export type ApiTokenFact = ApiTokenIssued | ApiTokenChanged | ApiTokenRevoked | ApiTokenReplaced;

/** What the token that asks may do itself: what it gives must lie within. */
export type Bounds = { readonly scopes: readonly Scope[]; readonly workspaceIds: readonly string[] | null };
/** `uid`: whose token it must be; null: an operator asks. `within` null: no bounds but those of the user. */
type Asked = OfToken & { readonly uid: string | null };
type Giving = { readonly within?: Bounds | null };
export type IssueApiToken = Message<'IssueApiToken', ApiTokenIssued['data'] & Giving>;
export type ChangeApiToken = Message<'ChangeApiToken', Asked & Giving & { readonly changes: ApiTokenChanged['data']['changes']; readonly now: number }>;
export type RevokeApiToken = Message<'RevokeApiToken', Asked>;
export type ReplaceApiToken = Message<'ReplaceApiToken', Asked & Giving & { readonly by: string; readonly until: number; readonly now: number }>;
export type ApiTokenCommand = IssueApiToken | ChangeApiToken | RevokeApiToken | ReplaceApiToken;

/** `replaced`: another took its place, it may work for a while yet. `issuedAt`: epoch ms. */
export type ApiTokenState = {
  readonly token: ApiTokenIssued['data'] | null; readonly issuedAt: number; readonly status: 'active' | 'replaced' | 'revoked';
};

function decide(command: ApiTokenCommand, { token, status }: ApiTokenState): readonly ApiTokenFact[] {
  if (command.type === 'IssueApiToken') return token ? [] : issue(command);
  const { tokenId, uid } = command.data;
  if (!token || (uid !== null && token.uid !== uid)) throw new Rejected('missing', 'not_found', 'Token not found');
  const { hash } = token;
  if (command.type === 'RevokeApiToken') return status === 'revoked' ? [] : [{ type: 'ApiTokenRevoked', data: { tokenId, hash } }];
  if (status !== 'active') throw new Rejected('conflict', 'token_revoked', 'The token is revoked');
  if (token.expiresAt !== null && token.expiresAt <= command.data.now) throw new Rejected('conflict', 'token_expired', 'The token has expired');
  if (command.type === 'ChangeApiToken') return change(command, token);
  const { by, until, within } = command.data;
  bounded(token, within);
  return [{ type: 'ApiTokenReplaced', data: { tokenId, hash, by, until } }];
}

function issue({ data: { within, ...given } }: IssueApiToken): readonly ApiTokenFact[] {
  const data = { ...given, scopes: inOrder(given.scopes), workspaceIds: given.workspaceIds && inOrder(given.workspaceIds) };
  known(data.scopes);
  bounded(data, within);
  return [{ type: 'ApiTokenIssued', data }];
}

function change({ data: { tokenId, changes: { name, scopes: given, workspaceIds }, within } }: ChangeApiToken, token: ApiTokenIssued['data']): readonly ApiTokenFact[] {
  const wanted = {
    ...(name !== undefined && { name }), ...(given && { scopes: inOrder(given) }),
    ...(workspaceIds !== undefined && { workspaceIds: workspaceIds && inOrder(workspaceIds) }),
  };
  const changes = Object.fromEntries(Object.entries(wanted).filter(([member, value]) =>
    JSON.stringify(value) !== JSON.stringify(token[member as keyof typeof wanted]))) as typeof wanted;
  if (changes.scopes || changes.workspaceIds !== undefined) {
    known(changes.scopes ?? []);
    bounded({ ...token, ...changes }, within);
  }
  return Object.keys(changes).length === 0 ? [] : [{ type: 'ApiTokenChanged', data: { tokenId, hash: token.hash, changes } }];
}

const inOrder = <T extends string>(list: readonly T[]): readonly T[] => [...new Set(list)].sort();

function known(wanted: readonly Scope[]): void {
  const unknown = wanted.find(scope => !scopes.includes(scope));
  if (unknown !== undefined) throw new Rejected('unprocessable', 'validation_error', `Unknown scope ${unknown}`);
}

/** No token gives what it does not have: neither a scope nor a workspace; those of services are the operator's alone. */
function bounded(token: ApiTokenIssued['data'], within: Bounds | null = null): void {
  if (!within) return;
  if (token.internal) throw new Rejected('forbidden', 'scope_escalation', 'Tokens of services are given by an operator');
  const beyond = token.scopes.filter(scope => !within.scopes.includes(scope));
  if (beyond.length > 0)
    throw new Rejected('forbidden', 'scope_escalation', `This token lacks ${beyond.join(' ')} itself`, { scopes: beyond, granted: [...within.scopes] });
  if (within.workspaceIds && !token.workspaceIds?.every(id => within.workspaceIds!.includes(id)))
    throw new Rejected('forbidden', 'scope_escalation', 'This token is limited to other workspaces itself', { granted_workspace_ids: [...within.workspaceIds] });
}

function evolve(state: ApiTokenState, { type, data, at }: Fact<ApiTokenFact>): ApiTokenState {
  switch (type) {
    case 'ApiTokenIssued': return { token: data, issuedAt: at, status: 'active' };
    case 'ApiTokenChanged': return { ...state, token: state.token && { ...state.token, ...data.changes } };
    // On its way out it cannot be changed or replaced again, but ended at once
    case 'ApiTokenReplaced': return { ...state, status: 'replaced' };
    case 'ApiTokenRevoked': return { ...state, status: 'revoked' };
  }
}

export const apiTokens: Decider<ApiTokenCommand, ApiTokenFact, ApiTokenState> =
  { category: 'api_token', idOf: ({ data }) => data.tokenId, initialState: { token: null, issuedAt: 0, status: 'active' }, decide, evolve };
