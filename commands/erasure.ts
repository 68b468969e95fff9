import { apiTokens } from '../domain/tokens/decider.js';
import { START } from '../domain/fact.js';
import type { OfGroup } from '../domain/groups/facts.js';
import { isLastOwner } from '../domain/groups/members.js';
import { Rejected } from '../domain/rejected.js';
import { users } from '../domain/users/decider.js';
import type { GroupCommands } from './groups.js';
import type { Context, Handle, Load } from './engine/handle.js';
import type { Vault } from './ports/vault.js';

/**
 * What the read models know of somebody, whose tokens and groups lie in many journals. They are asked only
 * once they are up to date (`caughtUp`, `upToDate`).
 */
export type Belongings = {
  /** All tokens they ever had. */
  readonly tokensOf: (
    uid: string,
  ) => Promise<readonly { readonly tokenId: string; readonly revoked: boolean }[]>;
  /** The groups they are in, archived ones, too. */
  readonly groupsOf: (uid: string) => Promise<readonly OfGroup[]>;
  /** Invitations to an address that nobody has answered yet. */
  readonly invitationsTo: (
    email: string,
  ) => Promise<readonly (OfGroup & { readonly invitationId: string })[]>;
};
export type Erasing = {
  readonly handle: Handle;
  readonly load: Load;
  readonly groups: GroupCommands;
  readonly belongings: Belongings;
  readonly vault: Pick<Vault, 'known' | 'destroy' | 'retire'>;
  /** Takes away when and from where tokens were last used: an address is personal. */
  readonly forgetUses: (tokenIds: readonly string[]) => Promise<void>;
  /** Whether the read models hold the fact at a position, within a bounded time. */
  readonly caughtUp: (position: number) => Promise<boolean>;
  /** Overwrites what was deleted in the files of derived stores. */
  readonly scrub: () => Promise<void>;
};
/** Answers whether it came to its end: not while the read models are too far behind. */
export type FinishErasure = (uid: string, context: Context) => Promise<boolean>;

type LeavingGroups = Pick<Erasing, 'groups' | 'belongings'> & {
  /** Resolves when the read models hold all there is. */
  readonly upToDate: () => Promise<void>;
};

/**
 * Before somebody is erased: ends their memberships by the rules of each group. Archived groups do not
 * matter: nobody works in them. @throws Rejected 409 `last_owner` that names the groups which would be
 * nobody's
 */
export function leavingGroups({ groups, belongings: { groupsOf }, upToDate }: LeavingGroups) {
  const withState = async (group: OfGroup) => ({
    ...group,
    state: await groups.stateOf(group.kind, group.groupId),
  });
  return async (uid: string, context: Context): Promise<void> => {
    await upToDate();
    const all = await Promise.all((await groupsOf(uid)).map(withState));
    const live = all.filter(({ state: { status, members } }) => status === 'active' && members.has(uid));
    const owned = live.filter(({ state }) => isLastOwner(state.members, uid));
    if (owned.length > 0) throw lastOwnerOf(owned);
    for (const group of live) {
      await groups.removeMember(group.kind, group.groupId, null, uid, context).catch((error: unknown) => {
        // Another owner was faster
        throw error instanceof Rejected && error.code === 'last_owner' ? lastOwnerOf([group]) : error;
      });
    }
  };
}

function lastOwnerOf(owned: readonly (OfGroup & { readonly state: { readonly name: string } })[]): Rejected {
  const groups = owned.map(({ kind, groupId, state: { name } }) => ({ kind, id: groupId, name }));
  const named = groups.map(({ kind, id, name }) => `${kind} ${id} (${name})`).join(', ');
  return new Rejected(
    'conflict',
    'last_owner',
    `The last owner of ${named}: make another member owner there, or archive it, first`,
    { groups },
  );
}

/**
 * What follows from a `UserErased`, once the read models hold it: tokens are revoked, what is left of
 * memberships ends, invitations to the address are closed and their keys thrown away, traces in derived
 * stores overwritten, and last of all the user's key is thrown away. May be done again at any time: what is
 * done is found done.
 */
export const finishingErasure = ({
  handle,
  load,
  groups,
  vault,
  forgetUses,
  belongings,
  caughtUp,
  scrub,
}: Erasing): FinishErasure => {
  const { tokensOf, groupsOf, invitationsTo } = belongings;
  /**
   * Position of the last fact written. The key goes first: an invitation that is closed already is not found
   * again.
   */
  const closeInvitations = async (email: string, context: Context): Promise<number> => {
    let last = START;
    for (const { kind, groupId, invitationId } of await invitationsTo(email)) {
      await vault.retire(invitationId);
      const { position } = await groups.forgetInvitation(kind, groupId, invitationId, context);
      last = Math.max(last, position ?? START);
    }
    return last;
  };
  return async (uid, context) => {
    const tokens = await tokensOf(uid);
    for (const { tokenId, revoked } of tokens) {
      if (!revoked) await handle(apiTokens, { type: 'RevokeApiToken', data: { tokenId, uid } }, context);
    }
    for (const { kind, groupId } of await groupsOf(uid)) {
      await groups.forgetMember(kind, groupId, uid, context);
    }
    if ((await vault.known(uid)) === null) return true;
    const { email } = await load(users, uid);
    if (email !== null) {
      const closedAt = await closeInvitations(email, context);
      if (!(await caughtUp(closedAt))) return false;
    }
    await forgetUses(tokens.map(({ tokenId }) => tokenId));
    await scrub();
    // It rids the vault's files of all keys that were retired as well
    await vault.destroy(uid);
    return true;
  };
};
