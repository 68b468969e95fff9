import type { NewFact } from '../../domain/fact.js';
import type { GroupFact } from '../../domain/groups/facts.js';
import type { Role } from '../../domain/groups/roles.js';
import { iso } from '../../domain/time.js';
import type { InvitationDoc, OrganizationDoc, WorkspaceDoc } from '../../projections/identity/documents.js';
import type { MemberWithUser } from '../../projections/identity/group-queries.js';
import { organizationOf, workspaceOf } from '../../projections/identity/on-groups.js';

const optionalIso = (ms: number | null): string | null => (ms === null ? null : iso(ms));

/** A name as part of an address: lower case letters, digits and hyphens. */
const slugOf = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');

const common = (
  { name, home_cell, created_at, archived_at }: WorkspaceDoc | OrganizationDoc,
  role: Role,
  memberCount: number,
) => ({
  name,
  slug: slugOf(name),
  home_cell,
  member_count: memberCount,
  role,
  created_at: iso(created_at),
  archived_at: optionalIso(archived_at),
});

export const workspaceView = (doc: WorkspaceDoc, role: Role, memberCount: number) => ({
  workspace_id: doc._id,
  organization_id: doc.organization_id,
  ...common(doc, role, memberCount),
  timezone: doc.timezone,
  domain_terms: doc.domain_terms,
  retention: {
    signals_days: doc.retention.signalsDays,
    events_days: doc.retention.eventsDays,
    raw_days: doc.retention.rawDays,
  },
});

export const organizationView = (
  doc: OrganizationDoc,
  role: Role,
  memberCount: number,
  workspaceCount: number,
  owner: string | null,
  plan: string,
) => ({
  organization_id: doc._id,
  ...common(doc, role, memberCount),
  plan,
  owner_uid: owner,
  workspace_count: workspaceCount,
  settings: {
    require_2fa: doc.require_2fa,
    allowed_email_domains: doc.allowed_email_domains,
    token_max_age_days: doc.token_max_age_days,
  },
});

/**
 * A group that was decided just now, whatever the read models know of it yet: its owner is alone in it.
 * `plan`: of a new organization.
 */
export function createdView(facts: readonly NewFact<GroupFact>[], owner: string, plan: string) {
  for (const fact of facts) {
    if (fact.type === 'WorkspaceCreated') return workspaceView(workspaceOf(fact), 'owner', 1);
    if (fact.type === 'OrganizationCreated')
      return organizationView(organizationOf(fact), 'owner', 1, 0, owner, plan);
  }
  throw new Error('nothing was created');
}

/** `activeAt`: epoch ms; null: not known. */
export const memberView = ({ uid, role, joined_at, user }: MemberWithUser, activeAt: number | null) => ({
  uid,
  name: user?.name ?? null,
  email: user?.email ?? null,
  role,
  joined_at: iso(joined_at),
  last_active_at: optionalIso(activeAt),
  totp_enabled: user?.totp_enabled ?? false,
});

/** An invitation expires by itself: nothing happens then but time. */
export const statusOf = (
  { status, expires_at }: Pick<InvitationDoc, 'status' | 'expires_at'>,
  now: number,
) => (status === 'pending' && expires_at <= now ? 'expired' : status);

export const invitationView = (
  doc: Pick<InvitationDoc, '_id' | 'email' | 'role' | 'status' | 'invited_at' | 'expires_at'>,
  now: number,
) => ({
  invitation_id: doc._id,
  email: doc.email,
  role: doc.role,
  status: statusOf(doc, now),
  invited_at: iso(doc.invited_at),
  expires_at: iso(doc.expires_at),
});
