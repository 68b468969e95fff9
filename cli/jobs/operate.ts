import type { Context } from '../../commands/engine/handle.js';
import { newId } from '../../commands/engine/ids.js';
import type { GroupKind } from '../../domain/groups/facts.js';
import type { Role } from '../../domain/groups/roles.js';
import { scopes, type Scope } from '../../domain/tokens/scopes.js';
import { Rejected } from '../../domain/rejected.js';
import { users } from '../../domain/users/decider.js';
import type { Platform } from '../../main.js';
import { result, type Job } from './job.js';

/**
 * What an operator may do to accounts and tenancy; each goes through commands and facts like anybody's
 * request.
 */
export type Deed =
  | {
      readonly what: 'user create';
      readonly email: string;
      readonly name: string;
      readonly workspace: string | null;
      readonly role: Role;
    }
  | { readonly what: 'user erase'; readonly uid: string }
  | { readonly what: 'user disable-totp'; readonly uid: string }
  | { readonly what: 'organization create'; readonly name: string; readonly owner: string }
  | {
      readonly what: 'workspace create';
      readonly name: string;
      readonly organization: string;
      readonly owner: string;
      readonly terms: readonly string[];
    }
  | {
      readonly what: 'group archive';
      readonly kind: GroupKind;
      readonly id: string;
      readonly confirm: string;
    }
  | {
      readonly what: 'member add';
      readonly kind: GroupKind;
      readonly id: string;
      readonly uid: string;
      readonly role: Role;
    }
  | {
      readonly what: 'token create';
      readonly uid: string;
      readonly name: string;
      readonly scopes: readonly string[];
      readonly internal: boolean;
      readonly days: number | null;
    }
  | { readonly what: 'token regenerate'; readonly token: string; readonly graceSeconds: number }
  | { readonly what: 'token revoke'; readonly token: string };

type Done = Readonly<Record<string, unknown>> & { readonly position: number | null };
type Deeds = {
  readonly [W in Deed['what']]: (
    platform: Platform,
    deed: Extract<Deed, { what: W }>,
    context: Context,
  ) => Promise<Done>;
};

const DAY = 86_400_000;

const deeds: Deeds = {
  async 'user create'({ areas: { identity }, visible }, { email, name, workspace, role }, context) {
    const { register, groups, tokens } = identity;
    // First what may refuse it: a user who cannot join would be there all the same
    if (workspace !== null) await groups.mayJoin('workspace', workspace, email, role);
    const uid = newId('usr_');
    const position = await register({ uid, email, name }, context);
    if (workspace !== null) await groups.addMember('workspace', workspace, null, uid, role, context);
    const issued = await tokens.create(
      uid,
      { name: 'first token', scopes, workspaceIds: null, expiresAt: null },
      null,
      context,
    );
    await visible(position);
    return { uid, token_id: issued.state.token!.tokenId, token: issued.value, position: issued.position };
  },
  async 'user erase'({ areas }, { uid }, context) {
    const { position, cleared } = await areas.identity.users.erase(uid, context);
    return { uid, erased: true, cleared, position };
  },
  async 'user disable-totp'({ handle }, { uid }, context) {
    const { position } = await handle(users, { type: 'DisableTotp', data: { uid } }, context);
    return { uid, totp_enabled: false, position };
  },
  async 'organization create'(platform, { name, owner }, context) {
    await mustExist(platform, owner);
    const { groupId, position } = await platform.areas.identity.groups.createOrganization(
      owner,
      { name },
      context,
    );
    return { organization_id: groupId, position };
  },
  async 'workspace create'(platform, { name, organization, owner, terms }, context) {
    await mustExist(platform, owner);
    const wanted = { name, organizationId: organization, domainTerms: terms };
    const { groupId, position } = await platform.areas.identity.groups.createWorkspace(
      owner,
      wanted,
      context,
    );
    return { workspace_id: groupId, position };
  },
  async 'group archive'({ areas }, { kind, id, confirm }, context) {
    const { position } = await areas.identity.groups.archive(kind, id, null, confirm, context);
    return { [`${kind}_id`]: id, archived: true, position };
  },
  async 'member add'(platform, { kind, id, uid, role }, context) {
    await mustExist(platform, uid);
    const { after, position } = await platform.areas.identity.groups.addMember(
      kind,
      id,
      null,
      uid,
      role,
      context,
    );
    return { [`${kind}_id`]: id, uid, role: after.members.get(uid), position };
  },
  async 'token create'(platform, { uid, name, scopes: wanted, internal, days }, context) {
    const { areas, clock } = platform;
    const { tokens } = areas.identity;
    await mustExist(platform, uid);
    const unknown = wanted.find(scope => !scopes.includes(scope as Scope));
    if (unknown !== undefined)
      throw new Rejected('unprocessable', 'validation_error', `there is no scope ${unknown}`);
    const expiresAt = days === null ? null : clock() + days * DAY;
    const issued = await tokens.create(
      uid,
      { name, scopes: wanted as Scope[], workspaceIds: null, expiresAt, internal },
      null,
      context,
    );
    return { token_id: issued.state.token!.tokenId, token: issued.value, position: issued.position };
  },
  async 'token regenerate'({ areas }, { token, graceSeconds }, context) {
    const issued = await areas.identity.tokens.regenerate(null, token, graceSeconds * 1_000, null, context);
    return { token_id: issued.state.token!.tokenId, token: issued.value, position: issued.position };
  },
  async 'token revoke'({ areas }, { token }, context) {
    const { position } = await areas.identity.tokens.revoke(null, token, context);
    return { token_id: token, revoked: true, position };
  },
};

async function mustExist({ load }: Platform, uid: string): Promise<void> {
  const { status } = await load(users, uid);
  if (status !== 'active') throw new Rejected('missing', 'not_found', `there is no user ${uid}`);
}

/** Does it, waits until it is visible, and says what came of it. */
export const operateJob: Job<Deed> = async function* ({ platform }, deed) {
  const context: Context = {
    workspace: null,
    actor: 'operator',
    request: null,
    correlation: platform.newId(),
    causation: null,
    at: platform.clock(),
  };
  const run = deeds[deed.what] as (platform: Platform, deed: Deed, context: Context) => Promise<Done>;
  const { position, ...done } = await run(platform, deed, context);
  await platform.visible(position);
  yield result(done);
};
