import type { NewFact } from '../../domain/fact.js';
import type {
  GroupChanged,
  GroupFact,
  OrganizationCreated,
  WorkspaceCreated,
} from '../../domain/groups/facts.js';
import { following } from '../../domain/versions.js';
import type { Before } from '../engine/projection.js';
import {
  memberId,
  type IdentityDocs,
  type IdentityOn,
  type OrganizationDoc,
  type WorkspaceDoc,
} from './documents.js';

type Changed = Pick<GroupChanged, 'data'>;
type Decided<E extends WorkspaceCreated | OrganizationCreated> = Pick<NewFact<E>, 'data' | 'at'>;

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

/** The document of a workspace that was just made. */
export const workspaceOf = ({ data, at }: Decided<WorkspaceCreated>): WorkspaceDoc => ({
  _id: data.groupId,
  organization_id: data.organizationId,
  name: data.name,
  home_cell: data.homeCell,
  timezone: data.timezone,
  domain_terms: data.domainTerms,
  retention: data.retention,
  created_at: at,
  archived_at: null,
  version: 1,
});

/** The document of an organization that was just made. */
export const organizationOf = ({ data, at }: Decided<OrganizationCreated>): OrganizationDoc => ({
  _id: data.groupId,
  name: data.name,
  home_cell: data.homeCell,
  created_at: at,
  archived_at: null,
  version: 1,
  require_2fa: data.require2fa,
  allowed_email_domains: data.allowedEmailDomains,
  token_max_age_days: data.tokenMaxAgeDays,
});

/**
 * The document of a group with what was decided of it just now, whether it holds that already or not; but for
 * its version.
 */
export function withDecided(
  doc: WorkspaceDoc | OrganizationDoc,
  decided: readonly NewFact<GroupFact>[],
): WorkspaceDoc | OrganizationDoc {
  let known = doc;
  for (const fact of decided) {
    if (fact.type === 'GroupRestored') known = { ...known, archived_at: null };
    if (fact.type === 'GroupChanged')
      known = 'organization_id' in known ? changedWorkspace(known, fact) : changedOrganization(known, fact);
  }
  return known;
}

const changedWorkspace = (was: WorkspaceDoc, { data: { changes } }: Changed): WorkspaceDoc => ({
  ...was,
  ...following(was.version),
  name: changes.name ?? was.name,
  timezone: changes.timezone ?? was.timezone,
  domain_terms: changes.domainTerms ?? was.domain_terms,
  retention: changes.retention ?? was.retention,
});

const changedOrganization = (was: OrganizationDoc, { data: { changes } }: Changed): OrganizationDoc => ({
  ...was,
  ...following(was.version),
  name: changes.name ?? was.name,
  require_2fa: changes.require2fa ?? was.require_2fa,
  allowed_email_domains: changes.allowedEmailDomains ?? was.allowed_email_domains,
  token_max_age_days:
    changes.tokenMaxAgeDays === undefined ? was.token_max_age_days : changes.tokenMaxAgeDays,
});
