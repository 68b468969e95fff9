import type { Fact } from '../fact.js';
import type { ModelRef } from '../models/hosted.js';
import type { DeploymentFact, Replicas } from './facts.js';

export const statuses = [
  'deploying',
  'deployed',
  'scaling',
  'degraded',
  'sleeping',
  'failed',
  'retiring',
  'retired',
] as const;
export type Status = (typeof statuses)[number];

/** Those whose forecasts are asked for. */
export const SERVED: readonly Status[] = ['deployed', 'scaling', 'degraded'];

export type Size = { readonly replicas: Replicas; readonly scaleToZeroAfterS: number | null };

/** The deployment that stands last in a journal. */
export type Deployment = Size & {
  readonly promotionId: string;
  readonly model: ModelRef;
  /** The blueprint it came from; null: none. */
  readonly blueprintUid: string | null;
  readonly status: Status;
  /** The size to go back to, while it is being scaled. */
  readonly sizeBefore: Size;
  readonly retryable: boolean;
  readonly replacement: string | null;
  readonly demotes: string | null;
};

/** `earlier`: the retired ones before it, and what took their place. */
export type DeploymentState = {
  readonly current: Deployment | null;
  readonly earlier: ReadonlyMap<string, string | null>;
};
export const initialState: DeploymentState = { current: null, earlier: new Map() };

type Resizing = 'DeploymentScaled' | 'DeploymentScaledBack';
const becomes: Readonly<Record<Exclude<DeploymentFact['type'], Resizing>, Status>> = {
  DeploymentRequested: 'deploying',
  DeploymentDeployed: 'deployed',
  DeploymentFailed: 'failed',
  DeploymentRetried: 'deploying',
  DeploymentScalingFinished: 'deployed',
  DeploymentScalingRolledBack: 'deployed',
  DeploymentDegraded: 'degraded',
  DeploymentRecovered: 'deployed',
  DeploymentSlept: 'sleeping',
  DeploymentWoken: 'deploying',
  DeploymentUnpromoted: 'retiring',
  DeploymentRetired: 'retired',
};

/** What a fact makes of a status; a degraded deployment stays so in another size. */
export function statusAfter(type: DeploymentFact['type'], status: Status | null): Status {
  if (type === 'DeploymentScaledBack') return status!;
  if (type !== 'DeploymentScaled') return becomes[type];
  return status === 'degraded' ? status : 'scaling';
}

export function evolve(state: DeploymentState, fact: Fact<DeploymentFact>): DeploymentState {
  if (fact.type === 'DeploymentRequested') return { current: requested(fact.data), earlier: past(state) };
  const { current } = state;
  if (!current) return state;
  const status = statusAfter(fact.type, current.status);
  return { ...state, current: { ...current, ...changedBy(fact, current), status } };
}

const requested = ({
  promotionId,
  model: { family, slug },
  replicas,
  scaleToZeroAfterS,
  demotes,
  origin,
}: Extract<DeploymentFact, { type: 'DeploymentRequested' }>['data']): Deployment => ({
  promotionId,
  model: { family, slug },
  blueprintUid: origin?.blueprintUid ?? null,
  status: 'deploying',
  replicas,
  scaleToZeroAfterS,
  sizeBefore: { replicas, scaleToZeroAfterS },
  retryable: false,
  replacement: null,
  demotes,
});

/** The status of one that a journal knows: all but the last are retired. */
export const statusIn = ({ current }: DeploymentState, promotionId: string): Status =>
  current?.promotionId === promotionId ? current.status : 'retired';

const past = ({ current, earlier }: DeploymentState): DeploymentState['earlier'] =>
  current ? new Map([...earlier, [current.promotionId, current.replacement]]) : earlier;

function changedBy(fact: Fact<DeploymentFact>, current: Deployment): Partial<Deployment> {
  switch (fact.type) {
    case 'DeploymentFailed':
      return { retryable: fact.data.retryable };
    case 'DeploymentScaled': {
      const { replicas, scaleToZeroAfterS } = fact.data;
      const { replicas: before, scaleToZeroAfterS: sleptAfter } = current;
      return { replicas, scaleToZeroAfterS, sizeBefore: { replicas: before, scaleToZeroAfterS: sleptAfter } };
    }
    case 'DeploymentScaledBack':
      return { replicas: fact.data.replicas };
    case 'DeploymentScalingRolledBack':
      return current.sizeBefore;
    case 'DeploymentUnpromoted':
      return { replacement: fact.data.replacement };
    default:
      return {};
  }
}
