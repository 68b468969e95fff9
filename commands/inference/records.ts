import {
  inferenceJournalId,
  inferenceNotFound,
  inferences,
  isInferenceId,
  type InferenceCommand,
} from '../../domain/inference/decider.js';
import type {
  ForecastGraded,
  InferenceCompleted,
  InferenceFact,
  InferenceFailed,
  InferenceRequested,
  Kept,
} from '../../domain/inference/facts.js';
import type { InferenceState, RecordedInference } from '../../domain/inference/state.js';
import {
  unwritten,
  type Context,
  type Handle,
  type KnownState,
  type Load,
  type Outcome,
} from '../engine/handle.js';
import { newId } from '../engine/ids.js';

/** What is said of a request; `body` as it was sent, `bytes` about how long its JSON is. */
export type Asked = Omit<InferenceRequested['data'], 'inferenceId' | 'request' | 'queued'> & {
  readonly body: unknown;
  readonly bytes: number;
};
/** What was made of it; `numbers`: how many there are in the answer. */
export type Made = Omit<InferenceCompleted['data'], 'inferenceId' | 'answer'> & {
  readonly answer: unknown;
  readonly numbers: number;
};
export type Recorded = {
  readonly inferenceId: string;
  readonly record: RecordedInference;
  readonly position: number | null;
};
export type InferenceRecords = ReturnType<typeof inferenceRecords>;

type Known = KnownState<InferenceState>;

/** JSON of so many bytes goes into a fact as it is: request and answer together are one append. */
const SMALL = 300_000;
/** So many UTF-16 units of JSON text are at most three times as many bytes: below the 1 MiB of a fact. */
const PART = 300_000;
/** A number has at most so many bytes in JSON. */
const LONGEST_NUMBER = 25;
/** Of few numbers of few series, names and labels included, no JSON is made to see how long it is. */
const FEW = { numbers: 2_000, series: 20 };

const sizeOf = ({ answer, numbers, series }: Made): number =>
  numbers <= FEW.numbers && series <= FEW.series
    ? numbers * LONGEST_NUMBER
    : Buffer.byteLength(JSON.stringify(answer));

/** What is written of inferences, each in a journal of its own. */
export function inferenceRecords(handle: Handle, load: Load) {
  /** Facts that hold a large value in parts, and how many; a small value goes where it belongs. */
  async function keep(
    workspace: string,
    inferenceId: string,
    of: 'request' | 'answer',
    { value, size }: { readonly value: unknown; readonly size: number },
    context: Context,
    known: Known | undefined,
  ): Promise<{ readonly kept: Kept; readonly known: Known | undefined }> {
    if (size <= SMALL) return { kept: { value }, known };
    const text = JSON.stringify(value);
    const parts = Math.ceil(text.length / PART);
    let stands = known;
    for (let part = 0; part < parts; part++) {
      const data = { workspace, inferenceId, of, part, text: text.slice(part * PART, (part + 1) * PART) };
      stands = goingOn(await handle(inferences, { type: 'KeepInferencePart', data }, context, stands));
    }
    return { kept: { parts }, known: stands };
  }

  const act = async (
    type: 'StartInference' | 'CancelInference',
    workspace: string,
    inferenceId: string,
    context: Context,
  ): Promise<Recorded> =>
    recorded(inferenceId, await handle(inferences, { type, data: { workspace, inferenceId } }, context));

  return {
    /** Keeps what was asked and answered at once: mostly one append. */
    async record(workspace: string, asked: Asked, made: Made, context: Context): Promise<Recorded> {
      const inferenceId = newId('inf_');
      const { body, bytes, ...about } = asked;
      const { answer, numbers, ...told } = made;
      const request = await keep(
        workspace,
        inferenceId,
        'request',
        { value: body, size: bytes },
        context,
        unwritten(inferences),
      );
      const answered = await keep(
        workspace,
        inferenceId,
        'answer',
        { value: answer, size: sizeOf(made) },
        context,
        request.known,
      );
      const command: InferenceCommand = {
        type: 'RecordInference',
        data: {
          workspace,
          inferenceId,
          requested: { inferenceId, ...about, request: request.kept, queued: false },
          completed: { inferenceId, ...told, answer: answered.kept },
        },
      };
      return recorded(inferenceId, await handle(inferences, command, context, answered.known));
    },

    /** Asks for work that is done later. */
    async queue(workspace: string, asked: Asked, context: Context): Promise<Recorded> {
      const inferenceId = newId('inf_');
      const { body, bytes, ...about } = asked;
      const { kept, known } = await keep(
        workspace,
        inferenceId,
        'request',
        { value: body, size: bytes },
        context,
        unwritten(inferences),
      );
      const data = { workspace, inferenceId, ...about, request: kept, queued: true };
      return recorded(
        inferenceId,
        await handle(inferences, { type: 'QueueInference', data }, context, known),
      );
    },

    start: (workspace: string, inferenceId: string, context: Context) =>
      act('StartInference', workspace, inferenceId, context),

    async complete(workspace: string, inferenceId: string, made: Made, context: Context): Promise<Recorded> {
      const { answer, numbers, ...told } = made;
      const value = { value: answer, size: sizeOf(made) };
      const { kept } = await keep(workspace, inferenceId, 'answer', value, context, undefined);
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

    grade: (workspace: string, graded: ForecastGraded['data'], context: Context) =>
      handle(inferences, { type: 'GradeForecast', data: { workspace, ...graded } }, context),

    /** All that is known of an inference, as its facts tell it. @throws Rejected 404 */
    async read(workspace: string, inferenceId: string): Promise<RecordedInference> {
      if (!isInferenceId(inferenceId)) throw inferenceNotFound(inferenceId);
      const state = await load(inferences, inferenceJournalId(workspace, inferenceId));
      if (state.status === 'none') throw inferenceNotFound(inferenceId);
      return state;
    },
  };
}

const recorded = (
  inferenceId: string,
  { after, position }: Outcome<InferenceFact, InferenceState>,
): Recorded => ({
  inferenceId,
  record: after as RecordedInference,
  position,
});

const goingOn = ({ after, revision, position }: Outcome<InferenceFact, InferenceState>): Known => ({
  state: after,
  revision,
  position,
});
