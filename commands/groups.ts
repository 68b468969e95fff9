import { createHash, randomBytes } from 'node:crypto';
import { workspaceIdIn } from '../domain/cell.js';
import type { Decider } from '../domain/decider.js';
import type { GroupCommand } from '../domain/groups/commands.js';
import { groups, type GroupState } from '../domain/groups/decider.js';
import type {
  GroupChanged,
  GroupFact,
  GroupKind,
  OrganizationSettings,
  WorkspaceSettings,
} from '../domain/groups/facts.js';
import type { Role } from '../domain/groups/roles.js';
import { users } from '../domain/users/decider.js';
import type { Context, Handle, Load } from './engine/handle.js';
import { ORGANIZATION, randomText, WORKSPACE } from './installation.js';

/** Who asks: a member of the group by uid, or null for an operator. */
export type By = string | null;
export type NewWorkspace = Partial<WorkspaceSettings> & {
  readonly name: string;
  readonly organizationId: string;
};
export type NewOrganization = Partial<OrganizationSettings> & { readonly name: string };
/** `token` is the one time its value is seen. */
export type Invited = {
  readonly invitationId: string;
  readonly token: string;
  readonly state: GroupState;
  readonly position: number | null;
};

export type GroupCommands = ReturnType<typeof groupCommands>;

export const tokenHash = (token: string): string => createHash('sha256').update(token).digest('hex');

