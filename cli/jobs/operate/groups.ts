import type { GroupKind } from '../../../domain/groups/facts.js';
import type { Role } from '../../../domain/groups/roles.js';
import type { Operations } from '../operation.js';
import { mustExist } from './users.js';

export type GroupOptions =
  | { readonly what: 'organization create'; readonly name: string; readonly owner: string }
  | {
      readonly what: 'workspace create';
      readonly name: string;
      readonly organization: string;
      readonly owner: string;
      readonly terms: readonly string[];
    }
  | {
      readonly what: 'group archive';
      readonly kind: GroupKind;
      readonly id: string;
      readonly confirm: string;
    }
  | {
      readonly what: 'member add';
      readonly kind: GroupKind;
      readonly id: string;
      readonly uid: string;
      readonly role: Role;
    };

export const groupOperations: Operations<GroupOptions> = {
  async 'organization create'(platform, { name, owner }, context) {
    const { groups } = platform.areas.identity;
    await mustExist(platform, owner);
    const { groupId, position } = await groups.createOrganization(owner, { name }, context);
    return { shown: { organization_id: groupId }, position };
  },
  async 'workspace create'(platform, { name, organization, owner, terms }, context) {
    const { groups } = platform.areas.identity;
    await mustExist(platform, owner);
    const wanted = { name, organizationId: organization, domainTerms: terms };
    const { groupId, position } = await groups.createWorkspace(owner, wanted, context);
    return { shown: { workspace_id: groupId }, position };
  },
  async 'group archive'({ areas }, { kind, id, confirm }, context) {
    const { position } = await areas.identity.groups.archive(kind, id, null, confirm, context);
    return { shown: { [`${kind}_id`]: id, archived: true }, position };
  },
  async 'member add'(platform, { kind, id, uid, role }, context) {
    const { groups } = platform.areas.identity;
    await mustExist(platform, uid);
    const { after, position } = await groups.addMember(kind, id, null, uid, role, context);
    return { shown: { [`${kind}_id`]: id, uid, role: after.members.get(uid) }, position };
  },
};
