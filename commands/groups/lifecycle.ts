import { workspaceIdIn } from '../../domain/cell.js';
import type { GroupChanges, GroupCommand } from '../../domain/groups/commands.js';
import type {
  GroupKind,
  OrganizationSettings,
  Retention,
  WorkspaceSettings,
} from '../../domain/groups/facts.js';
import type { Context } from '../engine/handle.js';
import { newId, randomText } from '../engine/ids.js';
import { ORGANIZATION, WORKSPACE } from './defaults.js';
import type { By, GroupJournal } from './journal.js';

/** What is absent is as by default, also of `retention`. */
export type NewWorkspace = Partial<Omit<WorkspaceSettings, 'retention'>> & {
  readonly retention?: Partial<Retention>;
  readonly name: string;
  readonly organizationId: string;
};
export type NewOrganization = Partial<OrganizationSettings> & { readonly name: string };

/** Groups come, change, and go for a while. Whoever asks members for a second factor must have one. */
export function groupLifecycle({ run, userOf }: GroupJournal, cell: string) {
  /** What a command that asks for second factors says of whoever gives it. */
  const ownFactor = async (uid: By, { require2fa = false }: { readonly require2fa?: boolean }) => {
    if (!require2fa) return {};
    if (uid === null) return { hasSecondFactor: false };
    const { totp } = await userOf(uid);
    return { hasSecondFactor: totp?.confirmed === true };
  };
  /** `facts`: what there is from now on. */
  const created = async (command: GroupCommand, context: Context) => {
    const { facts, position } = await run(command, context);
    return { groupId: command.data.groupId, facts, position };
  };

  return {
    createWorkspace(ownerUid: string, wanted: NewWorkspace, context: Context) {
      const groupId = workspaceIdIn(cell, randomText());
      const retention = { ...WORKSPACE.retention, ...wanted.retention };
      const settings = { ...WORKSPACE, ...wanted, retention };
      const data = { kind: 'workspace', groupId, homeCell: cell, ...settings, ownerUid } as const;
      return created({ type: 'CreateWorkspace', data }, context);
    },
    async createOrganization(ownerUid: string, wanted: NewOrganization, context: Context) {
      const settings = { ...ORGANIZATION, ...wanted };
      const factor = await ownFactor(ownerUid, wanted);
      const group = { kind: 'organization', groupId: newId('org_'), homeCell: cell } as const;
      const data = { ...group, ...settings, ownerUid, ...factor };
      return created({ type: 'CreateOrganization', data }, context);
    },
    /** `seen`: the version it is meant for; null: whichever. @throws Rejected 409 */
    async change(
      kind: GroupKind,
      groupId: string,
      by: By,
      changes: GroupChanges,
      context: Context,
      seen: number | null = null,
    ) {
      const factor = await ownFactor(by, changes);
      return run({ type: 'ChangeGroup', data: { kind, groupId, by, changes, seen, ...factor } }, context);
    },
    archive: (
      kind: GroupKind,
      groupId: string,
      by: By,
      confirm: string,
      context: Context,
      seen: number | null = null,
    ) => run({ type: 'ArchiveGroup', data: { kind, groupId, by, confirm, seen } }, context),
    restore: (kind: GroupKind, groupId: string, by: By, context: Context) =>
      run({ type: 'RestoreGroup', data: { kind, groupId, by, now: context.at } }, context),
  };
}
