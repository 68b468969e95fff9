import {
  inferenceJournalId,
  inferenceNotFound,
  inferences,
  isInferenceId,
  type InferenceCommand,
} from '../../domain/inference/decider.js';
import type { ForecastGraded, InferenceFact, InferenceFailed } from '../../domain/inference/facts.js';
import type { InferenceState, RecordedInference } from '../../domain/inference/state.js';
import { unwritten, type Context, type Handle, type Load, type Outcome } from '../engine/handle.js';
import { newId } from '../engine/ids.js';
import { answerOf, goingOn, keeping, requestOf, type Asked, type Known, type Made } from './keeping.js';

export type Recorded = {
  readonly inferenceId: string;
  readonly record: RecordedInference;
  readonly position: number | null;
};
export type InferenceRecords = ReturnType<typeof inferenceRecords>;

export const newInferenceId = (): string => newId('inf_');

/** What is written of inferences, each in a journal of its own. */
export function inferenceRecords(handle: Handle, load: Load) {
  const keep = keeping(handle);

  const act = async (
    type: 'StartInference' | 'CancelInference',
    workspace: string,
    inferenceId: string,
    context: Context,
  ): Promise<Recorded> =>
    recorded(inferenceId, await handle(inferences, { type, data: { workspace, inferenceId } }, context));

  return {
    /**
     * Keeps what was asked and answered at once. What is large is kept now; the append that tells of all is
     * made when what it answers is called, in the same turn of the event loop.
     */
    async record(
      workspace: string,
      asked: Asked,
      made: Made,
      context: Context,
    ): Promise<() => Promise<Recorded>> {
      const { inferenceId, body: _, bytes: __, ...about } = asked;
      const { answer: ___, numbers: ____, ...told } = made;
      const nothing = unwritten(inferences);
      const of = { workspace, inferenceId };
      const request = await keep({ ...of, of: 'request' }, requestOf(asked, made.read), context, nothing);
      const answered = await keep({ ...of, of: 'answer' }, answerOf(made), context, request.known);
      const command: InferenceCommand = {
        type: 'RecordInference',
        data: {
          workspace,
          inferenceId,
          requested: { inferenceId, ...about, request: request.kept, queued: false },
          completed: { inferenceId, ...told, answer: answered.kept },
        },
      };
      return async () => recorded(inferenceId, await handle(inferences, command, context, answered.known));
    },

    /** Asks for work that is done later. */
    async queue(workspace: string, asked: Asked, context: Context): Promise<Recorded> {
      const { inferenceId, body: _, bytes: __, ...about } = asked;
      const nothing = unwritten(inferences);
      const of = { workspace, inferenceId, of: 'request' } as const;
      const { kept, known } = await keep(of, requestOf(asked, []), context, nothing);
      const data = { workspace, inferenceId, ...about, request: kept, queued: true };
      return recorded(
        inferenceId,
        await handle(inferences, { type: 'QueueInference', data }, context, known),
      );
    },

    start: (workspace: string, inferenceId: string, context: Context) =>
      act('StartInference', workspace, inferenceId, context),

    async complete(workspace: string, inferenceId: string, made: Made, context: Context): Promise<Recorded> {
      const { answer: _, numbers: __, ...told } = made;
      const of = { workspace, inferenceId, of: 'answer' } as const;
      const { kept } = await keep(of, answerOf(made), context, undefined);
      const data = { workspace, inferenceId, ...told, answer: kept };
      return recorded(inferenceId, await handle(inferences, { type: 'CompleteInference', data }, context));
    },

    fail: (workspace: string, failed: InferenceFailed['data'], context: Context) =>
      handle(inferences, { type: 'FailInference', data: { workspace, ...failed } }, context),

    /** @throws Rejected 404; 409 once it is over */
    async cancel(workspace: string, inferenceId: string, context: Context): Promise<Recorded> {
      if (!isInferenceId(inferenceId)) throw inferenceNotFound(inferenceId);
      return act('CancelInference', workspace, inferenceId, context);
    },

    /** `known`: how the journal stood; it is not read where it stands so still. Answers how it stands now. */
    async grade(
      workspace: string,
      graded: ForecastGraded['data'],
      context: Context,
      known?: Known,
    ): Promise<Known> {
      const command = { type: 'GradeForecast', data: { workspace, ...graded } } as const;
      return goingOn(await handle(inferences, command, context, known));
    },

    /** What became of an inference, as its facts tell it. */
    async became(workspace: string, inferenceId: string): Promise<Became> {
      const { status } = await load(inferences, inferenceJournalId(workspace, inferenceId));
      return becameOf[status];
    },

    /** All that is known of an inference, as its facts tell it. @throws Rejected 404 */
    async read(workspace: string, inferenceId: string): Promise<RecordedInference> {
      if (!isInferenceId(inferenceId)) throw inferenceNotFound(inferenceId);
      const state = await load(inferences, inferenceJournalId(workspace, inferenceId));
      if (state.status === 'none') throw inferenceNotFound(inferenceId);
      return state;
    },
  };
}

const becameOf = {
  none: 'unknown',
  queued: 'under way',
  running: 'under way',
  completed: 'completed',
  graded: 'completed',
  failed: 'failed',
  cancelled: 'cancelled',
} as const satisfies Record<InferenceState['status'], string>;
type Became = (typeof becameOf)[InferenceState['status']];

const recorded = (
  inferenceId: string,
  { after, position }: Outcome<InferenceFact, InferenceState>,
): Recorded => ({
  inferenceId,
  record: after as RecordedInference,
  position,
});
