import type { GroupDeps } from './deps.js';

/**
 * When members were last active, epoch ms: the last use, to the minute, of a token that reaches the group.
 * Those of whom none is known are absent. What a token that is limited to other workspaces does stays there.
 */
export async function lastActive(
  { queries, lastUses }: Pick<GroupDeps, 'queries' | 'lastUses'>,
  groupId: string,
  uids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const tokens = await queries.tokensOf(uids);
  const reaching = tokens.filter(({ workspace_ids: only }) => only === null || only.includes(groupId));
  const uses = await lastUses.last(reaching.map(({ token_id }) => token_id));
  const active = new Map<string, number>();
  for (const { uid, token_id } of reaching) {
    const use = uses.get(token_id);
    if (use) active.set(uid, Math.max(use.at, active.get(uid) ?? 0));
  }
  return active;
}
