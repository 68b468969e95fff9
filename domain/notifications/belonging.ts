import type { Role } from '../groups/roles.js';
import type { Told } from './facts.js';

/** What members of an organization are told of themselves. All else is for those who look after it. */
const FOR_EVERY_MEMBER: readonly string[] = ['workspace.role_changed'];
/** Told before any membership, so that none ends it. */
const FOR_NO_MEMBER: readonly string[] = ['workspace.invitation'];

/** The organization with whose membership a notification of no workspace ends; null: with that of none. */
export function organizationOf({ kind, workspace, data }: Pick<Told, 'kind' | 'workspace' | 'data'>) {
  const id = data['organization_id'];
  return workspace === null && typeof id === 'string' && !FOR_NO_MEMBER.includes(kind) ? id : null;
}

/** From which role on in its workspace or organization somebody may be told. */
export const leastRoleOf = (kind: string, organization: string | null): Role =>
  organization === null || FOR_EVERY_MEMBER.includes(kind) ? 'viewer' : LOOKS_AFTER;
/** Who has less in an organization has no more of what was told of it. */
export const LOOKS_AFTER: Role = 'admin';
