import type { Fact } from '../fact.js';
import type { Channel, Frames, Tells } from '../realtime/frame.js';
import type { MemberAdded, MemberRemoved, MemberRoleChanged } from './facts.js';

type OfMember = Fact<MemberAdded | MemberRoleChanged | MemberRemoved>;

const changed: Tells = {
  event: 'member.changed',
  channels: ({ data: { kind, groupId, uid } }: OfMember): readonly Channel[] =>
    kind === 'workspace' ? [`workspace:${groupId}`, `user:${uid}`] : [],
  data: ({ data }: OfMember) => ({
    workspace_id: data.groupId,
    uid: data.uid,
    role: 'role' in data ? data.role : null,
  }),
};

/** What is told of members of workspaces; a role of null: no longer one. */
export const memberFrames: Frames = {
  MemberAdded: changed,
  MemberRoleChanged: changed,
  MemberRemoved: changed,
};
