import type { Message } from '../fact.js';
import type { ApiTokenChanged, ApiTokenIssued } from './facts.js';
import type { Scope } from './scopes.js';

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
type ByOwner = { readonly tokenId: string; readonly uid: string | null };
/** `seen`: the version that is meant; null, and absent: whichever there is. */
type Seen = { readonly seen?: number | null };
type Giving = { readonly within?: Bounds | null };
/** `lifetime` null: for ever. */
export type IssueApiToken = Message<
  'IssueApiToken',
  ApiTokenIssued['data'] & Giving & { readonly lifetime?: Lifetime | null }
>;
export type ChangeApiToken = Message<
  'ChangeApiToken',
  ByOwner & Giving & Seen & { readonly changes: ApiTokenChanged['data']['changes']; readonly now: number }
>;
/** `now` absent: whatever the time is, also one that has expired. */
export type RevokeApiToken = Message<'RevokeApiToken', ByOwner & Seen & { readonly now?: number }>;
export type ReplaceApiToken = Message<
  'ReplaceApiToken',
  ByOwner & Giving & { readonly by: string; readonly until: number; readonly now: number }
>;
export type ApiTokenCommand = IssueApiToken | ChangeApiToken | RevokeApiToken | ReplaceApiToken;
