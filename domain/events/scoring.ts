export type Sentiment = 'negative' | 'neutral' | 'positive';

/**
 * polarity and impact in -1..1, importance and relevance in 0..1, all at 4 decimals; rank an integer in
 * 0..100.
 */
export type Scores = {
  readonly sentiment: Sentiment;
  readonly polarity: number;
  readonly importance: number;
  readonly relevance: number;
  readonly impact: number;
  readonly rank: number;
  /**
   * How much of the text was new in its stream, 0..1 (`domain/events/novelty.ts`). No scorer knows it, no
   * other score depends on it; absent with numeric content, and in facts older than it.
   */
  readonly novelty?: number;
};

/**
 * The version of a scorer as other workspaces may see it: it names the workspace's own words by a part of
 * their hash, which would betray them to whoever guesses well. They are nobody else's.
 */
export const withoutWords = (version: string): string => version.replace(/\.[0-9a-f]{8}(?=\+|$)/, '');

/**
 * Why: `weight` is how far `feature` moved the polarity or importance it names; `span` are UTF-16 offsets in
 * the text.
 */
export type ScoreReason = {
  readonly feature: string;
  readonly weight: number;
  readonly span: [number, number];
};

/**
 * What a workspace is about: `description` and `phrases` in its own words (domain terms), `names` of what it
 * has: streams, signals, goals. These can say little ("kpi_7"), and so only ever raise a relevance.
 * `targets`: the quantities it forecasts ("oil price"), names as well; where a text clearly says which way
 * one goes, that is the sign of its impact.
 */
export type Profile = {
  readonly version: string;
  readonly description: string;
  readonly phrases: readonly string[];
  readonly names?: readonly string[];
  readonly targets?: readonly string[];
};

/** Whether it says nothing: scores are then those of the text alone. */
export const isBlank = ({ description, phrases, names = [], targets = [] }: Profile): boolean =>
  description === '' && phrases.length + names.length + targets.length === 0;

export type ScoringInput = {
  readonly text: string;
  readonly value: number | null;
  readonly dataType: string;
  readonly profile: Profile;
};
export type Scoring = { readonly scores: Scores; readonly reasons: ScoreReason[]; readonly version: string };

/**
 * Same input and same version give the same answer to the bit on one machine; scorings may run side by side.
 */
export type Scorer = {
  readonly version: string;
  score(input: ScoringInput): Promise<Scoring>;
  close(): Promise<void>;
};
