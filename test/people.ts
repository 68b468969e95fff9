import type { Context } from '../commands/engine/handle.js';
import type { Installed } from '../commands/installation.js';
import type { GroupKind } from '../domain/groups/facts.js';
import type { Role } from '../domain/groups/roles.js';
import { scopes as allScopes, type Scope } from '../domain/tokens/scopes.js';
import { users } from '../domain/users/decider.js';
import type { Platform } from '../main.js';

export type Person = { readonly uid: string; readonly email: string; readonly token: string };
type Bounds = {
  readonly scopes?: readonly Scope[];
  readonly workspaceIds?: readonly string[] | null;
  readonly internal?: boolean;
  readonly expiresAt?: number | null;
};
export type People = ReturnType<typeof peopleOf>;

/**
 * Makes people, groups and tokens as an operator does: through commands, and visible when the promise
 * resolves.
 */
export function peopleOf(platform: Platform) {
  const {
    handle,
    visible,
    clock,
    newId,
    areas: {
      identity: { groups, tokens },
    },
    config: { CELL: cell },
  } = platform;
  const operator = (): Context => ({
    workspace: null,
    actor: 'operator',
    request: null,
    correlation: newId(),
    causation: null,
    at: clock(),
  });

  const token = async (
    uid: string,
    { scopes = allScopes, workspaceIds = null, internal = false, expiresAt = null }: Bounds = {},
  ): Promise<string> => {
    const { value, position } = await tokens.create(
      uid,
      { name: 'test', scopes, workspaceIds, expiresAt, internal },
      null,
      operator(),
    );
    await visible(position);
    return value;
  };
  return {
    operator,
    groups,
    token,
    /** Somebody with an organization, a workspace and a token of their own. */
    async tenant(email: string): Promise<Installed> {
      const made = await platform.areas.identity.install(
        { organization: 'Theirs', workspace: 'Theirs', email, name: 'T', domainTerms: [], cell },
        operator(),
      );
      await visible(made.position);
      return made;
    },
    /**
     * Somebody who is in no group, with a token that has all scopes; the address may be another's, as none
     * made by an operator is.
     */
    async person(email: string): Promise<Person> {
      const uid = `usr_${newId().replaceAll('-', '')}`;
      await handle(
        users,
        { type: 'RegisterUser', data: { uid, homeCell: cell, personal: { of: uid, email, name: 'P' } } },
        operator(),
      );
      return { uid, email, token: await token(uid) };
    },
    async join(kind: GroupKind, groupId: string, uid: string, role: Role): Promise<void> {
      const { position } = await groups.addMember(kind, groupId, null, uid, role, operator());
      await visible(position);
    },
  };
}
