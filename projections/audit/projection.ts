import type { EventRevised, EventWithdrawn, StreamDeleted } from '../../domain/events/facts.js';
import type { Fact } from '../../domain/fact.js';
import type { GroupFact } from '../../domain/groups/facts.js';
import { projection, type Projection } from '../projection.js';

/** One deed in a workspace or organization: who did what to what, when, under which request. `at`: epoch ms. */
export type AuditDoc = {
  readonly _id: string; readonly group: string; readonly at: number; readonly actor: string; readonly action: AuditedFact['type'];
  readonly resource: string; readonly request: string | null; readonly correlation: string;
  /** The fact's data as JSON text, without what is personal or secret. */
  readonly data_json: string;
};
/** What people do. That events are recorded and scored is no deed to audit one by one: the events themselves show it. */
export type AuditedFact = GroupFact | EventRevised | EventWithdrawn | StreamDeleted;

export const auditedTypes: readonly AuditedFact['type'][] = [
  'WorkspaceCreated', 'OrganizationCreated', 'GroupChanged', 'GroupArchived', 'GroupRestored', 'MemberAdded', 'MemberRoleChanged', 'MemberRemoved',
  'InvitationIssued', 'InvitationRenewed', 'InvitationAccepted', 'InvitationDeclined', 'InvitationRevoked',
  'EventRevised', 'EventWithdrawn', 'StreamDeleted',
];

const entry = (fact: Fact<AuditedFact>): AuditDoc => ({
  _id: idOf(fact), group: groupOf(fact)!, at: fact.at, actor: fact.meta.actor, action: fact.type, resource: fact.journal,
  request: fact.meta.request, correlation: fact.meta.correlation, data_json: JSON.stringify(fact.data, (key, value: unknown) => hidden.has(key) ? undefined : value),
});

const hidden: ReadonlySet<string> = new Set(['personal', 'tokenHash']);
const idOf = ({ position }: Fact): string => String(position).padStart(16, '0');
const groupOf = ({ data, meta }: Fact<AuditedFact>): string | null => 'groupId' in data ? data.groupId : meta.workspace;

/** What the audit of a workspace or organization shows. */
export const auditProjection: Projection = projection<{ audit_entries: AuditDoc }, AuditedFact>({
  name: 'audit', version: 1,
  collections: { audit_entries: { indexes: [['group', 'at', '_id']], idOf } },
  on: Object.fromEntries(auditedTypes.map(type => [type, (_: unknown, fact: Fact<AuditedFact>) => ({ audit_entries: entry(fact) })])),
});
