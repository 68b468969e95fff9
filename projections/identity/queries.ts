import { plainEmail } from '../../domain/users/email.js';
import type { GroupKind, OfGroup } from '../../domain/groups/facts.js';
import type { Role } from '../../domain/groups/roles.js';
import { DAY } from '../../domain/time.js';
import type { Reader } from '../engine/reader.js';
import type {
  InvitationDoc,
  MemberDoc,
  OrganizationDoc,
  TokenDoc,
  UserDoc,
  WorkspaceDoc,
} from './documents.js';
import type { Page, Paged } from './group-queries.js';

export type TokenStatus = 'active' | 'expired' | 'revoked';
export type WorkspaceMembership = { readonly workspace: WorkspaceDoc; readonly role: MemberDoc['role'] };

/** An invitation to somebody; times in epoch ms. */
export type Invited = OfGroup & {
  readonly invitationId: string;
  readonly role: Role;
  readonly invitedAt: number;
  readonly expiresAt: number;
};

/** How long ended tokens are listed. */
export const LISTED_FOR = 90 * DAY;

export function statusOf(
  { revoked_at, ends_at }: Pick<TokenDoc, 'revoked_at' | 'ends_at'>,
  now: number,
): TokenStatus {
  if (revoked_at !== null) return 'revoked';
  return ends_at <= now ? 'expired' : 'active';
}

export type AccountQueries = ReturnType<typeof accountQueries>;

