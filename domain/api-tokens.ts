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

/** `uid`: whose token it must be; null: an operator asks. */
type Asked = OfToken & { readonly uid: string | null };
export type IssueApiToken = Message<'IssueApiToken', ApiTokenIssued['data']>;
export type ChangeApiToken = Message<'ChangeApiToken', Asked & { readonly changes: ApiTokenChanged['data']['changes'] }>;
export type RevokeApiToken = Message<'RevokeApiToken', Asked>;
export type ReplaceApiToken = Message<'ReplaceApiToken', Asked & { readonly by: string; readonly until: number; readonly now: number }>;
export type ApiTokenCommand = IssueApiToken | ChangeApiToken | RevokeApiToken | ReplaceApiToken;

export type ApiTokenState = { readonly token: ApiTokenIssued['data'] | null; readonly revoked: boolean };

function decide(command: ApiTokenCommand, { token, revoked }: ApiTokenState): readonly ApiTokenFact[] {
  if (command.type === 'IssueApiToken') {
    known(command.data.scopes);
    return token ? [] : [{ type: 'ApiTokenIssued', data: { ...command.data, scopes: [...command.data.scopes].sort() } }];
  }
  const { tokenId, uid } = command.data;
  if (!token || (uid !== null && token.uid !== uid)) throw new Rejected('missing', 'not_found', 'Token not found');
  const { hash } = token;
  if (command.type === 'RevokeApiToken') return revoked ? [] : [{ type: 'ApiTokenRevoked', data: { tokenId, hash } }];
  if (revoked) throw new Rejected('conflict', 'token_revoked', 'The token is revoked');
  if (command.type === 'ReplaceApiToken') {
    const { by, until, now } = command.data;
    if (token.expiresAt !== null && token.expiresAt <= now) throw new Rejected('conflict', 'token_expired', 'The token has expired');
    return [{ type: 'ApiTokenReplaced', data: { tokenId, hash, by, until } }];
  }
  const { scopes: wanted, ...others } = command.data.changes;
  if (wanted) known(wanted);
  const changes = { ...others, ...(wanted && { scopes: [...new Set(wanted)].sort() }) };
  return Object.keys(changes).length === 0 ? [] : [{ type: 'ApiTokenChanged', data: { tokenId, hash, changes } }];
}

function known(wanted: readonly Scope[]): void {
  const unknown = wanted.find(scope => !scopes.includes(scope));
  if (unknown !== undefined) throw new Rejected('unprocessable', 'validation_error', `Unknown scope ${unknown}`);
}

function evolve(state: ApiTokenState, { type, data }: Fact<ApiTokenFact>): ApiTokenState {
  switch (type) {
    case 'ApiTokenIssued': return { token: data, revoked: false };
    case 'ApiTokenChanged': return { ...state, token: state.token && { ...state.token, ...data.changes } };
    // A replaced token is on its way out: it cannot be changed or replaced again
    case 'ApiTokenReplaced': case 'ApiTokenRevoked': return { ...state, revoked: true };
  }
}

export const apiTokens: Decider<ApiTokenCommand, ApiTokenFact, ApiTokenState> =
  { category: 'api_token', idOf: ({ data }) => data.tokenId, initialState: { token: null, revoked: false }, decide, evolve };
