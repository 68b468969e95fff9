import type { Message } from '../fact.js';
import type { ModelRef } from '../models/hosted.js';

/** What is deployed: a pretrained model as it is, or what was trained, adapted or brought along. */
export type DeploymentType = 'foundation' | 'trained' | 'adapter' | 'byom';

/** How many workers of the serving pool a deployment may use at once. */
export type Replicas = { readonly min: number; readonly max: number };

/** Where what is deployed came from. */
export type DeploymentOrigin = {
  readonly pipelineId: string | null;
  readonly trainingId: string | null;
  readonly blueprintUid: string | null;
};

type OfDeployment = { readonly promotionId: string };

export type DeploymentRequested = Message<
  'DeploymentRequested',
  OfDeployment & {
    readonly deploymentType: DeploymentType;
    /** `version`: of the model's file, first 12 hex digits of its sha256. */
    readonly model: ModelRef & { readonly version: string };
    readonly name: string | null;
    /** Steps ahead where a forecast does not say. */
    readonly horizon: number;
    /** The newest values that are read of a series. */
    readonly lookback: number;
    readonly reason: string | null;
    readonly replicas: Replicas;
    /** Seconds without a forecast after which it sleeps; null: never. */
    readonly scaleToZeroAfterS: number | null;
    /** The model's licence forbids commercial use, and who deployed it knows. */
    readonly acceptedNonCommercial: boolean;
    /** The deployment that it takes the place of once it is deployed. */
    readonly demotes: string | null;
    /** The pipeline that serves by it, the training and the blueprint it came from, where there are such. */
    readonly origin?: DeploymentOrigin;
  }
>;
/** A real forward pass through the live path worked. */
export type DeploymentDeployed = Message<'DeploymentDeployed', OfDeployment & { readonly tookMs: number }>;
export type DeploymentFailed = Message<
  'DeploymentFailed',
  OfDeployment & { readonly code: string; readonly message: string; readonly retryable: boolean }
>;
export type DeploymentRetried = Message<'DeploymentRetried', OfDeployment>;
export type DeploymentScaled = Message<
  'DeploymentScaled',
  OfDeployment & { readonly replicas: Replicas; readonly scaleToZeroAfterS: number | null }
>;
export type DeploymentScalingFinished = Message<'DeploymentScalingFinished', OfDeployment>;
/** The replicas asked for could not be had: those before are in force again. */
export type DeploymentScalingRolledBack = Message<
  'DeploymentScalingRolledBack',
  OfDeployment & { readonly replicas: Replicas; readonly message: string }
>;
/** Nobody paid for its replicas: those are left that cost nothing. It goes on as it did. */
export type DeploymentScaledBack = Message<
  'DeploymentScaledBack',
  OfDeployment & { readonly replicas: Replicas; readonly message: string }
>;
/** Too many errors, or probes that failed; it is still tried. */
export type DeploymentDegraded = Message<'DeploymentDegraded', OfDeployment & { readonly message: string }>;
export type DeploymentRecovered = Message<'DeploymentRecovered', OfDeployment>;
/** Nobody asked for so long that its replicas were given back. */
export type DeploymentSlept = Message<'DeploymentSlept', OfDeployment>;
export type DeploymentWoken = Message<'DeploymentWoken', OfDeployment>;
/**
 * No new calls; those under way end. `model`, `blueprintUid`: whose deployment it was, and the blueprint that
 * it came from where there is one, so that who counts a model's deployments need not remember each.
 * `replacement`: the deployment to ask instead.
 */
export type DeploymentUnpromoted = Message<
  'DeploymentUnpromoted',
  OfDeployment & {
    readonly model: ModelRef;
    readonly blueprintUid?: string;
    readonly reason: string | null;
    readonly replacement: string | null;
  }
>;
export type DeploymentRetired = Message<'DeploymentRetired', OfDeployment>;

export type DeploymentFact =
  | DeploymentRequested
  | DeploymentDeployed
  | DeploymentFailed
  | DeploymentRetried
  | DeploymentScaled
  | DeploymentScalingFinished
  | DeploymentScalingRolledBack
  | DeploymentScaledBack
  | DeploymentDegraded
  | DeploymentRecovered
  | DeploymentSlept
  | DeploymentWoken
  | DeploymentUnpromoted
  | DeploymentRetired;

/** What happens to a deployment that is there. */
export const deploymentChanges = [
  'DeploymentDeployed',
  'DeploymentFailed',
  'DeploymentRetried',
  'DeploymentScaled',
  'DeploymentScalingFinished',
  'DeploymentScalingRolledBack',
  'DeploymentScaledBack',
  'DeploymentDegraded',
  'DeploymentRecovered',
  'DeploymentSlept',
  'DeploymentWoken',
  'DeploymentUnpromoted',
  'DeploymentRetired',
] as const satisfies readonly DeploymentFact['type'][];
