import type { LexiconData } from './files.js';
import type { Span } from './tokens.js';

/** The features [14] of the lexicon head, and for every term of the text its share in each of them (adding up to 1). */
export type LexiconReading = { features: Float32Array; terms: { span: Span; shares: number[] }[] };
export type Lexicon = (text: string) => LexiconReading;

const TERM = /[A-Za-z]+(?:'[A-Za-z]+)?|[0-9]+(?:[.,][0-9]+)*%?/g;
const NEGATED = -0.74;
const REACH = 3;
export const LEXICON_FEATURES = 14;

/** What one term brings to sums over the text; every feature is a squashed sum of one of them. */
type Parts = {
  everyday: number; market: number; trend: number; harmful: number; percent: number; large: number; negation: number;
};

export const createLexicon = (data: LexiconData): Lexicon => {
  const everyday = new Map(Object.entries(data.everyday)), market = new Map(Object.entries(data.market));
  const [negations, rising, falling, harmful, large] =
    [data.negations, data.rising, data.falling, data.harmful, data.large].map(words => new Set(words)) as Cues;
  const negates = (term: string): boolean => negations.has(term) || term.endsWith("n't");
  const partsOf = (term: string, before: readonly string[]): Parts => {
    const sign = before.some(negates) ? NEGATED : 1;
    return {
      everyday: (everyday.get(term) ?? 0) * sign, market: (market.get(term) ?? 0) * sign,
      trend: Number(rising.has(term)) - Number(falling.has(term)), harmful: Number(harmful.has(term)),
      percent: term.endsWith('%') ? Number(term.slice(0, -1).replaceAll(',', '')) || 0 : 0,
      large: Number(large.has(term)), negation: Number(negations.has(term)),
    };
  };
  return text => {
    const found = [...text.matchAll(TERM)];
    const terms = found.map(match => match[0].toLowerCase());
    const parts = terms.map((term, i) => partsOf(term, terms.slice(Math.max(0, i - REACH), i)));
    const sums = sum(parts);
    return {
      features: Float32Array.from(featuresOf(sums, terms.length)),
      terms: found.map(({ 0: term, index }, i) =>
        ({ span: [index, index + term.length], shares: sharesOf(parts[i] as Parts, sums) })),
    };
  };
};

type Cues = [Set<string>, Set<string>, Set<string>, Set<string>, Set<string>];
type Sums = Parts & { good: number; bad: number; up: number; down: number };

const sum = (parts: readonly Parts[]): Sums => {
  const s: Sums = {
    everyday: 0, market: 0, trend: 0, harmful: 0, percent: 0, large: 0, negation: 0, good: 0, bad: 0, up: 0, down: 0,
  };
  for (const p of parts) {
    for (const key of ['everyday', 'market', 'trend', 'harmful', 'large', 'negation'] as const) s[key] += p[key];
    s.percent = Math.max(s.percent, p.percent);
    if (p.everyday > 0) s.good += p.everyday; else s.bad -= p.everyday;
    if (p.market > 0) s.up += p.market; else s.down -= p.market;
  }
  return s;
};

/** x on -1..1 */
const squash = (x: number, bend: number): number => x / Math.sqrt(x * x + bend);

/** In the order of the head's weights; the recipe's features.py computes the same. */
const featuresOf = (s: Sums, length: number): number[] => {
  const trend = Math.tanh(s.trend), percent = Math.log1p(s.percent) / 5;
  return [
    squash(s.everyday, 15), squash(s.market, 15),
    s.good / (s.good + 4), s.bad / (s.bad + 4), s.up / (s.up + 4), s.down / (s.down + 4),
    trend, s.harmful ? -trend : trend, Number(s.harmful > 0), percent, percent * trend,
    Number(s.large > 0), Number(s.negation > 0), Math.log1p(length) / 4,
  ];
};

/** A term's share in a squashed sum is its share in the sum; nobody has a share in the length of the text. */
const sharesOf = (p: Parts, s: Sums): number[] => {
  const share = (part: number, whole: number): number => whole === 0 ? 0 : part / whole;
  const trend = share(p.trend, s.trend);
  return [
    share(p.everyday, s.everyday), share(p.market, s.market),
    share(Math.max(p.everyday, 0), s.good), share(Math.max(-p.everyday, 0), s.bad),
    share(Math.max(p.market, 0), s.up), share(Math.max(-p.market, 0), s.down), trend, trend, share(p.harmful, s.harmful),
    Number(p.percent > 0 && p.percent === s.percent), trend, share(p.large, s.large), share(p.negation, s.negation), 0,
  ];
};
