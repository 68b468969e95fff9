import type { Decider } from '../../domain/decider.js';
import type { GroupCommand } from '../../domain/groups/commands.js';
import { groups } from '../../domain/groups/decider.js';
import type { GroupState } from '../../domain/groups/state.js';
import type { GroupFact, GroupKind } from '../../domain/groups/facts.js';
import { users } from '../../domain/users/decider.js';
import type { UserState } from '../../domain/users/state.js';
import type { Context, Handle, Load, Outcome } from '../engine/handle.js';

/** Who asks: a member of the group by uid, or null for an operator. */
export type By = string | null;

export const deciders: Readonly<Record<GroupKind, Decider<GroupCommand, GroupFact, GroupState>>> = {
  workspace: groups('workspace'),
  organization: groups('organization'),
};

/** Writes to the journals of workspaces and organizations, and tells their states and those of users. */
export type GroupJournal = {
  readonly run: (command: GroupCommand, context: Context) => Promise<Outcome<GroupFact, GroupState>>;
  readonly stateOf: (kind: GroupKind, groupId: string) => Promise<GroupState>;
  readonly userOf: (uid: string) => Promise<UserState>;
  /** Domains of addresses that the organization, or that of a workspace, takes members from. */
  readonly domainsOf: (kind: GroupKind, groupId: string) => Promise<readonly string[]>;
};

export function groupJournal(handle: Handle, load: Load): GroupJournal {
  const stateOf = (kind: GroupKind, groupId: string) => load(deciders[kind], groupId);
  return {
    run(command, context) {
      const { kind, groupId } = command.data;
      const workspace = kind === 'workspace' ? groupId : context.workspace;
      return handle(deciders[kind], command, { ...context, workspace });
    },
    stateOf,
    userOf: uid => load(users, uid),
    async domainsOf(kind, groupId) {
      const { organizationId, domains } = await stateOf(kind, groupId);
      if (organizationId === null) return domains;
      const organization = await stateOf('organization', organizationId);
      return organization.domains;
    },
  };
}
