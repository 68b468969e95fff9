import { DAY } from '../../domain/time.js';
import type { Reader } from '../reader.js';
import type { MemberDoc, TokenDoc, UserDoc, WorkspaceDoc } from './documents.js';
import type { Page, Paged } from './group-queries.js';

export type TokenStatus = 'active' | 'expired' | 'revoked';
export type WorkspaceMembership = { readonly workspace: WorkspaceDoc; readonly role: MemberDoc['role'] };

/** How long ended tokens are listed. */
export const LISTED_FOR = 90 * DAY;

export const statusOf = ({ revoked_at, ends_at }: Pick<TokenDoc, 'revoked_at' | 'ends_at'>, now: number): TokenStatus =>
  revoked_at !== null ? 'revoked' : ends_at <= now ? 'expired' : 'active';

export type AccountQueries = ReturnType<typeof accountQueries>;

export const accountQueries = (read: Reader) => ({
  user: (uid: string) => read.get<UserDoc>('users', uid),

  /** The workspaces somebody is in that are not archived, by id. */
  async memberships(uid: string): Promise<WorkspaceMembership[]> {
    const found: WorkspaceMembership[] = [];
    const pages = read.pages<MemberDoc>('members', { where: { uid, kind: 'workspace' }, sort: { by: ['group_id', '_id'] } });
    for await (const members of pages) {
      const workspaces = await read.load<WorkspaceDoc>('workspaces', members.map(({ group_id }) => group_id));
      for (const { group_id, role } of members) {
        const workspace = workspaces.get(group_id);
        if (workspace && workspace.archived_at === null) found.push({ workspace, role });
      }
    }
    return found;
  },

  /** Somebody's tokens, newest first: those that work, and those that ended within the last 90 days. */
  async tokens(uid: string, status: TokenStatus | null, now: number, { limit, offset }: Page): Promise<Paged<TokenDoc>> {
    const listed = { gt: now - LISTED_FOR };
    const where = { uid, ...(
      status === null ? { ends_at: listed }
      : status === 'active' ? { ends_at: { gt: now } }
      : status === 'expired' ? { ends_at: { ...listed, lte: now }, revoked_at: null }
      : { ends_at: listed, revoked_at: { gte: 0 } }
    ) };
    const [items, total] = await Promise.all([
      read.find<TokenDoc>('api_tokens', { where, sort: { by: ['issued_at', '_id'], descending: true }, limit, offset }),
      read.count('api_tokens', where),
    ]);
    return { items, total };
  },

  /** All tokens somebody ever had. */
  async tokensOf(uid: string): Promise<{ readonly tokenId: string; readonly revoked: boolean }[]> {
    const tokens: { tokenId: string; revoked: boolean }[] = [];
    const pages = read.pages<TokenDoc>('api_tokens', {
      where: { uid }, sort: { by: ['issued_at', '_id'] }, fields: ['token_id', 'revoked_at', 'issued_at'],
    });
    for await (const page of pages)
      for (const { token_id: tokenId, revoked_at } of page) tokens.push({ tokenId, revoked: revoked_at !== null && revoked_at !== undefined });
    return tokens;
  },
});