export function groupCommands({
  handle,
  load,
  cell,
}: {
  readonly handle: Handle;
  readonly load: Load;
  readonly cell: string;
}) {
  const deciders: Record<GroupKind, Decider<GroupCommand, GroupFact, GroupState>> = {
    workspace: groups('workspace'),
    organization: groups('organization'),
  };
  const run = (command: GroupCommand, context: Context) => {
    const { kind, groupId } = command.data;
    return handle(deciders[kind], command, {
      ...context,
      workspace: kind === 'workspace' ? groupId : context.workspace,
    });
  };
  const stateOf = (kind: GroupKind, groupId: string): Promise<GroupState> => load(deciders[kind], groupId);
  const userOf = (uid: string) => load(users, uid);
  const hasSecondFactor = async (uid: By): Promise<boolean> =>
    uid !== null && (await userOf(uid)).totp?.confirmed === true;
  /** Domains that the organization, or that of a workspace, takes members from. */
  const domainsOf = async (kind: GroupKind, groupId: string): Promise<readonly string[]> => {
    const { organizationId, domains } = await stateOf(kind, groupId);
    return organizationId === null ? domains : (await stateOf('organization', organizationId)).domains;
  };
  const created = async (command: GroupCommand, context: Context) => ({
    groupId: command.data.groupId,
    position: (await run(command, context)).position,
  });

  return {
    createWorkspace: (ownerUid: string, wanted: NewWorkspace, context: Context) =>
      created(
        {
          type: 'CreateWorkspace',
          data: {
            kind: 'workspace',
            groupId: workspaceIdIn(cell, randomText()),
            homeCell: cell,
            ...WORKSPACE,
            ...wanted,
            ownerUid,
          },
        },
        context,
      ),
    /** Whoever asks members for a second factor must have one. */
    createOrganization: async (ownerUid: string, wanted: NewOrganization, context: Context) =>
      created(
        {
          type: 'CreateOrganization',
          data: {
            kind: 'organization',
            groupId: `org_${randomText()}`,
            homeCell: cell,
            ...ORGANIZATION,
            ...wanted,
            ownerUid,
            ...(wanted.require2fa && { hasSecondFactor: await hasSecondFactor(ownerUid) }),
          },
        },
        context,
      ),
    change: async (
      kind: GroupKind,
      groupId: string,
      by: By,
      changes: GroupChanged['data']['changes'],
      context: Context,
    ) =>
      run(
        {
          type: 'ChangeGroup',
          data: {
            kind,
            groupId,
            by,
            changes,
            ...(changes.require2fa && { hasSecondFactor: await hasSecondFactor(by) }),
          },
        },
        context,
      ),
    archive: (kind: GroupKind, groupId: string, by: By, confirm: string, context: Context) =>
      run({ type: 'ArchiveGroup', data: { kind, groupId, by, confirm } }, context),
    restore: (kind: GroupKind, groupId: string, by: By, context: Context) =>
      run({ type: 'RestoreGroup', data: { kind, groupId, by, now: context.at } }, context),
    addMember: async (
      kind: GroupKind,
      groupId: string,
      by: By,
      uid: string,
      role: Role,
      context: Context,
    ) => {
      const [{ email }, domains] = await Promise.all([userOf(uid), domainsOf(kind, groupId)]);
      return run({ type: 'AddMember', data: { kind, groupId, by, uid, email, role, domains } }, context);
    },
    /**
     * Whether an operator may add somebody with this address, who may not be a user yet. @throws Rejected why
     * not
     */
    async mayJoin(kind: GroupKind, groupId: string, email: string, role: Role): Promise<void> {
      const [state, domains] = await Promise.all([stateOf(kind, groupId), domainsOf(kind, groupId)]);
      deciders[kind].decide(
        { type: 'AddMember', data: { kind, groupId, by: null, uid: '', email, role, domains } },
        state,
      );
    },
    changeRole: (kind: GroupKind, groupId: string, by: By, uid: string, role: Role, context: Context) =>
      run({ type: 'ChangeMemberRole', data: { kind, groupId, by, uid, role } }, context),
    removeMember: (kind: GroupKind, groupId: string, by: By, uid: string, context: Context) =>
      run({ type: 'RemoveMember', data: { kind, groupId, by, uid } }, context),

    async invite(
      kind: GroupKind,
      groupId: string,
      by: By,
      email: string,
      role: Role,
      context: Context,
    ): Promise<Invited> {
      const invitationId = `inv_${randomText()}`;
      const token = newInvitationToken();
      const domains = await domainsOf(kind, groupId);
      const data = {
        kind,
        groupId,
        by,
        invitationId,
        email,
        role,
        tokenHash: tokenHash(token),
        domains,
        now: context.at,
      };
      const { after, position } = await run({ type: 'Invite', data }, context);
      return { invitationId, token, state: after, position };
    },
    /** A new token; the old one is dead. */
    async resend(
      kind: GroupKind,
      groupId: string,
      by: By,
      invitationId: string,
      context: Context,
    ): Promise<Invited> {
      const token = newInvitationToken();
      const domains = await domainsOf(kind, groupId);
      const data = { kind, groupId, by, invitationId, tokenHash: tokenHash(token), domains, now: context.at };
      const { after, position } = await run({ type: 'ResendInvitation', data }, context);
      return { invitationId, token, state: after, position };
    },
    revokeInvitation: (kind: GroupKind, groupId: string, by: By, invitationId: string, context: Context) =>
      run({ type: 'RevokeInvitation', data: { kind, groupId, by, invitationId } }, context),
    /** `uid` with `email` accepts or declines what `token` invites to. */
    answer: async (
      {
        kind,
        groupId,
        invitationId,
      }: { readonly kind: GroupKind; readonly groupId: string; readonly invitationId: string },
      uid: string,
      email: string,
      token: string,
      accept: boolean,
      context: Context,
    ) =>
      run(
        {
          type: 'AnswerInvitation',
          data: {
            kind,
            groupId,
            invitationId,
            by: uid,
            email,
            tokenHash: tokenHash(token),
            domains: await domainsOf(kind, groupId),
            accept,
            now: context.at,
          },
        },
        context,
      ),

    stateOf,
    /** Somebody is erased: from whatever group, in whatever state it is. */
    forgetMember: (kind: GroupKind, groupId: string, uid: string, context: Context) =>
      run({ type: 'ForgetMember', data: { kind, groupId, uid } }, context),
    forgetInvitation: (kind: GroupKind, groupId: string, invitationId: string, context: Context) =>
      run({ type: 'ForgetInvitation', data: { kind, groupId, invitationId } }, context),
  };
}

/** 256 random bits, safe in a URL. */
const newInvitationToken = (): string => randomBytes(32).toString('base64url');
