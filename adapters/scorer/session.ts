import { InferenceSession, Tensor } from 'onnxruntime-node';
import { importanceOf, type Reading } from '../../domain/scoring.js';
import type { ModelFiles } from './files.js';
import { createLexicon, LEXICON_FEATURES, type LexiconReading } from './lexicon.js';
import { createTokenizer, type Span, type Tokens } from './tokens.js';

const WORD = /[A-Za-z]+|[0-9]+/g;

/** One sentence as the graph takes it in, with the places in the text its parts come from. */
export type Encoded = { tokens: Tokens; words: Tokens; lexicon: LexiconReading };
/** How far something moved [polarity, importance]. */
export type Effect = { span: Span; polarity: number; importance: number };
export type SentenceReading = Pick<Reading, 'probabilities' | 'importance'> & { topic: Float32Array; effects: Effect[] };

/** `knows`: has a vector for the (lower-case) word. */
export type Model = {
  version: string;
  knows(word: string): boolean;
  read(text: string, lowerCase: boolean): Promise<SentenceReading>;
  close(): Promise<void>;
};

/** One text at a time on one thread with fixed settings: the same sums in the same order, the same bits every time. */
export const SESSION_OPTIONS: InferenceSession.SessionOptions = {
  executionProviders: ['cpu'], executionMode: 'sequential', intraOpNumThreads: 1, interOpNumThreads: 1, graphOptimizationLevel: 'all',
};

export const createModel = async (files: ModelFiles): Promise<Model> => {
  const session = await InferenceSession.create(files.model, SESSION_OPTIONS);
  const wordIds = new Map(files.words.map((word, id) => [word, id]));
  const encode = createEncoder(files, wordIds);
  return {
    version: files.version,
    knows: word => wordIds.has(word),
    async read(text, lowerCase) {
      const encoded = encode(text, lowerCase);
      return readingOf(encoded, await session.run(feedsOf(encoded)));
    },
    close: () => session.release(),
  };
};

/** Text -> inputs. A text without a known word gets the vector after the last one, which is zero. */
export const createEncoder = (files: ModelFiles, wordIds = new Map(files.words.map((word, id) => [word, id]))) => {
  const tokenizer = createTokenizer(files.vocabulary), lexicon = createLexicon(files.lexicon);
  const words = (text: string): Tokens => {
    const found = [...text.matchAll(WORD)].flatMap(({ 0: word, index }) => {
      const id = wordIds.get(word.toLowerCase());
      return id === undefined ? [] : [{ id, span: [index, index + word.length] as Span }];
    });
    return found.length ? { ids: found.map(w => w.id), spans: found.map(w => w.span) } : { ids: [wordIds.size], spans: [[0, text.length]] };
  };
  return (text: string, lowerCase: boolean): Encoded => ({ tokens: tokenizer(text, lowerCase), words: words(text), lexicon: lexicon(text) });
};

export const feedsOf = ({ tokens, words, lexicon }: Encoded): InferenceSession.FeedsType => {
  const ids = (list: number[]): Tensor => new Tensor('int64', BigInt64Array.from(list, BigInt), [list.length]);
  return { tokens: ids(tokens.ids), words: ids(words.ids), lexicon: new Tensor('float32', lexicon.features, [LEXICON_FEATURES]) };
};

const readingOf = ({ tokens, words, lexicon }: Encoded, outputs: InferenceSession.ReturnType): SentenceReading => {
  const numbers = (name: string): Float32Array => outputs[name]?.data as Float32Array;
  const [negative = 0, neutral = 0, positive = 0] = numbers('probabilities');
  const effects = [
    ...effectsOf(tokens.spans, numbers('token_effects')),
    ...effectsOf(words.spans, numbers('word_effects')),
    ...lexiconEffects(lexicon, numbers('lexicon_effects')),
  ];
  return {
    probabilities: [negative, neutral, positive], importance: importanceOf(numbers('importance')[0] ?? 0),
    topic: numbers('topic'), effects,
  };
};

const effectsOf = (spans: readonly Span[], values: Float32Array): Effect[] =>
  spans.map((span, i) => ({ span, polarity: values[2 * i] ?? 0, importance: values[2 * i + 1] ?? 0 }));

const lexiconEffects = ({ terms }: LexiconReading, values: Float32Array): Effect[] =>
  terms.map(({ span, shares }) => {
    const of = (head: 0 | 1): number => shares.reduce((sum, share, k) => sum + share * (values[2 * k + head] ?? 0), 0);
    return { span, polarity: of(0), importance: of(1) };
  });
