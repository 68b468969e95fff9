import type { Decider } from '../decider.js';
import type { Fact } from '../fact.js';
import { Rejected } from '../rejected.js';
import { roles, type Role } from '../roles.js';
import { DAY } from '../time.js';
import type { AddMember, ArchiveGroup, ChangeMemberRole, GroupCommand, RemoveMember } from './commands.js';
import type { GroupFact, OfGroup } from './facts.js';
import { answer, invite, invitationsAfter, resend, revoke, type Invitation } from './invitations.js';

export type GroupState = {
  readonly status: 'none' | 'active' | 'archived';
  readonly name: string;
  readonly archivedAt: number;
  readonly members: ReadonlyMap<string, Role>;
  readonly invitations: ReadonlyMap<string, Invitation>;
};

/** How long an archived group can be restored. */
export const RESTORE_WITHIN = 30 * DAY;

const initialState: GroupState = { status: 'none', name: '', archivedAt: 0, members: new Map(), invitations: new Map() };

function decide(command: GroupCommand, state: GroupState): readonly GroupFact[] {
  if (command.type === 'CreateWorkspace' || command.type === 'CreateOrganization') return create(command, state);
  if (state.status === 'none') throw notFound();
  if (state.status === 'archived' && command.type !== 'RestoreGroup')
    throw new Rejected('forbidden', 'workspace_archived', 'It is archived; restore it first');
  const { kind, groupId } = command.data, of = { kind, groupId };
  switch (command.type) {
    case 'ChangeGroup': {
      may(state, command.data.by, 'admin');
      const { changes } = command.data;
      return Object.keys(changes).length === 0 ? [] : [{ type: 'GroupChanged', data: { ...of, changes } }];
    }
    case 'ArchiveGroup': return archive(command, of, state);
    case 'RestoreGroup': {
      may(state, command.data.by, 'owner');
      if (state.status === 'active') return [];
      if (command.data.now > state.archivedAt + RESTORE_WITHIN) throw new Rejected('gone', 'not_found', 'It was archived more than 30 days ago');
      return [{ type: 'GroupRestored', data: of }];
    }
    case 'AddMember': return addMember(command, of, state);
    case 'ChangeMemberRole': return changeRole(command, of, state);
    case 'RemoveMember': return removeMember(command, of, state);
    case 'Invite':
      may(state, command.data.by, 'admin', command.data.role);
      return invite(command, of, state.invitations);
    case 'ResendInvitation':
      may(state, command.data.by, 'admin', state.invitations.get(command.data.invitationId)?.role ?? 'viewer');
      return resend(command, of, state.invitations);
    case 'RevokeInvitation':
      may(state, command.data.by, 'admin');
      return revoke(command, of, state.invitations);
    case 'AnswerInvitation': return answer(command, of, state.invitations, state.members);
  }
}

function create(command: Extract<GroupCommand, { type: 'CreateWorkspace' | 'CreateOrganization' }>, { status }: GroupState): readonly GroupFact[] {
  if (status !== 'none') return [];
  const { ownerUid: uid, ...data } = command.data, { kind, groupId } = data;
  const created = (command.type === 'CreateWorkspace'
    ? { type: 'WorkspaceCreated', data } : { type: 'OrganizationCreated', data }) as GroupFact;
  return [created, { type: 'MemberAdded', data: { kind, groupId, uid, role: 'owner' } }];
}

function archive({ data }: ArchiveGroup, of: OfGroup, state: GroupState): readonly GroupFact[] {
  may(state, data.by, 'owner');
  if (data.confirm !== state.name) throw new Rejected('unprocessable', 'validation_error', '`confirm` must be the name, exactly');
  return [{ type: 'GroupArchived', data: of }];
}

function addMember({ data: { by, uid, role } }: AddMember, of: OfGroup, state: GroupState): readonly GroupFact[] {
  may(state, by, 'admin', role);
  return state.members.has(uid) ? [] : [{ type: 'MemberAdded', data: { ...of, uid, role } }];
}

function changeRole({ data: { by, uid, role } }: ChangeMemberRole, of: OfGroup, state: GroupState): readonly GroupFact[] {
  const is = memberRole(state, uid);
  may(state, by, 'admin', is, role);
  if (is === role) return [];
  if (is === 'owner') keepOwner(state);
  return [{ type: 'MemberRoleChanged', data: { ...of, uid, role } }];
}

/** Everybody may leave; others are removed by an admin. */
function removeMember({ data: { by, uid } }: RemoveMember, of: OfGroup, state: GroupState): readonly GroupFact[] {
  const is = memberRole(state, uid);
  if (by !== uid) may(state, by, 'admin', is);
  if (is === 'owner') keepOwner(state);
  return [{ type: 'MemberRemoved', data: { ...of, uid } }];
}

const rank = (role: Role): number => roles.indexOf(role);
const notFound = () => new Rejected('missing', 'not_found', 'Not found');

/** Whether `by` has at least the role `needs`; what concerns owners (`touching`) takes an owner. */
function may({ members }: GroupState, by: string | null, needs: Role, ...touching: readonly Role[]): void {
  if (by === null) return;
  const role = members.get(by), least = touching.includes('owner') ? 'owner' : needs;
  if (!role) throw notFound();
  if (rank(role) < rank(least)) throw new Rejected('forbidden', 'role_forbidden', `This takes the role ${least}`, { role, required: least });
}

function memberRole({ members }: GroupState, uid: string): Role {
  const role = members.get(uid);
  if (!role) throw new Rejected('missing', 'not_found', 'Member not found');
  return role;
}

function keepOwner({ members }: GroupState): void {
  if ([...members.values()].filter(role => role === 'owner').length === 1)
    throw new Rejected('conflict', 'last_owner', 'The last owner stays; make another member owner first');
}

function evolve(state: GroupState, fact: Fact<GroupFact>): GroupState {
  switch (fact.type) {
    case 'WorkspaceCreated': case 'OrganizationCreated': return { ...initialState, status: 'active', name: fact.data.name };
    case 'GroupChanged': return { ...state, name: fact.data.changes.name ?? state.name };
    case 'GroupArchived': return { ...state, status: 'archived', archivedAt: fact.at };
    case 'GroupRestored': return { ...state, status: 'active' };
    case 'MemberAdded': case 'MemberRoleChanged': return { ...state, members: new Map([...state.members, [fact.data.uid, fact.data.role]]) };
    case 'MemberRemoved': return { ...state, members: new Map([...state.members].filter(([uid]) => uid !== fact.data.uid)) };
    default: return { ...state, invitations: invitationsAfter(state.invitations, fact) };
  }
}

export const groups = (kind: OfGroup['kind']): Decider<GroupCommand, GroupFact, GroupState> =>
  ({ category: kind, idOf: ({ data }) => data.groupId, initialState, decide, evolve });
export const workspaces = groups('workspace');
export const organizations = groups('organization');
