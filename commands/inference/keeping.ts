import { inferences, type KeepInferencePart } from '../../domain/inference/decider.js';
import type {
  InferenceCompleted,
  InferenceFact,
  InferenceRequested,
  Kept,
} from '../../domain/inference/facts.js';
import type { InferenceState } from '../../domain/inference/state.js';
import type { Context, Handle, KnownState, Outcome } from '../engine/handle.js';

/** What is said of a request; `body` as it was sent, `bytes` about how long its JSON is. */
export type Asked = Omit<InferenceRequested['data'], 'request' | 'queued'> & {
  readonly body: unknown;
  readonly bytes: number;
};
/** What was made of it; `numbers`: how many there are in the answer. */
export type Made = Omit<InferenceCompleted['data'], 'inferenceId' | 'answer'> & {
  readonly answer: unknown;
  readonly numbers: number;
};
/** How an inference's journal stands. */
export type Known = KnownState<InferenceState>;
type InferencePart = KeepInferencePart['data'];

/** JSON of so many bytes goes into a fact as it is: request and answer together are one append. */
const SMALL = 300_000;
/** So many bytes of JSON tell what was read of one signal of many, whose key has at most 200 letters. */
const LONGEST_READ = 900;
/** A body may become so much longer where its numbers are written out. */
const LONGER = 6;
/** So many UTF-16 units of JSON text are at most three times as many bytes: below the 1 MiB of a fact. */
const PART = 300_000;
/** A number has at most so many bytes in JSON. */
const LONGEST_NUMBER = 25;
/** Of few numbers of few series, names and labels included, no JSON is made to see how long it is. */
const FEW = { numbers: 2_000, series: 20 };

/** Less where many signals were read: what tells of them stands beside, in the same append. */
const smallBeside = (read: Made['read']): number => Math.max(0, SMALL - (read.length * LONGEST_READ) / 2);

/** A value that may be too large for one fact; `bytes`: of its JSON, at most; `small`: so many are not. */
type Keeping = { readonly value: unknown; readonly bytes: number; readonly small: number };

/** What was asked, to be kept beside what tells of the signals that were read. */
export const requestOf = ({ body, bytes }: Asked, read: Made['read']): Keeping => ({
  value: body,
  bytes: bytes * LONGER,
  small: smallBeside(read),
});
/** What was answered, to be kept there too. */
export function answerOf({ answer, numbers, series, read }: Made): Keeping {
  const isFew = numbers <= FEW.numbers && series <= FEW.series;
  return {
    value: answer,
    bytes: isFew ? numbers * LONGEST_NUMBER : Number.POSITIVE_INFINITY,
    small: smallBeside(read),
  };
}

/** Facts that hold a large value in parts, and how many; a small value goes where it belongs. */
export const keeping =
  (handle: Handle) =>
  async (
    of: Pick<InferencePart, 'workspace' | 'inferenceId' | 'of'>,
    { value, bytes, small }: Keeping,
    context: Context,
    known: Known | undefined,
  ): Promise<{ readonly kept: Kept; readonly known: Known | undefined }> => {
    if (bytes <= small) return { kept: { value }, known };
    const text = JSON.stringify(value);
    if (Buffer.byteLength(text) <= small) return { kept: { value }, known };
    const parts = Math.ceil(text.length / PART);
    let stands = known;
    for (let part = 0; part < parts; part++) {
      const data = { ...of, part, text: text.slice(part * PART, (part + 1) * PART) };
      stands = goingOn(await handle(inferences, { type: 'KeepInferencePart', data }, context, stands));
    }
    return { kept: { parts }, known: stands };
  };

export const goingOn = ({ after, revision, position }: Outcome<InferenceFact, InferenceState>): Known => ({
  state: after,
  revision,
  position,
});
