import type { Decider } from '../decider.js';
import { Rejected } from '../rejected.js';
import type {
  DeploymentCommand,
  RetryDeployment,
  ScaleDeployment,
  UnpromoteDeployment,
  WakeDeployment,
} from './commands.js';
import type { DeploymentFact, Replicas } from './facts.js';
import { subjectIn } from './promotion-id.js';
import { request } from './request.js';
import { evolve, initialState, type Deployment, type DeploymentState, type Status } from './state.js';

export const deploymentNotFound = (): Rejected =>
  new Rejected('missing', 'not_found', 'Deployment not found');

function decide(command: DeploymentCommand, state: DeploymentState): readonly DeploymentFact[] {
  if (command.type === 'RequestDeployment') return request(command, state);
  const { current, earlier } = state;
  const { promotionId } = command.data;
  const isEarlier = earlier.has(promotionId);
  if (!isEarlier && current?.promotionId !== promotionId) throw deploymentNotFound();
  const deployment = isEarlier ? RETIRED : current!;
  switch (command.type) {
    case 'RetryDeployment':
      return retry(command, deployment);
    case 'ScaleDeployment':
      return scale(command, deployment);
    case 'WakeDeployment':
      return wake(command, deployment);
    case 'UnpromoteDeployment':
      return unpromote(command, deployment);
    default:
      return keep(command, deployment);
  }
}

const RETIRED: Pick<Deployment, 'status' | 'retryable'> & Partial<Deployment> = {
  status: 'retired',
  retryable: false,
};
type Current = typeof RETIRED;

/**
 * In which states what nobody asked for may happen; in all others somebody was first, and nothing is to do.
 */
const keptIn = {
  ConfirmDeployed: ['deploying'],
  FailDeployment: ['deploying', 'degraded'],
  FinishScaling: ['scaling'],
  RollBackScaling: ['scaling'],
  ScaleBack: ['deployed', 'degraded'],
  DegradeDeployment: ['deployed'],
  RecoverDeployment: ['degraded'],
  PutToSleep: ['deployed'],
  RetireDeployment: ['retiring'],
} as const satisfies Record<string, readonly Status[]>;
type Keeping = Extract<DeploymentCommand, { type: keyof typeof keptIn }>;

function keep(command: Keeping, { status, sizeBefore, replicas: size }: Current): readonly DeploymentFact[] {
  if (!(keptIn[command.type] as readonly Status[]).includes(status)) return [];
  const { promotionId } = command.data;
  switch (command.type) {
    case 'ConfirmDeployed':
      return [{ type: 'DeploymentDeployed', data: { promotionId, tookMs: command.data.tookMs } }];
    case 'FailDeployment': {
      const { code, message, retryable } = command.data;
      return [{ type: 'DeploymentFailed', data: { promotionId, code, message, retryable } }];
    }
    case 'FinishScaling':
      return [{ type: 'DeploymentScalingFinished', data: { promotionId } }];
    case 'RollBackScaling': {
      const { replicas } = sizeBefore!;
      const { message } = command.data;
      return [{ type: 'DeploymentScalingRolledBack', data: { promotionId, replicas, message } }];
    }
    case 'ScaleBack': {
      const { most, message } = command.data;
      if (size!.min <= most) return [];
      const replicas = { ...size!, min: most };
      return [{ type: 'DeploymentScaledBack', data: { promotionId, replicas, message } }];
    }
    case 'DegradeDeployment':
      return [{ type: 'DeploymentDegraded', data: { promotionId, message: command.data.message } }];
    case 'RecoverDeployment':
      return [{ type: 'DeploymentRecovered', data: { promotionId } }];
    case 'PutToSleep':
      return [{ type: 'DeploymentSlept', data: { promotionId } }];
    case 'RetireDeployment':
      return [{ type: 'DeploymentRetired', data: { promotionId } }];
  }
}

function retry({ data: { promotionId } }: RetryDeployment, { status, retryable }: Current): DeploymentFact[] {
  if (status !== 'failed')
    throw new Rejected('conflict', 'not_retryable', `Only what failed can be retried; it is ${status}`, {
      status,
    });
  if (!retryable)
    throw new Rejected('conflict', 'not_retryable', 'Its failure would only come again', { status });
  return [{ type: 'DeploymentRetried', data: { promotionId } }];
}

function scale({ data }: ScaleDeployment, current: Current): readonly DeploymentFact[] {
  const { promotionId, replicas, scaleToZeroAfterS } = data;
  if (current.status !== 'deployed' && current.status !== 'degraded')
    throw new Rejected(
      'conflict',
      'invalid_state',
      `Only a deployed or degraded deployment can be scaled; it is ${current.status}`,
      { status: current.status },
    );
  const isSame = sameSize(current.replicas!, replicas) && current.scaleToZeroAfterS === scaleToZeroAfterS;
  return isSame ? [] : [{ type: 'DeploymentScaled', data: { promotionId, replicas, scaleToZeroAfterS } }];
}

const sameSize = (a: Replicas, b: Replicas): boolean => a.min === b.min && a.max === b.max;

function wake({ data: { promotionId } }: WakeDeployment, { status }: Current): readonly DeploymentFact[] {
  return status === 'sleeping' ? [{ type: 'DeploymentWoken', data: { promotionId } }] : [];
}

function unpromote({ data }: UnpromoteDeployment, current: Current): readonly DeploymentFact[] {
  const { status, model, blueprintUid: uid } = current;
  if (status === 'retiring' || status === 'retired') return [];
  const { promotionId, reason, replacement } = data;
  const of = { promotionId, model: model!, ...(uid && { blueprintUid: uid }) };
  return [{ type: 'DeploymentUnpromoted', data: { ...of, reason, replacement } }];
}

/** All deployments of one model in one workspace, in turn: at most one of them is alive. */
export const deployments: Decider<DeploymentCommand, DeploymentFact, DeploymentState> = {
  category: 'deployment',
  idOf: ({ data: { workspace, promotionId } }) => deploymentId(workspace, promotionId),
  initialState,
  decide,
  evolve,
};

/** Of the journal, within its category. @throws Rejected 404 for an id that no deployment can have */
export function deploymentId(workspace: string, promotionId: string): string {
  const subject = subjectIn(promotionId);
  if (subject === null) throw deploymentNotFound();
  return `${workspace}.${subject}`;
}
