import { Rejected } from '../rejected.js';
import { iso } from '../time.js';
import type { Bounds } from './commands.js';
import type { ApiTokenIssued } from './facts.js';
import { scopes, type Scope } from './scopes.js';

/** When it ends, epoch ms; Infinity: never. */
export const endOf = ({ expiresAt }: { readonly expiresAt: number | null }): number =>
  expiresAt ?? Number.POSITIVE_INFINITY;

/** @throws Rejected for a scope that there is not */
export function checkScopes(wanted: readonly Scope[]): void {
  const unknown = wanted.find(scope => !scopes.includes(scope));
  if (unknown !== undefined)
    throw new Rejected('unprocessable', 'validation_error', `Unknown scope ${unknown}`);
}

/**
 * No token gives what it does not have: neither a scope, nor a workspace, nor time; those of services are the
 * operator's alone.
 */
export function checkBounds(token: ApiTokenIssued['data'], within: Bounds | null = null): void {
  if (!within) return;
  if (token.internal) throw escalation('Tokens of services are given by an operator');
  const beyond = token.scopes.filter(scope => !within.scopes.includes(scope));
  if (beyond.length > 0)
    throw escalation(`This token lacks ${beyond.join(' ')} itself`, {
      scopes: beyond,
      granted: [...within.scopes],
    });
  if (within.workspaceIds && !token.workspaceIds?.every(id => within.workspaceIds!.includes(id)))
    throw escalation('This token is limited to other workspaces itself', {
      granted_workspace_ids: [...within.workspaceIds],
    });
  if (endOf(token) > endOf(within))
    throw escalation('This token ends sooner itself', { granted_until: iso(within.expiresAt!) });
}

const escalation = (message: string, details: Readonly<Record<string, unknown>> = {}): Rejected =>
  new Rejected('forbidden', 'scope_escalation', message, details);
