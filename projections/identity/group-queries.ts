import type { GroupKind } from '../../domain/groups/facts.js';
import type { Reader } from '../engine/reader.js';
import {
  memberId,
  type InvitationDoc,
  type MemberDoc,
  type OrganizationDoc,
  type TokenDoc,
  type UserDoc,
  type WorkspaceDoc,
} from './documents.js';

export type Page = { readonly limit: number; readonly offset: number };
export type Paged<T> = { readonly items: T[]; readonly total: number };
/** A group with the role somebody has in it. */
export type Belonging<D> = { readonly group: D; readonly role: MemberDoc['role'] };
export type MemberWithUser = MemberDoc & { readonly user: UserDoc | null };

/** So many of a page of members are looked at. */
const NEWEST_TOKENS = 1_000;
const collectionOf = { workspace: 'workspaces', organization: 'organizations' } as const;
export type GroupDocOf = { readonly workspace: WorkspaceDoc; readonly organization: OrganizationDoc };

export type GroupQueries = ReturnType<typeof groupQueries>;

export const groupQueries = (read: Reader) => ({
  group: <K extends GroupKind>(kind: K, id: string) => read.get<GroupDocOf[K]>(collectionOf[kind], id),
  member: (groupId: string, uid: string) => read.get<MemberDoc>('members', memberId(groupId, uid)),

  /** The groups somebody is in, by id; of these alone (`among`), where it is not null. */
  async groupsOf<K extends GroupKind>(
    kind: K,
    uid: string,
    { limit, offset }: Page,
    among: readonly string[] | null = null,
  ): Promise<Paged<Belonging<GroupDocOf[K]>>> {
    const where = { uid, kind, ...(among && { group_id: { in: among } }) };
    const [members, total] = await Promise.all([
      read.find<MemberDoc>('members', { where, sort: { by: ['group_id'] }, limit, offset }),
      read.count('members', where),
    ]);
    const groups = await read.load<GroupDocOf[K]>(
      collectionOf[kind],
      members.map(({ group_id }) => group_id),
    );
    const items = members.flatMap(({ group_id, role }) => {
      const group = groups.get(group_id);
      return group ? [{ group, role }] : [];
    });
    return { items, total };
  },

  /** How many groups of a kind somebody owns, alone or with others, also archived ones. */
  ownedCount: (kind: GroupKind, uid: string) => read.count('members', { uid, kind, role: 'owner' }),

  /** Who has been its owner for longest; there may be several. */
  async ownerOf(groupId: string): Promise<string | null> {
    const [owner] = await read.find<MemberDoc>('members', {
      where: { group_id: groupId, role: 'owner' },
      sort: { by: ['joined_at', '_id'] },
      limit: 1,
    });
    return owner?.uid ?? null;
  },
  memberCount: (groupId: string) => read.count('members', { group_id: groupId }),
  workspaceCount: (organizationId: string) => read.count('workspaces', { organization_id: organizationId }),

  /** The workspaces of an organization, also archived ones. */
  async workspacesOf(organizationId: string): Promise<string[]> {
    const found: string[] = [];
    const pages = read.pages<WorkspaceDoc>('workspaces', {
      where: { organization_id: organizationId },
      sort: { by: ['_id'] },
      fields: ['organization_id'],
    });
    for await (const page of pages) found.push(...page.map(({ _id }) => _id));
    return found;
  },

  /** Members in the order in which they joined. */
  async members(groupId: string, { limit, offset }: Page): Promise<Paged<MemberWithUser>> {
    const where = { group_id: groupId };
    const [members, total] = await Promise.all([
      read.find<MemberDoc>('members', { where, sort: { by: ['joined_at', '_id'] }, limit, offset }),
      read.count('members', where),
    ]);
    const users = await read.load<UserDoc>(
      'users',
      members.map(({ uid }) => uid),
    );
    return { items: members.map(member => ({ ...member, user: users.get(member.uid) ?? null })), total };
  },

  /** The newest tokens of these people, also those that ended. */
  tokensOf: (uids: readonly string[]): Promise<TokenDoc[]> =>
    read.find<TokenDoc>('api_tokens', {
      where: { uid: { in: uids } },
      sort: { by: ['issued_at', '_id'], descending: true },
      limit: NEWEST_TOKENS,
    }),

  /** How many API tokens open a workspace at a moment: of its members, and not limited to others. */
  async tokenCount(workspace: string, now: number): Promise<number> {
    let count = 0;
    const pages = read.pages<MemberDoc>('members', {
      where: { group_id: workspace },
      sort: { by: ['joined_at', '_id'] },
      fields: ['uid', 'joined_at'],
    });
    for await (const members of pages) {
      const uid = { in: members.map(member => member.uid) };
      const tokens = read.pages<TokenDoc>('api_tokens', {
        where: { uid, internal: false, ends_at: { gt: now } },
        sort: { by: ['issued_at', '_id'] },
        fields: ['workspace_ids', 'issued_at'],
      });
      for await (const page of tokens)
        count += page.filter(({ workspace_ids: only }) => only?.includes(workspace) ?? true).length;
    }
    return count;
  },

  /** Invitations, newest first. */
  async invitations(groupId: string, { limit, offset }: Page): Promise<Paged<InvitationDoc>> {
    const where = { group_id: groupId };
    const [items, total] = await Promise.all([
      read.find<InvitationDoc>('invitations', {
        where,
        sort: { by: ['invited_at', '_id'], descending: true },
        limit,
        offset,
      }),
      read.count('invitations', where),
    ]);
    return { items, total };
  },
  async invitationBy(tokenHash: string): Promise<InvitationDoc | null> {
    const [invitation] = await read.find<InvitationDoc>('invitations', {
      where: { token_hash: tokenHash },
      limit: 1,
    });
    return invitation ?? null;
  },
  user: (uid: string) => read.get<UserDoc>('users', uid),
});
