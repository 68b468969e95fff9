import { partOf } from '../billing/rates.js';
import type { Decider } from '../decider.js';
import type { Message } from '../fact.js';
import { Rejected } from '../rejected.js';
import { SECOND } from '../time.js';
import type {
  TrainingClaimed,
  TrainingCompleted,
  TrainingFact,
  TrainingFailed,
  TrainingPrepared,
  TrainingProgressed,
  TrainingQueued,
  TrainingSkipped,
} from './facts.js';
import {
  AT_WORK,
  evolve,
  initialState,
  isOpen,
  type KnownTraining,
  type TrainingState,
  type TrainingStatus,
} from './state.js';

/** Who gives no sign of life for so long is lost. */
export const LOST_MS = 60 * SECOND;
/** It is lost so often: what ends its process each time would go on for ever. */
export const MOST_LOSSES = 3;

type In = { readonly workspace: string };
type With<F extends TrainingFact> = In & F['data'];

type Why = { readonly code: string; readonly message: string };

/** `skipped`: it is not done, and why; null: it waits. */
export type QueueTraining = Message<'QueueTraining', With<TrainingQueued> & { readonly skipped: Why | null }>;
/** Takes it, for one process alone: of several that try at once one is given a fact. */
export type ClaimTraining = Message<'ClaimTraining', In & Omit<TrainingClaimed['data'], 'attempt'>>;
export type PrepareTraining = Message<'PrepareTraining', With<TrainingPrepared>>;
export type ProgressTraining = Message<'ProgressTraining', With<TrainingProgressed>>;
export type CompleteTraining = Message<
  'CompleteTraining',
  Omit<With<TrainingCompleted>, 'owner' | 'pipelineId' | 'metric'>
>;
/** `attempt`: of who found it to fail; null: whoever has it, or nobody. */
export type FailTraining = Message<
  'FailTraining',
  Omit<With<TrainingFailed>, 'owner' | 'pipelineId'> & { readonly attempt: number | null }
>;
/**
 * Who has it is gone, or (`isLoss` false) gives it back. `at`: epoch ms; null: that is known; else it must
 * have been silent for a minute.
 */
export type LoseTraining = Message<
  'LoseTraining',
  In & {
    readonly trainingId: string;
    readonly attempt: number;
    readonly reason: string;
    readonly isLoss: boolean;
    readonly at: number | null;
  }
>;
export type SkipTraining = Message<'SkipTraining', With<TrainingSkipped>>;
export type CancelTraining = Message<'CancelTraining', In & { readonly trainingId: string }>;

export type TrainingCommand =
  | QueueTraining
  | ClaimTraining
  | PrepareTraining
  | ProgressTraining
  | CompleteTraining
  | FailTraining
  | LoseTraining
  | SkipTraining
  | CancelTraining;

function decide(command: TrainingCommand, state: TrainingState): readonly TrainingFact[] {
  if (command.type === 'QueueTraining') return state.status === 'none' ? queued(command) : [];
  if (state.status === 'none') throw trainingNotFound(command.data.trainingId);
  switch (command.type) {
    case 'ClaimTraining':
      if (state.status !== 'queued') return [];
      return [{ type: 'TrainingClaimed', data: { ...factData(command.data), attempt: state.attempt + 1 } }];
    case 'SkipTraining':
      return state.status === 'queued' ? [{ type: 'TrainingSkipped', data: factData(command.data) }] : [];
    case 'FailTraining':
      return failed(command, state);
    case 'LoseTraining':
      return lost(command, state);
    case 'CancelTraining':
      return cancelled(command, state);
    default:
      return isOf(command.data.attempt, state) ? worked(command, state) : [];
  }
}

function queued({ data }: QueueTraining): readonly TrainingFact[] {
  const { skipped, ...rest } = factData(data);
  const { trainingId } = rest;
  const isSkipped = skipped && ({ type: 'TrainingSkipped', data: { trainingId, ...skipped } } as const);
  return [{ type: 'TrainingQueued', data: rest }, ...(isSkipped ? [isSkipped] : [])];
}

