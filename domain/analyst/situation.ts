import { factAt, type Source, type StoredFact } from './fact.js';

/** What is stored of a goal at a time, each thing as the API shows it. */
export type Situation = {
  readonly goal: Source;
  /** The newest two forecasts; null: there is none (yet). */
  readonly latest: Source | null;
  readonly previous: Source | null;
  /** Edges that act, the greatest lift first. */
  readonly edges: readonly Source[];
  /** Edges that do not. */
  readonly idle: readonly Source[];
  /** Discoveries that are over, the newest first; none where no source can be asked for. */
  readonly tests: readonly Source[];
  /** The target; null: it is not there. */
  readonly target: Source | null;
  /** The newest one that is over. */
  readonly tournament: Source | null;
};

/** A thing that can be asked for its facts; of nothing there are none. */
export type Ask = (field: string) => StoredFact | null;
export const of =
  (source: Source | null): Ask =>
  field =>
    source && factAt(source, field);

/** How many entries a list has. */
export function countAt(source: Source | null, field: string): number {
  const at = (source?.shown as Record<string, unknown> | null | undefined)?.[field];
  return Array.isArray(at) ? at.length : 0;
}

export const textAt = (source: Source | null, field: string): string | null => {
  const value = of(source)(field)?.value;
  return typeof value === 'string' ? value : null;
};

/** Whether a number is there, and more than that. */
export const isAbove = (fact: StoredFact | null, least: number): boolean =>
  typeof fact?.value === 'number' && fact.value > least;

/** Of fewer graded steps little can be said of how good forecasts are. */
export const ENOUGH_STEPS = 30;
export const isEnough = (goal: Source): boolean =>
  isAbove(of(goal)('accuracy.graded_steps'), ENOUGH_STEPS - 1);

/** A part of a thing, as a thing to count in. */
export const within = (source: Source, member: string): Source => ({
  ...source,
  shown: (source.shown as Record<string, unknown>)[member],
});

/** Whole numbers from 0. */
export const upTo = (count: number, most = Infinity): number[] =>
  Array.from({ length: Math.min(count, most) }, (_, i) => i);
