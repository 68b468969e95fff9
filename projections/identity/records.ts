import type { Role } from '../../domain/groups/roles.js';
import type { Scope } from '../../domain/tokens/scopes.js';

// What the check of every request needs to know. Times are epoch ms.

/** What is known about a token. `workspaceIds` null: every workspace its owner is in. */
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

/** What somebody is in a workspace, and what its organization asks of them. */
export type Membership = Demands & {
  readonly role: Role;
  readonly archivedAt: number | null;
  readonly homeCell: string;
};
