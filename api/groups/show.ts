import type { NewFact } from '../../domain/fact.js';
import type { GroupFact, GroupKind } from '../../domain/groups/facts.js';
import type { Role } from '../../domain/groups/roles.js';
import type { OrganizationDoc, WorkspaceDoc } from '../../projections/identity/documents.js';
import { withDecided } from '../../projections/identity/on-groups.js';
import type { GroupDeps } from './deps.js';
import { groupNotFound, type Group } from './enter.js';
import { organizationView, workspaceView } from './views.js';

/** How a group is answered, with what is counted of it. */
export type Show = {
  readonly view: (doc: WorkspaceDoc | OrganizationDoc, role: Role) => Promise<object>;
  /** As it is, with what was `decided` of it just now. @throws Rejected 404 */
  readonly shown: (
    group: Group,
    decided?: readonly NewFact<GroupFact>[],
  ) => Promise<{ readonly data: object }>;
};

export function showing(kind: GroupKind, { queries }: GroupDeps): Show {
  const view: Show['view'] = async (doc, role) => {
    const members = await queries.memberCount(doc._id);
    if ('organization_id' in doc) return workspaceView(doc, role, members);
    const workspaces = await queries.workspaceCount(doc._id);
    const owner = await queries.ownerOf(doc._id);
    return organizationView(doc, role, members, workspaces, owner);
  };
  return {
    view,
    async shown({ id, role }, decided = []) {
      const doc = await queries.group(kind, id);
      if (!doc) throw groupNotFound();
      return { data: await view(withDecided(doc, decided), role) };
    },
  };
}
