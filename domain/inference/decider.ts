import type { Decider } from '../decider.js';
import type { Message } from '../fact.js';
import { Rejected } from '../rejected.js';
import type {
  ForecastGraded,
  InferenceCompleted,
  InferenceFact,
  InferenceFailed,
  InferencePartKept,
  InferenceRequested,
} from './facts.js';
import { evolve, initialState, type InferenceState } from './state.js';

type In = { readonly workspace: string; readonly inferenceId: string };
type With<F extends InferenceFact> = In & Omit<F['data'], 'inferenceId'>;

/** A part of a request or an answer that is too large for one fact. */
export type KeepInferencePart = Message<'KeepInferencePart', With<InferencePartKept>>;
/** Asks for work that is done later. */
export type QueueInference = Message<'QueueInference', With<InferenceRequested>>;
/** Keeps what was asked and answered at once. */
export type RecordInference = Message<
  'RecordInference',
  In & { readonly requested: InferenceRequested['data']; readonly completed: InferenceCompleted['data'] }
>;
/** Begins queued work, or begins it again. */
export type StartInference = Message<'StartInference', In>;
export type CompleteInference = Message<'CompleteInference', With<InferenceCompleted>>;
export type FailInference = Message<'FailInference', With<InferenceFailed>>;
export type CancelInference = Message<'CancelInference', In>;
export type GradeForecast = Message<'GradeForecast', With<ForecastGraded>>;

export type InferenceCommand =
  | KeepInferencePart
  | QueueInference
  | RecordInference
  | StartInference
  | CompleteInference
  | FailInference
  | CancelInference
  | GradeForecast;

function decide(command: InferenceCommand, state: InferenceState): readonly InferenceFact[] {
  if (command.type === 'KeepInferencePart') return isOpen(state) ? [kept(command)] : [];
  if (command.type === 'QueueInference')
    return state.status === 'none' ? [{ type: 'InferenceRequested', data: factData(command.data) }] : [];
  if (command.type === 'RecordInference') {
    if (state.status !== 'none') return [];
    const { requested, completed } = command.data;
    return [
      { type: 'InferenceRequested', data: requested },
      { type: 'InferenceCompleted', data: completed },
    ];
  }
  if (state.status === 'none') throw inferenceNotFound(command.data.inferenceId);
  if (command.type === 'CancelInference') {
    if (!isOpen(state)) throw over(state.status);
    return [{ type: 'InferenceCancelled', data: factData(command.data) }];
  }
  if (command.type === 'GradeForecast') {
    const known = state.grades.some(({ series }) => series === command.data.series);
    return state.completed && !known ? [{ type: 'ForecastGraded', data: factData(command.data) }] : [];
  }
  // Cancelled or done meanwhile: what comes late changes nothing
  return isOpen(state) ? worked(command, state.attempts) : [];
}

function worked(
  command: StartInference | CompleteInference | FailInference,
  attempts: number,
): readonly InferenceFact[] {
  switch (command.type) {
    case 'StartInference':
      return [{ type: 'InferenceStarted', data: { ...factData(command.data), attempt: attempts + 1 } }];
    case 'CompleteInference':
      return [{ type: 'InferenceCompleted', data: factData(command.data) }];
    case 'FailInference':
      return [{ type: 'InferenceFailed', data: factData(command.data) }];
  }
}

const kept = ({ data }: KeepInferencePart): InferenceFact => ({
  type: 'InferencePartKept',
  data: factData(data),
});

/** Without the workspace, which the envelope says. */
function factData<T extends In>({ workspace: _, ...data }: T): Omit<T, 'workspace'> {
  return data;
}

const isOpen = ({ status }: InferenceState): boolean =>
  status === 'none' || status === 'queued' || status === 'running';

export const inferenceNotFound = (inferenceId: string): Rejected =>
  new Rejected('missing', 'not_found', `There is no inference ${inferenceId}`, { inference_id: inferenceId });

const over = (status: string): Rejected =>
  new Rejected('conflict', 'invalid_state', `The inference is ${status}: there is nothing left to cancel`, {
    status,
  });

/** `inf_` and what `newId` makes. */
const ID = /^inf_[0-9a-z]{16}$/;
export const isInferenceId = (id: string): boolean => ID.test(id);

export const inferenceJournalId = (workspace: string, inferenceId: string): string =>
  `${workspace}.${inferenceId}`;

/** Asked; worked on, at once or later; answered, failed or cancelled; graded. */
export const inferences: Decider<InferenceCommand, InferenceFact, InferenceState> = {
  category: 'inference',
  idOf: ({ data }) => inferenceJournalId(data.workspace, data.inferenceId),
  initialState,
  decide,
  evolve,
};
