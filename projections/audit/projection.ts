import type {
  CreditsAdjusted,
  CreditsGranted,
  LowBalanceSet,
  PlanChanged,
} from '../../domain/billing/facts.js';
import type { ApiTokenAdmitted, ApiTokenWithdrawn } from '../../domain/tokens/facts.js';
import type { EventRevised, EventWithdrawn, StreamFact } from '../../domain/events/facts.js';
import type { Fact } from '../../domain/fact.js';
import type { GroupFact } from '../../domain/groups/facts.js';
import type { ImportCommitBegun, ImportEnded, ImportUploaded } from '../../domain/ingestion/imports/facts.js';
import type { ExecutionEnded, ExecutionQueued } from '../../domain/ingestion/polls/execution-facts.js';
import type { JobFact } from '../../domain/ingestion/polls/job-facts.js';
import type { SourceFact } from '../../domain/ingestion/sources/facts.js';
import type { MarketplaceFact } from '../../domain/marketplace/facts.js';
import type { PipelineFact } from '../../domain/pipelines/facts.js';
import type {
  SegmentCreated,
  SegmentDeleted,
  SegmentRebuildRequested,
  SegmentRenamed,
  SegmentRevised,
} from '../../domain/segments/facts.js';
import type { SignalDeleted, SignalLabelled } from '../../domain/signals/facts.js';
import type {
  DeploymentRequested,
  DeploymentRetried,
  DeploymentScaled,
  DeploymentUnpromoted,
} from '../../domain/deployments/facts.js';
import { projection, type Projection } from '../engine/projection.js';

/**
 * One deed in a workspace or organization: who did what to what, when, under which request. `at`: epoch ms.
 */
export type AuditDoc = {
  readonly _id: string;
  readonly group: string;
  readonly at: number;
  readonly actor: string;
  readonly action: AuditedFact['type'];
  readonly resource: string;
  readonly request: string | null;
  readonly correlation: string;
  /** The fact's data as JSON text, without what is personal or secret. */
  readonly data_json: string;
};
/**
 * What people do. That events and points are recorded and scored is no deed to audit one by one: they
 * themselves show it.
 */
export type AuditedFact =
  | GroupFact
  | EventRevised
  | EventWithdrawn
  | StreamFact
  | SignalLabelled
  | SignalDeleted
  | MarketplaceFact
  | SegmentDeed
  | DeploymentRequested
  | DeploymentRetried
  | DeploymentScaled
  | DeploymentUnpromoted
  | PipelineDeed
  | SourceDeed
  | JobFact
  | RunDeed
  | ImportDeed
  | Paid
  | ApiTokenAdmitted
  | ApiTokenWithdrawn;
/** What becomes of a source by itself is no deed. */
type SourceDeed = Exclude<SourceFact, { readonly type: 'SourceFailing' | 'SourceRecovered' }>;
/** Runs that are asked for by hand, or cancelled. */
type RunDeed = ExecutionQueued | ExecutionEnded;
/** One that ended by itself is no deed, one that was cancelled is. */
type ImportDeed = ImportUploaded | ImportCommitBegun | ImportEnded;
type SegmentDeed =
  | SegmentCreated
  | SegmentRenamed
  | SegmentRevised
  | SegmentRebuildRequested
  | SegmentDeleted;
/** What becomes of its cycles by itself is no deed. */
type PipelineDeed = Extract<PipelineFact, { readonly type: (typeof pipelineDeeds)[number] }>;
const pipelineDeeds = [
  ...(['PipelineCreated', 'PipelineChanged', 'PipelinePaused', 'PipelineResumed'] as const),
  ...(['PipelineDeleted', 'CandidateApproved', 'CandidateRejected', 'CandidateDeferred'] as const),
] as const;
type Paid = PlanChanged | CreditsGranted | CreditsAdjusted | LowBalanceSet;

/**
 * What befalls the tokens that are limited to a workspace, and an organization's credits: for those who look
 * after it, its admins and owners.
 */
