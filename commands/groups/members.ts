import type { GroupKind } from '../../domain/groups/facts.js';
import type { Role } from '../../domain/groups/roles.js';
import type { Context } from '../engine/handle.js';
import { deciders, type By, type GroupJournal } from './journal.js';

/** Who is in a group, and as what. */
export const groupMembers = ({ run, stateOf, userOf, domainsOf }: GroupJournal) => ({
  async addMember(kind: GroupKind, groupId: string, by: By, uid: string, role: Role, context: Context) {
    const [{ email }, domains] = await Promise.all([userOf(uid), domainsOf(kind, groupId)]);
    return run({ type: 'AddMember', data: { kind, groupId, by, uid, email, role, domains } }, context);
  },
  /**
   * Whether an operator may add somebody with this address, who may not be a user yet. @throws Rejected why
   * not
   */
  async mayJoin(kind: GroupKind, groupId: string, email: string, role: Role): Promise<void> {
    const [state, domains] = await Promise.all([stateOf(kind, groupId), domainsOf(kind, groupId)]);
    const data = { kind, groupId, by: null, uid: '', email, role, domains };
    deciders[kind].decide({ type: 'AddMember', data }, state);
  },
  changeRole: (kind: GroupKind, groupId: string, by: By, uid: string, role: Role, context: Context) =>
    run({ type: 'ChangeMemberRole', data: { kind, groupId, by, uid, role } }, context),
  removeMember: (kind: GroupKind, groupId: string, by: By, uid: string, context: Context) =>
    run({ type: 'RemoveMember', data: { kind, groupId, by, uid } }, context),
  /** Somebody is erased: from whatever group, in whatever state it is. */
  forgetMember: (kind: GroupKind, groupId: string, uid: string, context: Context) =>
    run({ type: 'ForgetMember', data: { kind, groupId, uid } }, context),
});
