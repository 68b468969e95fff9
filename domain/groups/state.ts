import type { Fact } from '../fact.js';
import type { GroupChanged, GroupFact, Retention } from './facts.js';
import { invitationsAfter, type Invitation } from './invitation-state.js';
import type { Members } from './members.js';

export type GroupState = {
  readonly status: 'none' | 'active' | 'archived';
  readonly name: string;
  /** Counts how often its settings were changed, from 1. */
  readonly version: number;
  readonly archivedAt: number;
  /** Of a workspace: where it belongs. */
  readonly organizationId: string | null;
  /** Of a workspace: how long its data are kept. */
  readonly retention: Retention;
  /** Of an organization: what it asks of its members. */
  readonly require2fa: boolean;
  readonly domains: readonly string[];
  readonly members: Members;
  readonly invitations: ReadonlyMap<string, Invitation>;
};

export const initialState: GroupState = {
  status: 'none',
  name: '',
  version: 0,
  archivedAt: 0,
  organizationId: null,
  retention: { signalsDays: null, eventsDays: null, rawDays: null },
  require2fa: false,
  domains: [],
  members: new Map(),
  invitations: new Map(),
};

export function evolve(state: GroupState, fact: Fact<GroupFact>): GroupState {
  switch (fact.type) {
    case 'WorkspaceCreated':
      return {
        ...initialState,
        status: 'active',
        version: 1,
        name: fact.data.name,
        organizationId: fact.data.organizationId,
        retention: fact.data.retention,
      };
    case 'OrganizationCreated':
      return changed({ ...initialState, status: 'active', version: 1 }, fact.data);
    case 'GroupChanged':
      return changed({ ...state, version: state.version + 1 }, fact.data.changes);
    case 'GroupArchived':
      return { ...state, status: 'archived', archivedAt: fact.at };
    case 'GroupRestored':
      return { ...state, status: 'active' };
    case 'MemberAdded':
    case 'MemberRoleChanged':
      return { ...state, members: new Map([...state.members, [fact.data.uid, fact.data.role]]) };
    case 'MemberRemoved':
      return { ...state, members: new Map([...state.members].filter(([uid]) => uid !== fact.data.uid)) };
    default:
      return { ...state, invitations: invitationsAfter(state.invitations, fact) };
  }
}

const changed = (
  state: GroupState,
  { name, retention, require2fa, allowedEmailDomains }: GroupChanged['data']['changes'],
): GroupState => ({
  ...state,
  name: name ?? state.name,
  retention: retention ?? state.retention,
  require2fa: require2fa ?? state.require2fa,
  domains: allowedEmailDomains ?? state.domains,
});
