import { inDomains } from '../users/email.js';
import { Rejected } from '../rejected.js';
import { roles, type Role } from './roles.js';
import type { AddMember, ChangeMemberRole, ForgetMember, RemoveMember } from './commands.js';
import type { GroupFact, OfGroup } from './facts.js';
import { strangeDomain } from './invitations.js';

export type Members = ReadonlyMap<string, Role>;

export function add(
  { data: { by, uid, email, role, domains } }: AddMember,
  of: OfGroup,
  members: Members,
): readonly GroupFact[] {
  may(members, by, 'admin', role);
  if (members.has(uid)) return [];
  if (!inDomains(email, domains)) throw strangeDomain(domains);
  return [{ type: 'MemberAdded', data: { ...of, uid, role } }];
}

export function changeRole(
  { data: { by, uid, role } }: ChangeMemberRole,
  of: OfGroup,
  members: Members,
): readonly GroupFact[] {
  const is = memberRole(members, uid);
  may(members, by, 'admin', is, role);
  if (is === role) return [];
  keepOwner(members, uid);
  return [{ type: 'MemberRoleChanged', data: { ...of, uid, role } }];
}

/** Everybody may leave; others are removed by an admin. */
export function remove(
  { data: { by, uid } }: RemoveMember,
  of: OfGroup,
  members: Members,
): readonly GroupFact[] {
  const is = memberRole(members, uid);
  if (by !== uid) may(members, by, 'admin', is);
  keepOwner(members, uid);
  return [{ type: 'MemberRemoved', data: { ...of, uid } }];
}

/** Also the last owner: whether they may go is asked before somebody is erased. */
export const forget = (
  { data: { uid } }: ForgetMember,
  of: OfGroup,
  members: Members,
): readonly GroupFact[] => (members.has(uid) ? [{ type: 'MemberRemoved', data: { ...of, uid } }] : []);

export const notFound = () => new Rejected('missing', 'not_found', 'Not found');

/** Whether `by` has at least the role `needs`; what concerns owners (`touching`) takes an owner. */
export function may(members: Members, by: string | null, needs: Role, ...touching: readonly Role[]): void {
  if (by === null) return;
  const role = members.get(by);
  const least = touching.includes('owner') ? 'owner' : needs;
  if (!role) throw notFound();
  if (rank(role) < rank(least))
    throw new Rejected('forbidden', 'role_forbidden', `This takes the role ${least}`, {
      role,
      required: least,
    });
}

const rank = (role: Role): number => roles.indexOf(role);

function memberRole(members: Members, uid: string): Role {
  const role = members.get(uid);
  if (!role) throw new Rejected('missing', 'not_found', 'Member not found');
  return role;
}

function keepOwner(members: Members, uid: string): void {
  if (isLastOwner(members, uid))
    throw new Rejected('conflict', 'last_owner', 'The last owner stays; make another member owner first');
}

/** Whether without this member nobody would own the group. */
export const isLastOwner = (members: Members, uid: string): boolean =>
  members.get(uid) === 'owner' && [...members.values()].filter(role => role === 'owner').length === 1;
