import type { Decider } from './decider.js';
import type { Message } from './fact.js';
import { Rejected } from './rejected.js';
import type { Role } from './roles.js';

/** `domainTerms`: what the workspace is about, in its own words; they weigh in the relevance of its events. */
export type WorkspaceCreated = Message<'WorkspaceCreated', {
  readonly workspaceId: string; readonly organizationId: string; readonly name: string; readonly homeCell: string;
  readonly timezone: string; readonly domainTerms: readonly string[];
}>;
export type MemberAdded = Message<'MemberAdded', { readonly workspaceId: string; readonly uid: string; readonly role: Role }>;

export type CreateWorkspace = Message<'CreateWorkspace', WorkspaceCreated['data'] & { readonly ownerUid: string }>;
export type AddMember = Message<'AddMember', MemberAdded['data']>;
export type WorkspaceCommand = CreateWorkspace | AddMember;
export type WorkspaceFact = WorkspaceCreated | MemberAdded;
export type WorkspaceState = { readonly created: boolean; readonly members: ReadonlyMap<string, Role> };

function decide(command: WorkspaceCommand, state: WorkspaceState): readonly WorkspaceFact[] {
  switch (command.type) {
    case 'CreateWorkspace': {
      const { ownerUid: uid, ...data } = command.data;
      if (state.created) return [];
      return [
        { type: 'WorkspaceCreated', data },
        { type: 'MemberAdded', data: { workspaceId: data.workspaceId, uid, role: 'owner' } },
      ];
    }
    case 'AddMember':
      if (!state.created) throw new Rejected('missing', 'not_found', 'Workspace not found');
      return state.members.has(command.data.uid) ? [] : [{ type: 'MemberAdded', data: command.data }];
  }
}

export const workspaces: Decider<WorkspaceCommand, WorkspaceFact, WorkspaceState> = {
  category: 'workspace', idOf: ({ data }) => data.workspaceId, initialState: { created: false, members: new Map() }, decide,
  evolve: (state, fact) => fact.type === 'WorkspaceCreated'
    ? { ...state, created: true }
    : { ...state, members: new Map([...state.members, [fact.data.uid, fact.data.role]]) },
};
