import type { Message } from '../fact.js';
import type { HostedModel } from '../models/hosted.js';
import type { DeploymentOrigin, DeploymentType, Replicas } from './facts.js';

type OfDeployment = { readonly workspace: string; readonly promotionId: string };

/** What is served, and how, where the caller chooses; null: as by default. */
export type DeploymentWishes = {
  readonly name: string | null;
  readonly horizon: number | null;
  readonly reason: string | null;
  readonly replicas: Replicas | null;
  readonly acceptNonCommercial: boolean;
  readonly demotes: string | null;
  /** Null: a foundation model as it is. */
  readonly origin: DeploymentOrigin | null;
};

export type RequestDeployment = Message<
  'RequestDeployment',
  OfDeployment & DeploymentWishes & { readonly deploymentType: DeploymentType; readonly model: HostedModel }
>;
/** `tookMs`: how long the forward pass took that showed it. */
export type ConfirmDeployed = Message<'ConfirmDeployed', OfDeployment & { readonly tookMs: number }>;
export type FailDeployment = Message<
  'FailDeployment',
  OfDeployment & { readonly code: string; readonly message: string; readonly retryable: boolean }
>;
export type RetryDeployment = Message<'RetryDeployment', OfDeployment>;
export type ScaleDeployment = Message<
  'ScaleDeployment',
  OfDeployment & { readonly replicas: Replicas; readonly scaleToZeroAfterS: number | null }
>;
export type FinishScaling = Message<'FinishScaling', OfDeployment>;
export type RollBackScaling = Message<'RollBackScaling', OfDeployment & { readonly message: string }>;
/** Leaves it so many replicas ready at most, `message` says why. */
export type ScaleBack = Message<
  'ScaleBack',
  OfDeployment & { readonly most: number; readonly message: string }
>;
export type DegradeDeployment = Message<'DegradeDeployment', OfDeployment & { readonly message: string }>;
export type RecoverDeployment = Message<'RecoverDeployment', OfDeployment>;
export type PutToSleep = Message<'PutToSleep', OfDeployment>;
export type WakeDeployment = Message<'WakeDeployment', OfDeployment>;
export type UnpromoteDeployment = Message<
  'UnpromoteDeployment',
  OfDeployment & { readonly reason: string | null; readonly replacement: string | null }
>;
export type RetireDeployment = Message<'RetireDeployment', OfDeployment>;

/** What follows from time and from how a deployment does: nobody asks for it. */
export type KeepingCommand =
  | ConfirmDeployed
  | FailDeployment
  | FinishScaling
  | RollBackScaling
  | ScaleBack
  | DegradeDeployment
  | RecoverDeployment
  | PutToSleep
  | RetireDeployment;

export type DeploymentCommand =
  | KeepingCommand
  | RequestDeployment
  | RetryDeployment
  | ScaleDeployment
  | WakeDeployment
  | UnpromoteDeployment;
