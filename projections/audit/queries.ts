import type { Reader } from '../engine/reader.js';
import { auditedTypes, guardedTypes, type AuditDoc } from './projection.js';

/** `from` and `to`: epoch ms, both included. */
export type AuditFilter = {
  readonly actor?: string | undefined;
  readonly action?: string | undefined;
  readonly resource?: string | undefined;
  readonly from?: number | null;
  readonly to?: number | null;
};
export type AuditQueries = ReturnType<typeof auditQueries>;

const ofMembers = auditedTypes.filter(type => !guardedTypes.some(other => other === type));

export const auditQueries = (read: Reader) => ({
  /** Deeds in a group, newest first; `guarded`: with what befell members' tokens and credits. */
  async entries(
    group: string,
    { actor, action, resource, from = null, to = null }: AuditFilter,
    guarded: boolean,
    limit: number,
    offset: number,
  ) {
    const where = {
      group,
      ...(actor !== undefined && { actor }),
      ...whereAction(action, guarded),
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

function whereAction(action: string | undefined, guarded: boolean) {
  if (action === undefined) return guarded ? {} : { action: { in: ofMembers } };
  const shown = guarded || ofMembers.some(type => type === action);
  return { action: { in: shown ? [action] : [] } };
}

function whereTime(from: number | null, to: number | null) {
  if (from === null && to === null) return {};
  return { at: { ...(from !== null && { gte: from }), ...(to !== null && { lte: to }) } };
}
