import type { DeploymentFact, DeploymentType } from '../../domain/deployments/facts.js';
import { SERVED, statusAfter, type Status } from '../../domain/deployments/state.js';
import type { Fact } from '../../domain/fact.js';

/** A deployment. Times are epoch ms; `since`: when its status began. */
export type DeploymentDoc = {
  readonly _id: string;
  readonly workspace: string;
  readonly deployment_type: DeploymentType;
  readonly status: Status;
  readonly since: number;
  /** Whether workers are to be ready for it. */
  readonly served: boolean;
  readonly family: string;
  readonly slug: string;
  /** Of the model's file, as it was when it was deployed. */
  readonly version: string;
  readonly name: string | null;
  readonly horizon: number;
  readonly lookback: number;
  readonly reason: string | null;
  readonly replicas_min: number;
  readonly replicas_max: number;
  readonly scale_to_zero_after_s: number | null;
  /** Its size before it was scaled. */
  readonly size_before: readonly [min: number, max: number, sleepAfterS: number | null] | null;
  readonly created_by: string;
  readonly created_at: number;
  readonly deployed_at: number | null;
  readonly retired_at: number | null;
  /** How often it was tried to deploy it. */
  readonly attempts: number;
  readonly error: { readonly code: string; readonly message: string; readonly retryable: boolean } | null;
  /** Why it is as it is, where that needs a word. */
  readonly note: string | null;
  readonly replacement: string | null;
  readonly pipeline_id: string | null;
  readonly training_id: string | null;
  readonly blueprint_uid: string | null;
  readonly revision: number;
};

/** A change of a deployment's state: who made it, and why. */
export type DeploymentEventDoc = {
  readonly _id: string;
  readonly promotion_id: string;
  readonly at: number;
  readonly type: DeploymentFact['type'];
  readonly from: Status | null;
  readonly to: Status;
  readonly actor: string;
  readonly request: string | null;
  readonly message: string | null;
};

/** A workspace that is archived: its deployments rest until it is restored. */
export type RestingDoc = { readonly _id: string };

export function requested(
  fact: Extract<Fact<DeploymentFact>, { type: 'DeploymentRequested' }>,
): DeploymentDoc {
  const { data, meta, at, revision } = fact;
  const { family, slug, version } = data.model;
  return {
    _id: data.promotionId,
    workspace: meta.workspace!,
    deployment_type: data.deploymentType,
    status: 'deploying',
    since: at,
    served: true,
    ...{ family, slug, version },
    name: data.name,
    horizon: data.horizon,
    lookback: data.lookback,
    reason: data.reason,
    replicas_min: data.replicas.min,
    replicas_max: data.replicas.max,
    scale_to_zero_after_s: data.scaleToZeroAfterS,
    size_before: null,
    created_by: meta.actor,
    created_at: at,
    deployed_at: null,
    retired_at: null,
    attempts: 1,
    error: null,
    note: null,
    replacement: null,
    pipeline_id: data.origin?.pipelineId ?? null,
    training_id: data.origin?.trainingId ?? null,
    blueprint_uid: data.origin?.blueprintUid ?? null,
    revision,
  };
}

export function changed(doc: DeploymentDoc, fact: Fact<DeploymentFact>): DeploymentDoc {
  const { at, revision } = fact;
  const status = statusAfter(fact.type, doc.status);
  const since = status === doc.status ? doc.since : at;
  const served = status === 'deploying' || SERVED.includes(status);
  return { ...doc, status, since, served, revision, note: noteOf(fact), ...changesOf(doc, fact) };
}

function changesOf(doc: DeploymentDoc, fact: Fact<DeploymentFact>): Partial<DeploymentDoc> {
  switch (fact.type) {
    case 'DeploymentDeployed':
      return { deployed_at: fact.at, error: null };
    case 'DeploymentFailed': {
      const { code, message, retryable } = fact.data;
      return { error: { code, message, retryable } };
    }
    case 'DeploymentRetried':
      return { attempts: doc.attempts + 1, error: null };
    case 'DeploymentScaled':
      return {
        ...sizeOf(fact.data.replicas.min, fact.data.replicas.max, fact.data.scaleToZeroAfterS),
        size_before: [doc.replicas_min, doc.replicas_max, doc.scale_to_zero_after_s],
      };
    case 'DeploymentScaledBack':
      return sizeOf(fact.data.replicas.min, fact.data.replicas.max, doc.scale_to_zero_after_s);
    case 'DeploymentScalingRolledBack':
      return doc.size_before ? { ...sizeOf(...doc.size_before), size_before: null } : {};
    case 'DeploymentScalingFinished':
      return { size_before: null };
    case 'DeploymentUnpromoted':
      return { replacement: fact.data.replacement };
    case 'DeploymentRetired':
      return { retired_at: fact.at };
    default:
      return {};
  }
}

const sizeOf = (min: number, max: number, sleepAfterS: number | null) => ({
  replicas_min: min,
  replicas_max: max,
  scale_to_zero_after_s: sleepAfterS,
});

/** What a fact says in words. */
export function noteOf({ data }: Fact<DeploymentFact>): string | null {
  if ('message' in data) return data.message;
  return 'reason' in data ? data.reason : null;
}
