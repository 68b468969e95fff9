import type { GroupKind } from '../../domain/groups/facts.js';
import { Rejected } from '../../domain/rejected.js';
import type { Role } from '../../domain/groups/roles.js';
import { meets } from '../edge/demands.js';
import type { Caller } from '../edge/row.js';
import type { GroupDeps } from './deps.js';
import { kinds } from './schemas.js';

/** A group with the role that the caller has in it. */
export type Group = { readonly id: string; readonly role: Role };

/**
 * The group of the path, for those who are in it; another's is not found, whether it exists or not, but for
 * a workspace whose id says that it lives in another cell. An archived one is refused, unless `archivedToo`.
 */
export type Enter = (
  call: { readonly caller: Caller; readonly params: Readonly<Record<string, string>> },
  archivedToo?: boolean,
) => Promise<Group>;

export const groupNotFound = (): Rejected => new Rejected('missing', 'not_found', 'Not found');

export function entering(kind: GroupKind, { queries, demands, inOtherCell, clock }: GroupDeps): Enter {
  const { id } = kinds[kind];
  /** A token that is limited to some workspaces sees no other one. */
  const isOutside = ({ workspaceIds }: Caller, groupId: string): boolean =>
    kind === 'workspace' && workspaceIds !== null && !workspaceIds.includes(groupId);

  return async ({ caller, params }, archivedToo = false) => {
    const groupId = params[id]!;
    const [member, group] = await Promise.all([
      queries.member(groupId, caller.uid),
      queries.group(kind, groupId),
    ]);
    if (!member || !group || member.kind !== kind || isOutside(caller, groupId))
      throw (kind === 'workspace' && inOtherCell(groupId)) || groupNotFound();
    if (!archivedToo && group.archived_at !== null) throw archived();
    const organizationId = 'organization_id' in group ? group.organization_id : groupId;
    meets(caller, await demands(organizationId, caller.uid), clock());
    return { id: groupId, role: member.role };
  };
}

const archived = (): Rejected =>
  new Rejected('forbidden', 'workspace_archived', 'It is archived; restore it first');
