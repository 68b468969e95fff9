import type { DeploymentCommand, RequestDeployment } from '../../domain/deployments/commands.js';
import type { DeploymentFact } from '../../domain/deployments/facts.js';
import type { HostedModel } from '../../domain/models/hosted.js';

export const id = 'prm_0123456789abcdef_0a1b2c3d4e';
export const other = 'prm_0123456789abcdef_ffffffffff';
export const workspace = 'wsp_w';
export const of = { workspace, promotionId: id };

export const hosted = (over: Partial<HostedModel> = {}): HostedModel => ({
  ...{ family: 'presage', slug: 'nano', name: 'Nano', description: '', vendor: 'V', licence: 'Apache-2.0' },
  ...{ commercialUse: true, parameters: 1, tasks: ['forecast'], maxContext: 512, maxHorizon: 96 },
  ...{ quantiles: [0.5], covariates: 'none', releasedAt: 0, paperUrl: null, sha256: 'ab', bytes: 1 },
  ...{
    inputs: {},
    outputs: {},
    graph: null,
    benchmarks: null,
    version: 'abcdef012345',
    recommended: true,
    listedAt: 0,
  },
  ...{ deprecatedAt: null, replacement: null },
  ...over,
});

export const request = (over: Partial<RequestDeployment['data']> = {}): RequestDeployment => ({
  type: 'RequestDeployment',
  data: {
    ...of,
    ...{ deploymentType: 'foundation', model: hosted(), name: null, horizon: null, reason: null },
    ...{ replicas: null, acceptNonCommercial: false, demotes: null, origin: null },
    ...over,
  },
});

type Requested = Extract<DeploymentFact, { type: 'DeploymentRequested' }>;
const model = { family: 'presage', slug: 'nano' };
export const requested = (over: Partial<Requested['data']> = {}): Requested => ({
  type: 'DeploymentRequested',
  data: {
    ...{ promotionId: id, deploymentType: 'foundation', model: { ...model, version: 'abcdef012345' } },
    ...{ name: null, horizon: 96, lookback: 512, reason: null, replicas: { min: 1, max: 64 } },
    ...{ scaleToZeroAfterS: null, acceptedNonCommercial: false, demotes: null },
    ...over,
  },
});

/** Facts of the deployment `id`, in a word each. */
export const facts = {
  deployed: { type: 'DeploymentDeployed', data: { promotionId: id, tookMs: 7 } },
  failed: {
    type: 'DeploymentFailed',
    data: { promotionId: id, code: 'probe_failed', message: 'no file', retryable: true },
  },
  retried: { type: 'DeploymentRetried', data: { promotionId: id } },
  scaled: {
    type: 'DeploymentScaled',
    data: { promotionId: id, replicas: { min: 2, max: 4 }, scaleToZeroAfterS: 60 },
  },
  scalingFinished: { type: 'DeploymentScalingFinished', data: { promotionId: id } },
  rolledBack: {
    type: 'DeploymentScalingRolledBack',
    data: { promotionId: id, replicas: { min: 1, max: 64 }, message: 'too few workers' },
  },
  scaledBack: {
    type: 'DeploymentScaledBack',
    data: { promotionId: id, replicas: { min: 1, max: 64 }, message: 'no credits' },
  },
  degraded: { type: 'DeploymentDegraded', data: { promotionId: id, message: 'errors' } },
  recovered: { type: 'DeploymentRecovered', data: { promotionId: id } },
  slept: { type: 'DeploymentSlept', data: { promotionId: id } },
  woken: { type: 'DeploymentWoken', data: { promotionId: id } },
  unpromoted: {
    type: 'DeploymentUnpromoted',
    data: { promotionId: id, model, reason: 'why', replacement: null },
  },
  retired: { type: 'DeploymentRetired', data: { promotionId: id } },
} as const satisfies Record<string, DeploymentFact>;

/** Commands for the deployment `id`, in a word each. */
export const commands = {
  confirm: { type: 'ConfirmDeployed', data: { ...of, tookMs: 7 } },
  fail: {
    type: 'FailDeployment',
    data: { ...of, code: 'probe_failed', message: 'no file', retryable: true },
  },
  retry: { type: 'RetryDeployment', data: of },
  scale: { type: 'ScaleDeployment', data: { ...of, replicas: { min: 2, max: 4 }, scaleToZeroAfterS: 60 } },
  finishScaling: { type: 'FinishScaling', data: of },
  rollBack: { type: 'RollBackScaling', data: { ...of, message: 'too few workers' } },
  scaleBack: { type: 'ScaleBack', data: { ...of, most: 1, message: 'no credits' } },
  degrade: { type: 'DegradeDeployment', data: { ...of, message: 'errors' } },
  recover: { type: 'RecoverDeployment', data: of },
  sleep: { type: 'PutToSleep', data: of },
  wake: { type: 'WakeDeployment', data: of },
  unpromote: { type: 'UnpromoteDeployment', data: { ...of, reason: 'why', replacement: null } },
  retire: { type: 'RetireDeployment', data: of },
} as const satisfies Record<string, DeploymentCommand>;
