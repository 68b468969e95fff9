import type { Fact } from '../../domain/fact.js';
import type { GroupChanged, OrganizationCreated, WorkspaceCreated } from '../../domain/groups/facts.js';
import type { Before } from '../engine/projection.js';
import {
  memberId,
  type IdentityDocs,
  type IdentityOn,
  type OrganizationDoc,
  type WorkspaceDoc,
} from './documents.js';

/** Workspaces and organizations, and who is in them. */
export const onGroups: IdentityOn = {
  WorkspaceCreated: (_, fact) => ({ workspaces: workspaceOf(fact) }),
  OrganizationCreated: (_, fact) => ({ organizations: organizationOf(fact) }),
  GroupChanged: ({ workspaces, organizations }, fact) => ({
    ...(workspaces && { workspaces: changedWorkspace(workspaces, fact) }),
    ...(organizations && { organizations: changedOrganization(organizations, fact) }),
  }),
  GroupArchived: (before, { at }) => archived(before, at),
  GroupRestored: before => archived(before, null),

  MemberAdded: (_, { data: { kind, groupId, uid, role }, at }) => ({
    members: { _id: memberId(groupId, uid), kind, group_id: groupId, uid, role, joined_at: at },
  }),
  MemberRoleChanged: ({ members }, { data: { role } }) => (members ? { members: { ...members, role } } : {}),
  MemberRemoved: () => ({ members: null }),
};

const archived = ({ workspaces, organizations }: Before<IdentityDocs>, at: number | null) => ({
  ...(workspaces && { workspaces: { ...workspaces, archived_at: at } }),
  ...(organizations && { organizations: { ...organizations, archived_at: at } }),
});

const workspaceOf = ({ data, at }: Fact<WorkspaceCreated>): WorkspaceDoc => ({
  _id: data.groupId,
  organization_id: data.organizationId,
  name: data.name,
  home_cell: data.homeCell,
  timezone: data.timezone,
  domain_terms: data.domainTerms,
  retention: data.retention,
  created_at: at,
  archived_at: null,
});

const organizationOf = ({ data, at }: Fact<OrganizationCreated>): OrganizationDoc => ({
  _id: data.groupId,
  name: data.name,
  home_cell: data.homeCell,
  created_at: at,
  archived_at: null,
  require_2fa: data.require2fa,
  allowed_email_domains: data.allowedEmailDomains,
  token_max_age_days: data.tokenMaxAgeDays,
});

const changedWorkspace = (was: WorkspaceDoc, { data: { changes } }: Fact<GroupChanged>): WorkspaceDoc => ({
  ...was,
  name: changes.name ?? was.name,
  timezone: changes.timezone ?? was.timezone,
  domain_terms: changes.domainTerms ?? was.domain_terms,
  retention: changes.retention ?? was.retention,
});

const changedOrganization = (
  was: OrganizationDoc,
  { data: { changes } }: Fact<GroupChanged>,
): OrganizationDoc => ({
  ...was,
  name: changes.name ?? was.name,
  require_2fa: changes.require2fa ?? was.require_2fa,
  allowed_email_domains: changes.allowedEmailDomains ?? was.allowed_email_domains,
  token_max_age_days:
    changes.tokenMaxAgeDays === undefined ? was.token_max_age_days : changes.tokenMaxAgeDays,
});