export const accountQueries = (read: Reader) => ({
  user: (uid: string) => read.get<UserDoc>('users', uid),
  /** Names by uid; null for those who were erased. */
  async names(uids: readonly string[]): Promise<ReadonlyMap<string, string | null>> {
    const users = await read.load<UserDoc>('users', uids);
    return new Map([...users].map(([uid, { name }]) => [uid, name]));
  },

  /** The workspaces somebody is in that are not archived, by id. */
  async memberships(uid: string): Promise<WorkspaceMembership[]> {
    const found: WorkspaceMembership[] = [];
    const pages = read.pages<MemberDoc>('members', {
      where: { uid, kind: 'workspace' },
      sort: { by: ['group_id', '_id'] },
    });
    for await (const members of pages) {
      const workspaces = await read.load<WorkspaceDoc>(
        'workspaces',
        members.map(({ group_id }) => group_id),
      );
      for (const { group_id, role } of members) {
        const workspace = workspaces.get(group_id);
        if (workspace && workspace.archived_at === null) found.push({ workspace, role });
      }
    }
    return found;
  },

  /** Somebody's tokens, newest first: those that work, and those that ended within the last 90 days. */
  async tokens(
    uid: string,
    status: TokenStatus | null,
    now: number,
    { limit, offset }: Page,
  ): Promise<Paged<TokenDoc>> {
    const where = { uid, ...whereStatus(status, now) };
    const [items, total] = await Promise.all([
      read.find<TokenDoc>('api_tokens', {
        where,
        sort: { by: ['issued_at', '_id'], descending: true },
        limit,
        offset,
      }),
      read.count('api_tokens', where),
    ]);
    return { items, total };
  },

  /** Uids of a group's members with one of some roles, page by page. */
  async *membersOf(groupId: string, among: readonly Role[], limit: number): AsyncGenerator<string[]> {
    const pages = read.pages<MemberDoc>('members', {
      where: { group_id: groupId, role: { in: among } },
      sort: { by: ['joined_at', '_id'] },
      fields: ['uid', 'joined_at'],
      limit,
    });
    for await (const page of pages) yield page.map(({ uid }) => uid);
  },
  /** Time zones of users who are there. */
  async timezonesOf(uids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const users = await read.load<UserDoc>('users', uids);
    return new Map([...users].flatMap(([uid, user]) => (user.erased_at ? [] : [[uid, user.timezone]])));
  },
  /** Tokens that end by themselves behind a time and up to another one, epoch ms, page by page. */
  tokensEnding: (after: number, upTo: number) =>
    read.pages<TokenDoc>('api_tokens', {
      where: { ends_at: { gt: after, lte: upTo }, revoked_at: null, replaced_by: null },
      sort: { by: ['ends_at', '_id'] },
    }),

  /** All tokens somebody ever had. */
  async tokensOf(uid: string): Promise<{ readonly tokenId: string; readonly revoked: boolean }[]> {
    const tokens: { tokenId: string; revoked: boolean }[] = [];
    const pages = read.pages<TokenDoc>('api_tokens', {
      where: { uid },
      sort: { by: ['issued_at', '_id'] },
      fields: ['token_id', 'revoked_at', 'issued_at'],
    });
    for await (const page of pages) {
      for (const { token_id: tokenId, revoked_at } of page) {
        tokens.push({ tokenId, revoked: revoked_at !== null && revoked_at !== undefined });
      }
    }
    return tokens;
  },

  /** Names of tokens by their ids, also of those that ended. */
  async tokenNames(tokenIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (tokenIds.length === 0) return new Map();
    const found = await read.find<TokenDoc>('api_tokens', {
      where: { token_id: { in: [...new Set(tokenIds)] } },
      fields: ['token_id', 'name'],
    });
    return new Map(found.map(({ token_id: id, name }) => [id, name]));
  },

  /** The groups somebody is in, also archived ones. */
  groupsOf: (uid: string) => groupsOf(read, uid),

  /** Whose API tokens these are, of those that there are: uids by the ids of the tokens. */
  async tokenOwners(tokenIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (tokenIds.length === 0) return new Map();
    const where = { token_id: { in: [...new Set(tokenIds)] } };
    const found = await read.find<TokenDoc>('api_tokens', { where, fields: ['token_id', 'uid'] });
    return new Map(found.map(({ token_id: id, uid }) => [id, uid]));
  },

  /** Open invitations to an address, expired ones among them: they can be renewed. */
  async invitationsTo(email: string): Promise<Invited[]> {
    const found = await read.find<InvitationDoc>('invitations', { where: { address: plainEmail(email) } });
    return found.map(({ _id: invitationId, kind, group_id: groupId, ...doc }) => ({
      ...{ kind, groupId, invitationId, role: doc.role },
      ...{ invitedAt: doc.invited_at, expiresAt: doc.expires_at },
    }));
  },

  /**
   * For how many days the organizations of these workspaces let a token live, the strictest of them; null:
   * for ever. `among` null: of all workspaces and organizations that somebody is in.
   */
  async tokenDays(uid: string, among: readonly string[] | null): Promise<number | null> {
    const groups = await groupsOf(read, uid);
    const idsOf = (wanted: GroupKind) =>
      groups.filter(({ kind }) => kind === wanted).map(({ groupId }) => groupId);
    const meant = idsOf('workspace').filter(id => !among || among.includes(id));
    const workspaces = await read.load<WorkspaceDoc>('workspaces', meant);
    const live = [...workspaces.values()].filter(({ archived_at }) => archived_at === null);
    const above = new Set(live.map(({ organization_id }) => organization_id));
    if (!among) for (const id of idsOf('organization')) above.add(id);
    const organizations = await read.load<OrganizationDoc>('organizations', [...above]);
    const days = [...organizations.values()].flatMap(({ token_max_age_days }) => token_max_age_days ?? []);
    return days.length === 0 ? null : Math.min(...days);
  },
});

/** Tokens of a status (null: of any) that are listed still. */
function whereStatus(status: TokenStatus | null, now: number) {
  const listed = { gt: now - LISTED_FOR };
  switch (status) {
    case null:
      return { ends_at: listed };
    case 'active':
      return { ends_at: { gt: now } };
    case 'expired':
      return { ends_at: { ...listed, lte: now }, revoked_at: null };
    case 'revoked':
      return { ends_at: listed, revoked_at: { gte: 0 } };
  }
}

async function groupsOf(read: Reader, uid: string): Promise<OfGroup[]> {
  const groups: OfGroup[] = [];
  const pages = read.pages<MemberDoc>('members', {
    where: { uid },
    sort: { by: ['kind', 'group_id', '_id'] },
  });
  for await (const page of pages) {
    for (const { kind, group_id: groupId } of page) groups.push({ kind, groupId });
  }
  return groups;
}
