import type { Decider } from './decider.js';
import type { Message } from './fact.js';
import { Rejected } from './rejected.js';
import { scopes, type Scope } from './scopes.js';

/**
 * `hash`: SHA-256 of the whole value, hex; the value itself is nowhere. `prefix` and `last4` let people recognise it.
 * `workspaceIds` null: every workspace its owner is in. `expiresAt`: epoch ms; null: never.
 */
export type ApiTokenIssued = Message<'ApiTokenIssued', {
  readonly tokenId: string; readonly uid: string; readonly name: string; readonly hash: string;
  readonly prefix: string; readonly last4: string; readonly scopes: readonly Scope[];
  readonly workspaceIds: readonly string[] | null; readonly expiresAt: number | null; readonly homeCell: string;
}>;
export type IssueApiToken = Message<'IssueApiToken', ApiTokenIssued['data']>;

export const apiTokens: Decider<IssueApiToken, ApiTokenIssued, { readonly issued: boolean }> = {
  category: 'api_token', idOf: ({ data }) => data.tokenId, initialState: { issued: false },
  decide({ data }, { issued }) {
    const unknown = data.scopes.find(scope => !scopes.includes(scope));
    if (unknown !== undefined) throw new Rejected('unprocessable', 'validation_error', `Unknown scope ${unknown}`);
    return issued ? [] : [{ type: 'ApiTokenIssued', data: { ...data, scopes: [...data.scopes].sort() } }];
  },
  evolve: () => ({ issued: true }),
};
