import type { Reader } from '../reader.js';
import type { AuditDoc } from './projection.js';

/** `from` and `to`: epoch ms, both included. */
export type AuditFilter = {
  readonly actor?: string | undefined; readonly action?: string | undefined; readonly resource?: string | undefined;
  readonly from?: number | undefined; readonly to?: number | undefined;
};
export type AuditQueries = ReturnType<typeof auditQueries>;

export const auditQueries = (read: Reader) => ({
  /** Deeds in a group, newest first. */
  async entries(group: string, { actor, action, resource, from, to }: AuditFilter, limit: number, offset: number) {
    const where = {
      group, ...(actor !== undefined && { actor }), ...(action !== undefined && { action }), ...(resource !== undefined && { resource }),
      ...((from !== undefined || to !== undefined) && { at: { ...(from !== undefined && { gte: from }), ...(to !== undefined && { lte: to }) } }),
    };
    const [items, total] = await Promise.all([
      read.find<AuditDoc>('audit_entries', { where, sort: { by: ['at', '_id'], descending: true }, limit, offset }),
      read.count('audit_entries', where),
    ]);
    return { items, total };
  },
});
