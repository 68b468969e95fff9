import type { TokenUse } from './token-uses.js';
import type { ApiTokenState } from '../../domain/tokens/state.js';
import { iso } from '../../domain/time.js';
import type { TokenDoc, UserDoc } from '../../projections/identity/documents.js';
import { tokenOf } from '../../projections/identity/on-tokens.js';
import { statusOf, type WorkspaceMembership } from '../../projections/identity/queries.js';
import type { Caller } from '../edge/row.js';

export const optionalIso = (ms: number | null): string | null => (ms === null ? null : iso(ms));

/** A token limited to some workspaces shows those alone. */
export const userView = (user: UserDoc, memberships: readonly WorkspaceMembership[], caller: Caller) => ({
  uid: user._id,
  email: user.email,
  name: user.name,
  avatar_url: user.avatar_url,
  locale: user.locale,
  timezone: user.timezone,
  home_cell: user.home_cell,
  created_at: iso(user.created_at),
  totp_enabled: user.totp_enabled,
  ui_flags: user.ui_flags,
  memberships: memberships
    .filter(({ workspace: { _id } }) => !caller.workspaceIds || caller.workspaceIds.includes(_id))
    .map(({ workspace, role }) => ({
      workspace_id: workspace._id,
      workspace_name: workspace.name,
      organization_id: workspace.organization_id,
      role,
    })),
  token: { token_id: caller.tokenId, name: caller.tokenName, scopes: caller.scopes },
});

export const tokenView = (doc: TokenDoc, use: TokenUse | undefined, now: number) => ({
  token_id: doc.token_id,
  name: doc.name,
  prefix: doc.prefix,
  last4: doc.last4,
  scopes: doc.scopes,
  workspace_ids: doc.workspace_ids,
  created_at: iso(doc.issued_at),
  expires_at: optionalIso(doc.expires_at),
  last_used_at: optionalIso(use?.at ?? null),
  last_used_ip: use?.ip ?? null,
  revoked_at: optionalIso(doc.revoked_at),
  status: statusOf(doc, now),
  replaced_by: doc.replaced_by,
  version: doc.version ?? null,
});

/** A token as it was decided, whatever the read models know of it yet. */
export const decidedView = (
  { token, issuedAt, version }: ApiTokenState,
  use: TokenUse | undefined,
  now: number,
) => tokenView({ ...tokenOf({ data: token!, at: issuedAt }), version }, use, now);
