import { InferenceSession, Tensor } from 'onnxruntime-node';
import { importanceOf, type TextFeatures } from '../../domain/events/score-formulas.js';
import { SESSION_OPTIONS } from '../onnx.js';
import type { ModelFiles } from './files.js';
import { createTokenizer, type Tokens } from './tokens.js';
import type { TextSpan } from './words.js';

/** How far something moved [polarity, importance]. */
export type Effect = { span: TextSpan; polarity: number; importance: number };
/**
 * `topic`: direction of what the text is about, length 1. `course`: what it says about how things go, and
 * `quantity`: what it is as the name of a quantity; see `riseOf`.
 */
export type SentenceReading = Pick<TextFeatures, 'probabilities' | 'importance'> & {
  topic: Float32Array;
  course: Float32Array;
  quantity: Float32Array;
  effects: Effect[];
};

/** `tokens`: of a text, without reading it. */
export type Model = {
  version: string;
  tokens(text: string): Tokens;
  read(text: string, lowerCase: boolean): Promise<SentenceReading>;
  close(): Promise<void>;
};

export const createModel = async (files: ModelFiles): Promise<Model> => {
  const session = await InferenceSession.create(files.model, SESSION_OPTIONS);
  const tokenizer = createTokenizer(files.vocabulary);
  return {
    version: files.version,
    tokens: text => tokenizer(text, false),
    async read(text, lowerCase) {
      const tokens = tokenizer(text, lowerCase);
      return readingOf(tokens, await session.run(feedsOf(tokens)));
    },
    close: () => session.release(),
  };
};

export const feedsOf = ({ ids }: Tokens): InferenceSession.FeedsType => ({
  tokens: new Tensor('int64', BigInt64Array.from(ids, BigInt), [ids.length]),
});

const readingOf = ({ spans }: Tokens, outputs: InferenceSession.ReturnType): SentenceReading => {
  const numbers = (name: string): Float32Array => outputs[name]?.data as Float32Array;
  const [negative = 0, neutral = 0, positive = 0] = numbers('probabilities');
  return {
    probabilities: [negative, neutral, positive],
    importance: importanceOf(numbers('importance')[0] ?? 0),
    topic: numbers('topic'),
    course: numbers('course'),
    quantity: numbers('quantity'),
    effects: effectsOf(spans, numbers('token_effects')),
  };
};

/** The marks of start and end belong to no word. */
const effectsOf = (spans: readonly TextSpan[], values: Float32Array): Effect[] =>
  spans
    .map((span, i) => ({ span, polarity: values[2 * i] ?? 0, importance: values[2 * i + 1] ?? 0 }))
    .slice(1, -1);
