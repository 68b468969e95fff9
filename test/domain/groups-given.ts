import type { GroupCommand } from '../../domain/groups/commands.js';
import { workspaces } from '../../domain/groups/decider.js';
import type { GroupFact, WorkspaceCreated } from '../../domain/groups/facts.js';
import type { Role } from '../../domain/groups/roles.js';
import { given } from '../spec.js';

export const NOW = 1_000_000;
export const of = { kind: 'workspace', groupId: 'w' } as const;
export const created: WorkspaceCreated = {
  type: 'WorkspaceCreated',
  data: {
    ...of,
    organizationId: 'o',
    homeCell: 'here',
    name: 'First',
    timezone: 'UTC',
    domainTerms: [],
    retention: { signalsDays: null, eventsDays: null, rawDays: null },
  },
};
export const member = (uid: string, role: Role): GroupFact => ({
  type: 'MemberAdded',
  data: { ...of, uid, role },
});
export const removed = (uid: string): GroupFact => ({ type: 'MemberRemoved', data: { ...of, uid } });
export const became = (uid: string, role: Role): GroupFact => ({
  type: 'MemberRoleChanged',
  data: { ...of, uid, role },
});
export const archived: GroupFact & { at?: number } = { type: 'GroupArchived', data: of, at: NOW };
export const past = [created, member('ann', 'owner'), member('bob', 'admin'), member('cem', 'viewer')];
export const live = () => given(workspaces, ...past);
export const change = (by: string | null, uid: string, role: Role): GroupCommand => ({
  type: 'ChangeMemberRole',
  data: { ...of, by, uid, role },
});
export const remove = (by: string | null, uid: string): GroupCommand => ({
  type: 'RemoveMember',
  data: { ...of, by, uid },
});
export const add = (by: string | null, uid: string, role: Role): GroupCommand => ({
  type: 'AddMember',
  data: { ...of, by, uid, email: `${uid}@example.org`, role, domains: [] },
});
