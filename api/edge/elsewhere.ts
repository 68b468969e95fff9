import type { Context } from 'koa';
import { Rejected } from '../../domain/rejected.js';
import type { Admit } from './auth.js';
import type { Limiter } from './limiter.js';
import type { Endpoint } from './prepare.js';
import type { Reply } from './reply.js';
import { notFound, type Found } from './routes.js';
import type { Access } from './row.js';

type NoRow = Exclude<Found<Endpoint>, { kind: 'row' }>;

/** Answers for a path that nothing is at, or not with this method: only to those who may call at all. */
export const elsewhere =
  (admit: Admit, limiter: Limiter) =>
  async (ctx: Context, reply: Reply, found: NoRow): Promise<void> => {
    limiter.announce(reply, 'default');
    if (found.kind === 'path') reply.route = found.rows[0]!.row.path;
    const access: Access = found.kind === 'none' ? { kind: 'account' } : gentlest(found.rows);
    const caller = await admit(access, ctx.req.headers);
    if (caller.tokenId !== '') limiter.charge(reply, 'default', caller, () => ctx.ip);
    if (found.kind === 'none') throw notFound;
    const { allow } = found;
    if (ctx.method === 'OPTIONS') return reply.sendOptions(allow);
    throw new Rejected('not_allowed', 'method_not_allowed', `This path takes ${allow}`, { allow });
  };

/** The least that any row of a path asks for: enough to learn its methods. */
function gentlest(rows: readonly Endpoint[]): Access {
  const kinds = rows.map(({ row }) => row.access.kind);
  if (kinds.includes('public') || kinds.includes('signed')) return { kind: 'public' };
  if (kinds.includes('account') || kinds.includes('internal')) return { kind: 'account' };
  return { kind: 'workspace', scope: [] };
}
