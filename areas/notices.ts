import type { ByomValidationEnded } from '../domain/byom/facts.js';
import { creditsText } from '../domain/billing/amounts.js';
import type { BalanceRanLow } from '../domain/billing/facts.js';
import type { QuotaNeared } from '../domain/billing/quota-watch.js';
import type {
  DeploymentDeployed,
  DeploymentDegraded,
  DeploymentFailed,
  DeploymentScaledBack,
} from '../domain/deployments/facts.js';
import type { Fact } from '../domain/fact.js';
import type { ImportEnded } from '../domain/ingestion/imports/facts.js';
import type { InvitationIssued, MemberRoleChanged, OfGroup } from '../domain/groups/facts.js';
import type { SourceFailing } from '../domain/ingestion/sources/facts.js';
import type { FoundationModelDeprecated } from '../domain/models/facts.js';
import type { Notice, Notices } from '../domain/notifications/notice.js';
import type { TrainingCompleted, TrainingFailed } from '../domain/trainings/facts.js';

// What people are told of the facts of areas that know nothing of notifications.

type OfDeployment = DeploymentDeployed | DeploymentFailed | DeploymentDegraded | DeploymentScaledBack;
const ofDeployment =
  (kind: string) =>
  ({ data, meta }: Fact<OfDeployment>): Notice => ({
    kind,
    // Who may do something about it
    to: { workspace: meta.workspace!, leastRole: 'operator' },
    goalId: null,
    data: { promotion_id: data.promotionId, ...('message' in data && { message: data.message }) },
    groupKey: `${kind}/${data.promotionId}`,
  });

export const deploymentNotices: Notices = {
  DeploymentDeployed: ofDeployment('deployment.ready'),
  DeploymentFailed: ofDeployment('deployment.failed'),
  DeploymentDegraded: ofDeployment('deployment.degraded'),
  DeploymentScaledBack: ofDeployment('deployment.degraded'),
};

const idOf = ({ kind, groupId }: OfGroup): Notice['data'] =>
  kind === 'workspace' ? { workspace_id: groupId } : { organization_id: groupId };

type Invitation = Pick<InvitationIssued['data'], 'kind' | 'groupId' | 'invitationId' | 'role'>;
/**
 * Once, whether whoever has the address is there already or comes later. One in the place of another is told
 * with it.
 */
export const invitationNotice = (invitation: Invitation, email: string): Notice => ({
  kind: 'workspace.invitation',
  to: { email },
  goalId: null,
  data: { ...idOf(invitation), role: invitation.role, invitation_id: invitation.invitationId },
  groupKey: `workspace.invitation/${invitation.groupId}`,
  once: invitation.invitationId,
});

export const groupNotices: Notices = {
  InvitationIssued: ({ data }: Fact<InvitationIssued>): Notice | null =>
    data.personal && invitationNotice(data, data.personal.email),
  MemberRoleChanged: ({ data }: Fact<MemberRoleChanged>): Notice => ({
    kind: 'workspace.role_changed',
    to: { uid: data.uid, workspace: data.kind === 'workspace' ? data.groupId : null },
    goalId: null,
    data: { ...idOf(data), role: data.role },
    groupKey: `workspace.role_changed/${data.groupId}`,
  }),
};

export const modelNotices: Notices = {
  FoundationModelDeprecated: ({ data }: Fact<FoundationModelDeprecated>): Notice => ({
    kind: 'model.deprecated',
    to: { servingModel: data.blueprintUid, leastRole: 'operator' },
    goalId: null,
    data: {
      blueprint_uid: data.blueprintUid,
      replacement: data.replacement && `${data.replacement.family}/${data.replacement.slug}`,
    },
    groupKey: `model.deprecated/${data.blueprintUid}`,
  }),
};

export const sourceNotices: Notices = {
  SourceFailing: ({ data }: Fact<SourceFailing>): Notice => ({
    kind: 'ingestion.source_failing',
    // Who may do something about it
    to: { workspace: data.workspace, leastRole: 'operator' },
    goalId: null,
    data: { source_id: data.sourceId, name: data.name, failures: data.failures, message: data.message },
    groupKey: `ingestion.source_failing/${data.sourceId}`,
  }),
};

export const ledgerNotices: Notices = {
  BalanceRanLow: ({ data }: Fact<BalanceRanLow>): Notice => ({
    kind: 'billing.low_balance',
    to: { organization: data.organizationId, leastRole: 'admin' },
    goalId: null,
    data: {
      organization_id: data.organizationId,
      balance: creditsText(data.credits),
      threshold: creditsText(data.threshold),
    },
    groupKey: `billing.low_balance/${data.organizationId}`,
  }),
};

export const quotaNotices: Notices = {
  QuotaNeared: ({ data: { workspace, quota, period, used, limit } }: Fact<QuotaNeared>): Notice => ({
    kind: 'billing.quota_near',
    to: { workspace, leastRole: 'admin' },
    goalId: null,
    data: { name: quota, period, used, limit },
    groupKey: `billing.quota_near/${quota}`,
  }),
};

export const importNotices: Notices = {
  /** Who wanted it is told; nobody is where it ended before its commit, or was cancelled. */
  ImportEnded: ({ data }: Fact<ImportEnded>): Notice | null =>
    data.by === null || data.as === 'cancelled'
      ? null
      : {
          kind: 'ingestion.import_finished',
          to: { uid: data.by, workspace: data.workspace },
          goalId: null,
          data: {
            ...{ import_id: data.importId, file: data.file, status: data.as },
            ...{ accepted: data.accepted, rejected: data.rejected },
          },
          groupKey: `ingestion.import_finished/${data.importId}`,
        },
};

type TrainingEnded = TrainingCompleted | TrainingFailed;
const ofTraining =
  (kind: string, told: (data: TrainingEnded['data']) => Notice['data']) =>
  ({ data, meta }: Fact<TrainingEnded>): Notice => ({
    kind,
    to: { uid: data.owner, workspace: meta.workspace! },
    goalId: null,
    data: { training_id: data.trainingId, pipeline_id: data.pipelineId, ...told(data) },
    groupKey: `${kind}/${data.trainingId}`,
  });

/** In whose name it was trained is told. */
export const trainingNotices: Notices = {
  TrainingCompleted: ofTraining('training.completed', data =>
    'score' in data ? { score: data.score, metric: data.metric } : {},
  ),
  TrainingFailed: ofTraining('training.failed', data =>
    'message' in data ? { code: data.code, message: data.message } : {},
  ),
};

export const byomNotices: Notices = {
  /** Who asked for it is told; of one that nothing here runs there is nothing to tell but its state. */
  ByomValidationEnded: ({ data }: Fact<ByomValidationEnded>): Notice | null =>
    data.as === 'unsupported'
      ? null
      : {
          kind: `byom.${data.as}`,
          to: { uid: data.by, workspace: data.workspace },
          goalId: null,
          data: { byom_id: data.byomId, name: data.name, message: data.message },
          groupKey: `byom/${data.byomId}`,
        },
};
