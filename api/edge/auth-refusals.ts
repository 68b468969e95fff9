import type { Role } from '../../domain/groups/roles.js';
import { Rejected } from '../../domain/rejected.js';
import type { Scope } from '../../domain/tokens/scopes.js';

/** A cell and the address its API is reached at. */
export type Cell = { readonly name: string; readonly url: string };

// Why somebody is not let in. Each is made once: a refusal without details of its own costs nothing then.

export const authorizationRequired = new Rejected(
  'unauthorized',
  'authorization_required',
  'A bearer token is required',
);
export const tokenInvalid = new Rejected('unauthorized', 'token_invalid', 'The token is not valid');
export const tokenRevoked = new Rejected('unauthorized', 'token_revoked', 'The token was revoked');
export const tokenExpired = new Rejected('unauthorized', 'token_expired', 'The token has expired');
export const tokenLimited = new Rejected(
  'forbidden',
  'token_limited',
  'This token is limited to some workspaces; this takes one for all of them',
);
export const internalTokenRequired = new Rejected(
  'forbidden',
  'internal_token_required',
  'Only services of the platform itself may call this',
);
export const workspaceRequired = new Rejected('invalid', 'workspace_required', 'Workspace ID required', {
  header: 'X-Workspace-Id',
});
export const workspaceForbidden = new Rejected(
  'forbidden',
  'workspace_forbidden',
  'You are not a member of this workspace',
);
export const workspaceOutside = new Rejected(
  'forbidden',
  'workspace_forbidden',
  'This token is limited to other workspaces',
);
export const workspaceArchived = new Rejected(
  'forbidden',
  'workspace_archived',
  'This workspace is archived',
);

/** Where somebody who is not at home here must go; undefined when no such cell is known. */
export const wrongCell = (home: Cell | undefined): Rejected | undefined =>
  home
  && new Rejected('conflict', 'wrong_cell', `This belongs to the cell ${home.name}; call ${home.url}`, {
    home_cell: home.name,
    redirect_api_base_url: home.url,
  });

export const insufficientScope = (required: readonly Scope[], granted: readonly Scope[]): Rejected =>
  new Rejected('forbidden', 'insufficient_scope', `This token lacks the scope ${required.join(' ')}`, {
    required: [...required],
    granted: [...granted],
  });

export const roleForbidden = (role: Role, required: readonly Scope[]): Rejected =>
  new Rejected('forbidden', 'role_forbidden', `The role ${role} may not do this in the workspace`, {
    role,
    required: [...required],
  });

/** `role`: null: they are no member at all. */
export const roleTooLow = (
  role: Role | null,
  least: Role,
  where: 'workspace' | 'organization' = 'workspace',
): Rejected =>
  new Rejected('forbidden', 'role_forbidden', `This takes the role ${least} in the ${where}`, {
    role,
    required_role: least,
  });
