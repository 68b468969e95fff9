import type { Reader } from '../engine/reader.js';
import { auditedTypes, tokenTypes, type AuditDoc } from './projection.js';

/** `from` and `to`: epoch ms, both included. */
export type AuditFilter = {
  readonly actor?: string | undefined;
  readonly action?: string | undefined;
  readonly resource?: string | undefined;
  readonly from?: number | null;
  readonly to?: number | null;
};
export type AuditQueries = ReturnType<typeof auditQueries>;

const ofMembers = auditedTypes.filter(type => !tokenTypes.some(other => other === type));

export const auditQueries = (read: Reader) => ({
  /** Deeds in a group, newest first; `tokens`: with what befell members' tokens. */
  async entries(
    group: string,
    { actor, action, resource, from = null, to = null }: AuditFilter,
    tokens: boolean,
    limit: number,
    offset: number,
  ) {
    const where = {
      group,
      ...(actor !== undefined && { actor }),
      ...whereAction(action, tokens),
      ...(resource !== undefined && { resource }),
      ...whereTime(from, to),
    };
    const [items, total] = await Promise.all([
      read.find<AuditDoc>('audit_entries', {
        where,
        sort: { by: ['at', '_id'], descending: true },
        limit,
        offset,
      }),
      read.count('audit_entries', where),
    ]);
    return { items, total };
  },
});

function whereAction(action: string | undefined, tokens: boolean) {
  if (action === undefined) return tokens ? {} : { action: { in: ofMembers } };
  const shown = tokens || ofMembers.some(type => type === action);
  return { action: { in: shown ? [action] : [] } };
}

function whereTime(from: number | null, to: number | null) {
  if (from === null && to === null) return {};
  return { at: { ...(from !== null && { gte: from }), ...(to !== null && { lte: to }) } };
}