export const guardedTypes = [
  'ApiTokenAdmitted',
  'ApiTokenWithdrawn',
  'PlanChanged',
  'CreditsGranted',
  'CreditsAdjusted',
  'LowBalanceSet',
] as const;
export const auditedTypes: readonly AuditedFact['type'][] = [
  'WorkspaceCreated',
  'OrganizationCreated',
  'GroupChanged',
  'GroupArchived',
  'GroupRestored',
  'MemberAdded',
  'MemberRoleChanged',
  'MemberRemoved',
  'InvitationIssued',
  'InvitationRenewed',
  'InvitationAccepted',
  'InvitationDeclined',
  'InvitationRevoked',
  'EventRevised',
  'EventWithdrawn',
  'StreamDeleted',
  'StreamGroupAssigned',
  'StreamNamed',
  'SignalUnitAssigned',
  'SignalGroupAssigned',
  'SignalNamed',
  'SignalDeleted',
  'ListingDrafted',
  'ListingPublished',
  'ListingWithdrawn',
  'SubscriptionStarted',
  'SubscriptionEnded',
  'SegmentCreated',
  'SegmentRenamed',
  'SegmentRevised',
  'SegmentRebuildRequested',
  'SegmentDeleted',
  'DeploymentRequested',
  'DeploymentRetried',
  'DeploymentScaled',
  'DeploymentUnpromoted',
  ...pipelineDeeds,
  'SourceCreated',
  'SourceChanged',
  'SourcePaused',
  'SourceResumed',
  'SourceSecretRotated',
  'SourceDeleted',
  'JobCreated',
  'JobChanged',
  'JobDeleted',
  'ExecutionQueued',
  'ExecutionEnded',
  'ImportUploaded',
  'ImportCommitBegun',
  'ImportEnded',
  ...guardedTypes,
];

const entry = (fact: Fact<AuditedFact>): AuditDoc => ({
  _id: idOf(fact),
  group: groupOf(fact)!,
  at: fact.at,
  actor: fact.meta.actor,
  action: fact.type,
  resource: fact.journal,
  request: fact.meta.request,
  correlation: fact.meta.correlation,
  data_json: JSON.stringify(fact.data, (key, value: unknown) => (hidden.has(key) ? undefined : value)),
});

/** Who subscribes to a listing learns its id, not whose it is. The mapping of a file may be long. */
const hidden: ReadonlySet<string> = new Set(['personal', 'tokenHash', 'publisher', 'mapping']);
const idOf = ({ position }: Fact): string => String(position).padStart(16, '0');
/** Tokens lie above workspaces: theirs say which of them they tell of. Credits are the organization's. */
function groupOf({ type, data, meta }: Fact<AuditedFact>): string | null {
  if ('groupId' in data) return data.groupId;
  if (type === 'ApiTokenAdmitted' || type === 'ApiTokenWithdrawn') return data.workspaceId;
  if (isOfLedger(type)) return (data as Paid['data']).organizationId;
  return meta.workspace;
}
const isOfLedger = (type: AuditedFact['type']): boolean =>
  ['PlanChanged', 'CreditsGranted', 'CreditsAdjusted', 'LowBalanceSet'].includes(type);
const isOfRun = (type: AuditedFact['type']): boolean =>
  ['ExecutionQueued', 'ExecutionEnded', 'ImportEnded'].includes(type);

/** What the platform does by itself, when a month begins, a run is due or a file was read, is no deed. */
const isDeed = ({ type, meta }: Fact<AuditedFact>): boolean =>
  !(isOfLedger(type) || isOfRun(type)) || !meta.actor.startsWith('scheduler:');

/** What the audit of a workspace or organization shows. */
export const auditProjection: Projection = projection<{ audit_entries: AuditDoc }, AuditedFact>({
  name: 'audit',
  version: 4,
  carries: [2, 3],
  collections: { audit_entries: { indexes: [['group', 'at', '_id']], idOf } },
  on: Object.fromEntries(
    auditedTypes.map(type => [
      type,
      (_: unknown, fact: Fact<AuditedFact>) => (isDeed(fact) ? { audit_entries: entry(fact) } : {}),
    ]),
  ),
});