/** What a process says that it was taken from meanwhile changes nothing. */
const isOf = (attempt: number, state: KnownTraining): boolean =>
  AT_WORK.includes(state.status) && attempt === state.attempt;

const ORDER: readonly TrainingStatus[] = AT_WORK;

function worked(
  command: PrepareTraining | ProgressTraining | CompleteTraining,
  state: KnownTraining,
): readonly TrainingFact[] {
  switch (command.type) {
    case 'PrepareTraining':
      return state.status === 'preparing' ? [{ type: 'TrainingPrepared', data: factData(command.data) }] : [];
    case 'ProgressTraining': {
      const { stage, progress, ...of } = factData(command.data);
      const isBack = ORDER.indexOf(stage) < ORDER.indexOf(state.status);
      return [
        {
          type: 'TrainingProgressed',
          data: {
            ...of,
            stage: isBack ? (state.status as typeof stage) : stage,
            progress: Math.min(1, Math.max(state.progress, progress)),
          },
        },
      ];
    }
    case 'CompleteTraining':
      return [
        {
          type: 'TrainingCompleted',
          data: { ...factData(command.data), ...toldOf(state), metric: state.queued.metric },
        },
      ];
  }
}

function failed({ data }: FailTraining, state: KnownTraining): readonly TrainingFact[] {
  const { attempt, ...rest } = factData(data);
  const isTheirs = attempt === null ? isOpen(state.status) : isOf(attempt, state);
  return isTheirs ? [{ type: 'TrainingFailed', data: { ...rest, ...toldOf(state) } }] : [];
}

const toldOf = ({ queued: { owner, pipelineId } }: KnownTraining) => ({ owner, pipelineId });

function lost({ data }: LoseTraining, state: KnownTraining): readonly TrainingFact[] {
  const { trainingId, attempt, reason, isLoss, at } = data;
  if (!isOf(attempt, state)) return [];
  if (at !== null && at - state.signAt < LOST_MS) return [];
  if (!isLoss || state.losses + 1 < MOST_LOSSES)
    return [{ type: 'TrainingRequeued', data: { trainingId, attempt, reason, isLoss } }];
  const message = `It was begun and lost ${MOST_LOSSES} times: ${reason}`;
  const why = { code: 'worker_lost', message, retryable: true, lines: [] };
  return [{ type: 'TrainingFailed', data: { trainingId, ...why, ...toldOf(state) } }];
}

function cancelled({ data: { trainingId } }: CancelTraining, state: KnownTraining): readonly TrainingFact[] {
  if (!isOpen(state.status)) throw over(state.status);
  const share = state.status === 'queued' ? 0 : state.progress;
  return [{ type: 'TrainingCancelled', data: { trainingId, used: partOf(state.queued.price, share) } }];
}

/** Without the workspace, which the envelope says. */
function factData<T extends In>({ workspace: _, ...data }: T): Omit<T, 'workspace'> {
  return data;
}

export const trainingNotFound = (trainingId: string): Rejected =>
  new Rejected('missing', 'not_found', `There is no training ${trainingId}`, { training_id: trainingId });

const over = (status: TrainingStatus): Rejected =>
  new Rejected('conflict', 'invalid_state', `The training is ${status}: there is nothing left to cancel`, {
    status,
  });

/** `trn_` and 16 digits of base 36. */
const ID = /^trn_[0-9a-z]{16}$/;
export const isTrainingId = (id: string): boolean => ID.test(id);

export const trainingJournalId = (workspace: string, trainingId: string): string =>
  `${workspace}.${trainingId}`;

/** Queued; taken by a process, once more where that was lost; completed, failed, skipped or cancelled. */
export const trainings: Decider<TrainingCommand, TrainingFact, TrainingState> = {
  category: 'training',
  idOf: ({ data }) => trainingJournalId(data.workspace, data.trainingId),
  initialState,
  decide,
  evolve,
};
