import { auditProjection } from '../projections/audit/projection.js';
import { auditQueries } from '../projections/audit/queries.js';
import { area } from './area.js';
import type { Kernel } from './kernel.js';

/** Who did what, as workspaces and organizations are shown it. */
export const auditArea = ({ read }: Kernel) =>
  area({ name: 'audit', queries: auditQueries(read(auditProjection)) });
export type AuditArea = ReturnType<typeof auditArea>;
