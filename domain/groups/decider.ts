import type { Decider } from '../decider.js';
import { memberNotValid, Rejected } from '../rejected.js';
import { DAY } from '../time.js';
import { mindVersion } from '../versions.js';
import type {
  ArchiveGroup,
  ChangeGroup,
  CreateOrganization,
  CreateWorkspace,
  GroupChanges,
  GroupCommand,
  RestoreGroup,
} from './commands.js';
import type { GroupChanged, GroupFact, OfGroup } from './facts.js';
import { answer, invite, resend, revoke } from './invitations.js';
import { add, changeRole, forget, may, notFound, remove } from './members.js';
import { evolve, initialState, type GroupState } from './state.js';

/** How long an archived group can be restored. */
export const RESTORE_WITHIN = 30 * DAY;

function decide(command: GroupCommand, state: GroupState): readonly GroupFact[] {
  if (command.type === 'CreateWorkspace' || command.type === 'CreateOrganization')
    return create(command, state);
  if (state.status === 'none') throw notFound();
  const of = ofGroup(command);
  if (command.type === 'ForgetMember') return forget(command, of, state.members);
  if (command.type === 'ForgetInvitation') return revoke(command, of, state.invitations);
  if (state.status === 'archived' && command.type !== 'RestoreGroup')
    throw new Rejected('forbidden', 'workspace_archived', 'It is archived; restore it first');
  switch (command.type) {
    case 'ChangeGroup':
      return change(command, of, state);
    case 'ArchiveGroup':
      return archive(command, of, state);
    case 'RestoreGroup':
      return restore(command, of, state);
    case 'AddMember':
      return add(command, of, state.members);
    case 'ChangeMemberRole':
      return changeRole(command, of, state.members);
    case 'RemoveMember':
      return remove(command, of, state.members);
    case 'Invite':
      may(state.members, command.data.by, 'admin', command.data.role);
      return invite(command, of, state.invitations);
    case 'ResendInvitation': {
      const role = state.invitations.get(command.data.invitationId)?.role ?? 'viewer';
      may(state.members, command.data.by, 'admin', role);
      return resend(command, of, state.invitations);
    }
    case 'RevokeInvitation':
      may(state.members, command.data.by, 'admin');
      return revoke(command, of, state.invitations);
    case 'AnswerInvitation':
      return answer(command, of, state.invitations, state.members);
  }
}

function create(command: CreateWorkspace | CreateOrganization, { status }: GroupState): readonly GroupFact[] {
  if (status !== 'none') return [];
  return [
    createdBy(command),
    { type: 'MemberAdded', data: { ...ofGroup(command), uid: command.data.ownerUid, role: 'owner' } },
  ];
}

function createdBy(command: CreateWorkspace | CreateOrganization): GroupFact {
  if (command.type === 'CreateWorkspace') {
    const { ownerUid: _, ...data } = command.data;
    return { type: 'WorkspaceCreated', data };
  }
  const { ownerUid: _, hasSecondFactor = false, ...data } = command.data;
  if (data.require2fa) requireSecondFactor(hasSecondFactor);
  return { type: 'OrganizationCreated', data };
}

const ofGroup = ({ data: { kind, groupId } }: GroupCommand): OfGroup => ({ kind, groupId });

function change(
  { data: { by, changes, seen, hasSecondFactor = false } }: ChangeGroup,
  of: OfGroup,
  state: GroupState,
): readonly GroupFact[] {
  may(state.members, by, 'admin');
  mindVersion(`The ${of.kind}`, seen, state.version);
  if (changes.require2fa && !state.require2fa && by !== null) requireSecondFactor(hasSecondFactor);
  const decided = whole(changes, state);
  return Object.keys(decided).length === 0
    ? []
    : [{ type: 'GroupChanged', data: { ...of, changes: decided } }];
}

/** A fact says all of `retention`: what is left out of it stays as it is. */
function whole({ retention, ...others }: GroupChanges, state: GroupState): GroupChanged['data']['changes'] {
  if (!retention || Object.keys(retention).length === 0) return others;
  return { ...others, retention: { ...state.retention, ...retention } };
}

/** Whoever asks others for a second factor, and has none, would shut themselves out with them. */
function requireSecondFactor(present: boolean): void {
  if (!present)
    throw new Rejected(
      'conflict',
      'totp_not_enabled',
      'Enrol a second factor of your own first (POST /v1/user/totp/enroll): '
        + 'without one you would be shut out',
    );
}

function archive({ data }: ArchiveGroup, of: OfGroup, state: GroupState): readonly GroupFact[] {
  may(state.members, data.by, 'owner');
  mindVersion(`The ${of.kind}`, data.seen, state.version);
  if (data.confirm !== state.name)
    throw memberNotValid(['confirm'], 'not_the_name', 'must be the name, exactly');
  return [{ type: 'GroupArchived', data: of }];
}

function restore({ data: { by, now } }: RestoreGroup, of: OfGroup, state: GroupState): readonly GroupFact[] {
  may(state.members, by, 'owner');
  if (state.status === 'active') return [];
  if (now > state.archivedAt + RESTORE_WITHIN)
    throw new Rejected('gone', 'restore_expired', 'It was archived more than 30 days ago');
  return [{ type: 'GroupRestored', data: of }];
}

export const groups = (kind: OfGroup['kind']): Decider<GroupCommand, GroupFact, GroupState> => ({
  category: kind,
  idOf: ({ data }) => data.groupId,
  initialState,
  decide,
  evolve,
});
export const workspaces = groups('workspace');
export const organizations = groups('organization');
