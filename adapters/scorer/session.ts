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
  executionProviders: ['cpu'], executionMode: 'sequential', intraOpNumThreads: 1, interOpNumThreads: 1,
  graphOptimizationLevel: 'all',
};

export const createModel = async (files: ModelFiles): Promise<Model> => {
  const session = await InferenceSession.create(files.model, SESSION_OPTIONS);
  const wordIds = idsOf(files.words);
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

/** Text -> inputs. */
export const createEncoder = (files: ModelFiles, wordIds = idsOf(files.words)) => {
  const tokenizer = createTokenizer(files.vocabulary), lexicon = createLexicon(files.lexicon);
  return (text: string, lowerCase: boolean): Encoded =>
    ({ tokens: tokenizer(text, lowerCase), words: knownWords(text, wordIds), lexicon: lexicon(text) });
};

const idsOf = (words: readonly string[]): Map<string, number> => new Map(words.map((word, id) => [word, id]));

/** A text without a known word gets the vector after the last one, which is zero. */
const knownWords = (text: string, wordIds: ReadonlyMap<string, number>): Tokens => {
  const ids: number[] = [], spans: Span[] = [];
  for (const { 0: word, index } of text.matchAll(WORD)) {
    const id = wordIds.get(word.toLowerCase());
    if (id === undefined) continue;
    ids.push(id);
    spans.push([index, index + word.length]);
  }
  return ids.length ? { ids, spans } : { ids: [wordIds.size], spans: [[0, text.length]] };
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
