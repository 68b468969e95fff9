import type { ApiTokenCommand } from '../../domain/tokens/commands.js';
import type { ApiTokenFact, ApiTokenIssued } from '../../domain/tokens/facts.js';
import type { Scope } from '../../domain/tokens/scopes.js';

// What tests of API tokens are made of: one token, and what is asked of it and befalls it.
export const NOW = 1_000;
export const tokenId = 't';
export const uid = 'u';
export const hash = 'h';
export const data: ApiTokenIssued['data'] = {
  tokenId,
  uid,
  name: 'n',
  hash,
  prefix: 'p',
  last4: 'l',
  scopes: ['data.read', 'goals.read'],
  workspaceIds: null,
  expiresAt: null,
  homeCell: 'c',
  internal: false,
};
export const issued = (over: Partial<ApiTokenIssued['data']> = {}): ApiTokenFact => ({
  type: 'ApiTokenIssued',
  data: { ...data, ...over },
});
export const issue = (over: object = {}): ApiTokenCommand => ({
  type: 'IssueApiToken',
  data: { ...data, ...over },
});
export const change = (changes: object, over: object = {}): ApiTokenCommand => ({
  type: 'ChangeApiToken',
  data: { tokenId, uid, changes, now: NOW, ...over },
});
export const changed = (changes: object): ApiTokenFact => ({
  type: 'ApiTokenChanged',
  data: { tokenId, hash, changes },
});
export const revoke = (asker: string | null = uid, over: object = { now: NOW }): ApiTokenCommand => ({
  type: 'RevokeApiToken',
  data: { tokenId, uid: asker, ...over },
});
export const revoked: ApiTokenFact = { type: 'ApiTokenRevoked', data: { tokenId, hash } };
export const replace = (over: object = {}): ApiTokenCommand => ({
  type: 'ReplaceApiToken',
  data: { tokenId, uid, by: 't2', until: NOW, now: NOW, ...over },
});
export const replaced: ApiTokenFact = {
  type: 'ApiTokenReplaced',
  data: { tokenId, hash, by: 't2', until: NOW },
};
/** And works for a while yet. */
export const leaving: ApiTokenFact = {
  type: 'ApiTokenReplaced',
  data: { tokenId, hash, by: 't2', until: NOW + 5 },
};
/** Without a time in which both work. */
export const replacedAtOnce = { ...replaced, at: NOW };
export const within = (
  scopes: Scope[],
  workspaceIds: string[] | null = null,
  expiresAt: number | null = null,
) => ({
  within: { scopes, workspaceIds, expiresAt },
});
export const admitted = (workspaceId: string, scopes = data.scopes): ApiTokenFact => ({
  type: 'ApiTokenAdmitted',
  data: { tokenId, uid, workspaceId, scopes },
});
export const withdrawn = (workspaceId: string, until: number | null = null): ApiTokenFact => ({
  type: 'ApiTokenWithdrawn',
  data: { tokenId, uid, workspaceId, until },
});
