import type { Message } from '../fact.js';
import type { Scope } from './scopes.js';

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
