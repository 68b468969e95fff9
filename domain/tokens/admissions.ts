import type { ApiTokenAdmitted, ApiTokenFact, ApiTokenIssued, ApiTokenWithdrawn } from './facts.js';

/** A workspace hears that this token may do something there. */
export const admittedTo =
  ({ tokenId, uid, scopes }: ApiTokenIssued['data']) =>
  (workspaceId: string): ApiTokenAdmitted => ({
    type: 'ApiTokenAdmitted',
    data: { tokenId, uid, workspaceId, scopes },
  });
/** A workspace hears that it may no longer, from `until` on (epoch ms; null: now). */
export const withdrawnFrom =
  ({ tokenId, uid }: ApiTokenIssued['data'], until: number | null) =>
  (workspaceId: string): ApiTokenWithdrawn => ({
    type: 'ApiTokenWithdrawn',
    data: { tokenId, uid, workspaceId, until },
  });

/**
 * What workspaces hear of a change: those that come to it or leave it and, when it may do other things, all.
 */
export function admissionsAfter(
  token: ApiTokenIssued['data'],
  before: readonly string[],
  everywhere: boolean,
): readonly ApiTokenFact[] {
  // One that is no longer limited goes on where it was
  const now = token.workspaceIds ?? before;
  return [
    ...before.filter(id => !now.includes(id)).map(withdrawnFrom(token, null)),
    ...now.filter(id => everywhere || !before.includes(id)).map(admittedTo(token)),
  ];
}
