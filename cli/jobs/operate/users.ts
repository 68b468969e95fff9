import { newIdIn } from '../../../commands/engine/ids.js';
import type { Role } from '../../../domain/groups/roles.js';
import { Rejected } from '../../../domain/rejected.js';
import { scopes } from '../../../domain/tokens/scopes.js';
import { users } from '../../../domain/users/decider.js';
import type { Platform } from '../../../main.js';
import type { Operations } from '../operation.js';

export type UserOptions =
  | {
      readonly what: 'user create';
      readonly email: string;
      readonly name: string;
      readonly workspace: string | null;
      readonly role: Role;
    }
  | { readonly what: 'user erase'; readonly uid: string }
  | { readonly what: 'user disable-totp'; readonly uid: string };

export const userOperations: Operations<UserOptions> = {
  async 'user create'({ areas: { identity }, config, visible }, { email, name, workspace, role }, context) {
    const { register, groups, tokens } = identity;
    // First what may refuse it: a user who cannot join would be there all the same
    if (workspace !== null) await groups.mayJoin('workspace', workspace, email, role);
    const uid = newIdIn(config.CELL, 'usr_');
    const registeredAt = await register({ uid, email, name }, context);
    if (workspace !== null) await groups.addMember('workspace', workspace, null, uid, role, context);
    const wanted = { name: 'first token', scopes, workspaceIds: null, expiresAt: null };
    const { value, state, position } = await tokens.create(uid, wanted, null, context);
    await visible(registeredAt);
    return { shown: { uid, token_id: state.token!.tokenId, token: value }, position };
  },
  async 'user erase'({ areas }, { uid }, context) {
    const { position, cleared } = await areas.identity.users.erase(uid, context);
    return { shown: { uid, erased: true, cleared }, position };
  },
  async 'user disable-totp'({ handle }, { uid }, context) {
    const { position } = await handle(users, { type: 'DisableTotp', data: { uid } }, context);
    return { shown: { uid, totp_enabled: false }, position };
  },
};

/** @throws Rejected 404 where there is no user of this uid, or they were erased */
export async function mustExist({ load }: Platform, uid: string): Promise<void> {
  const { status } = await load(users, uid);
  if (status !== 'active') throw new Rejected('missing', 'not_found', `there is no user ${uid}`);
}
