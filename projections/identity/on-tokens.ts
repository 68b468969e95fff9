import type { Fact } from '../../domain/fact.js';
import { LATEST } from '../../domain/time.js';
import type { ApiTokenChanged, ApiTokenIssued, ApiTokenReplaced } from '../../domain/tokens/facts.js';
import { following } from '../../domain/versions.js';
import type { IdentityOn, TokenDoc } from './documents.js';

/** API tokens, by the hashes of their values. */
export const onTokens: IdentityOn = {
  ApiTokenIssued: (_, fact) => ({ api_tokens: tokenOf(fact) }),
  ApiTokenChanged: ({ api_tokens: token }, fact) => (token ? { api_tokens: changed(token, fact) } : {}),
  ApiTokenReplaced: ({ api_tokens: token }, fact) => (token ? { api_tokens: replaced(token, fact) } : {}),
  ApiTokenRevoked: ({ api_tokens: token }, { at }) => (token ? { api_tokens: ended(token, at) } : {}),
};

/** The document of a token that was just issued. */
export const tokenOf = ({ data, at }: Pick<Fact<ApiTokenIssued>, 'data' | 'at'>): TokenDoc => ({
  _id: data.hash,
  token_id: data.tokenId,
  uid: data.uid,
  name: data.name,
  prefix: data.prefix,
  last4: data.last4,
  scopes: data.scopes,
  workspace_ids: data.workspaceIds,
  issued_at: at,
  expires_at: data.expiresAt,
  revoked_at: null,
  replaced_by: null,
  ends_at: data.expiresAt ?? LATEST,
  home_cell: data.homeCell,
  internal: data.internal,
  version: 1,
});

const changed = (token: TokenDoc, { data: { changes } }: Fact<ApiTokenChanged>): TokenDoc => ({
  ...token,
  ...following(token.version),
  name: changes.name ?? token.name,
  scopes: changes.scopes ?? token.scopes,
  workspace_ids: changes.workspaceIds === undefined ? token.workspace_ids : changes.workspaceIds,
});

function replaced(token: TokenDoc, { data: { by, until }, at }: Fact<ApiTokenReplaced>): TokenDoc {
  if (until <= at) return { ...ended(token, at), replaced_by: by };
  return {
    ...token,
    replaced_by: by,
    expires_at: Math.min(until, token.expires_at ?? until),
    ends_at: Math.min(until, token.ends_at),
  };
}

const ended = (token: TokenDoc, at: number): TokenDoc => ({
  ...token,
  revoked_at: token.revoked_at ?? at,
  ends_at: Math.min(token.ends_at, at),
});
