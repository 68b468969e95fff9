import { pearson, ranked, scratchFor, spearman } from '../domain/maths/statistics/correlation.js';
import type { Labelled, Sign } from './scorer-set.js';

/**
 * What a scorer says of a text; importance (0..1), rank (0..100) and the signs of the text's targets where it
 * has them.
 */
export type Judgement = {
  readonly sentiment: Sign;
  readonly importance?: number;
  readonly rank?: number;
  readonly signs?: readonly Sign[];
};
type Truth = Pick<Labelled, 'sentiment' | 'importance' | 'lang' | 'tags' | 'targets'>;

/**
 * `right`: share of texts with the right one of three sentiments, in each group. NaN: it does not say, or
 * there are no texts.
 */
export type Quality = {
  readonly right: Readonly<Record<Group, number>>;
  readonly importanceR: number;
  readonly rankRho: number;
  readonly signs: number;
};

const english = ({ lang }: Truth): boolean => lang === 'en';
const reversal = ({ tags }: Truth): boolean => tags.includes('reversal');
export const GROUPS = {
  all: () => true,
  English: english,
  reversals: reversal,
  'English reversals': row => english(row) && reversal(row),
} satisfies Record<string, (row: Truth) => boolean>;
export type Group = keyof typeof GROUPS;
export const groups = Object.keys(GROUPS) as Group[];

/** `judgements[i]` is about `rows[i]`. */
export function qualityOf(rows: readonly Truth[], judgements: readonly Judgement[]): Quality {
  const right = groups.map(
    group =>
      [
        group,
        shareOf(
          rows.flatMap((row, i) => (GROUPS[group](row) ? [judgements[i]!.sentiment === row.sentiment] : [])),
        ),
      ] as const,
  );
  const labels = numbers(rows.map(({ importance }) => importance));
  const importance = numbers(judgements.map(({ importance }) => importance));
  const rank = numbers(judgements.map(({ rank }) => rank));
  return {
    right: Object.fromEntries(right) as Record<Group, number>,
    importanceR: pearson(importance, labels, 0, scratchFor(labels.length)).r,
    rankRho: spearman(ranked(rank), ranked(labels), 0, scratchFor(labels.length)).r,
    signs: shareOf(
      rows.flatMap(
        ({ targets }, i) => judgements[i]!.signs?.map((sign, k) => sign === targets[k]?.sign) ?? [],
      ),
    ),
  };
}

const shareOf = (right: readonly boolean[]): number => right.filter(Boolean).length / right.length;
const numbers = (values: readonly (number | undefined)[]): Float64Array =>
  Float64Array.from(values, value => value ?? NaN);
