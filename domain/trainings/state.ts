import type { Price } from '../billing/credits.js';
import type { Fact } from '../fact.js';
import type { TrainingCompleted, TrainingFact, TrainingFailed, TrainingQueued } from './facts.js';

export const STATUSES = [
  'queued',
  'preparing',
  'running',
  'evaluating',
  'completed',
  'failed',
  'skipped',
  'cancelled',
] as const;
export type TrainingStatus = (typeof STATUSES)[number];

/** A process is at it. */
export const AT_WORK: readonly TrainingStatus[] = ['preparing', 'running', 'evaluating'];
export const isOpen = (status: TrainingStatus): boolean => status === 'queued' || AT_WORK.includes(status);

export type KnownTraining = {
  readonly status: TrainingStatus;
  readonly queued: TrainingQueued['data'];
  readonly queuedAt: number;
  /** How often a process took it, and how often one that had it was lost. */
  readonly attempt: number;
  readonly losses: number;
  /** The last sign of life of who has it, epoch ms. */
  readonly signAt: number;
  /** Never goes back within an attempt; a new one begins at 0. */
  readonly progress: number;
  readonly completed: TrainingCompleted['data'] | null;
  readonly failed: TrainingFailed['data'] | null;
  /** What a cancelled one costs; null: nothing. */
  readonly used: Price | null;
};
export type TrainingState = { readonly status: 'none' } | KnownTraining;
export const initialState: TrainingState = { status: 'none' };

export function evolve(state: TrainingState, fact: Fact<TrainingFact>): TrainingState {
  if (fact.type === 'TrainingQueued')
    return {
      status: 'queued',
      queued: fact.data,
      queuedAt: fact.at,
      ...{ attempt: 0, losses: 0, signAt: fact.at, progress: 0, completed: null, failed: null, used: null },
    };
  return state.status === 'none' ? state : further(state, fact);
}

function further(state: KnownTraining, fact: Exclude<Fact<TrainingFact>, { type: 'TrainingQueued' }>) {
  const { at: signAt } = fact;
  switch (fact.type) {
    case 'TrainingClaimed':
      return { ...state, status: 'preparing', attempt: fact.data.attempt, signAt, progress: 0 } as const;
    case 'TrainingPrepared':
      return { ...state, status: 'running', signAt } as const;
    case 'TrainingProgressed': {
      const { stage, progress } = fact.data;
      return { ...state, status: stage, progress, signAt };
    }
    case 'TrainingRequeued':
      return {
        ...state,
        status: 'queued',
        progress: 0,
        signAt,
        losses: state.losses + Number(fact.data.isLoss),
      } as const;
    case 'TrainingCompleted':
      return { ...state, status: 'completed', progress: 1, completed: fact.data } as const;
    case 'TrainingFailed':
      return { ...state, status: 'failed', failed: fact.data } as const;
    case 'TrainingSkipped':
      return { ...state, status: 'skipped' } as const;
    case 'TrainingCancelled':
      return { ...state, status: 'cancelled', used: fact.data.used } as const;
    default:
      return state;
  }
}
