import type { Outcome } from '../../commands/engine/handle.js';
import type { GroupFact, GroupKind } from '../../domain/groups/facts.js';
import type { Role } from '../../domain/groups/roles.js';
import type { GroupState } from '../../domain/groups/state.js';
import type { OrganizationDoc, WorkspaceDoc } from '../../projections/identity/documents.js';
import { withDecided } from '../../projections/identity/on-groups.js';
import { tagOf } from '../edge/versions.js';
import type { GroupDeps } from './deps.js';
import { groupNotFound, type Group } from './enter.js';
import { organizationView, workspaceView } from './views.js';

type GroupDoc = WorkspaceDoc | OrganizationDoc;

/** How a group is answered, with what is counted of it. */
export type Show = {
  /** Several, with the caller's role in each. */
  readonly views: (groups: readonly { readonly group: GroupDoc; readonly role: Role }[]) => Promise<object[]>;
  /** As it is, with what was `decided` of it just now. @throws Rejected 404 */
  readonly shown: (
    group: Group,
    decided?: Pick<Outcome<GroupFact, GroupState>, 'facts' | 'after'>,
  ) => Promise<{ readonly body: { readonly data: object }; readonly etag?: string }>;
};

export function showing(kind: GroupKind, { queries, plans }: GroupDeps): Show {
  const view = async (doc: GroupDoc, role: Role, planOf: ReadonlyMap<string, string>): Promise<object> => {
    const members = await queries.memberCount(doc._id);
    if ('organization_id' in doc) return workspaceView(doc, role, members);
    const workspaces = await queries.workspaceCount(doc._id);
    const owner = await queries.ownerOf(doc._id);
    return organizationView(doc, role, members, workspaces, owner, planOf.get(doc._id)!);
  };
  const views: Show['views'] = async groups => {
    const planOf =
      kind === 'organization'
        ? await plans.of(groups.map(({ group }) => group._id))
        : new Map<string, string>();
    return Promise.all(groups.map(({ group, role }) => view(group, role, planOf)));
  };
  return {
    views,
    async shown({ id, role }, decided) {
      const doc = await queries.group(kind, id);
      if (!doc) throw groupNotFound();
      const [data] = await views([{ group: withDecided(doc, decided?.facts ?? []), role }]);
      return { body: { data: data! }, ...tagOf(decided?.after.version ?? doc.version, data!) };
    },
  };
}
