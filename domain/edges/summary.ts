import { ACTING, type EdgeStatus } from '../goals/ports.js';
import { quantile } from '../maths/series/quantile.js';

/** What a source does to goals, as lists of streams and signals show it. */
export type SourceSummary = {
  /** Goals with an edge from it that acts. */
  readonly goals_affected: number;
  /** The best lift of those edges; 0 without any. */
  readonly max_lift: number;
  /** Median of theirs, whole seconds; 0 where none has one. */
  readonly half_life_s: number;
  /** How many weaken. */
  readonly weakening: number;
};

type Edge = {
  readonly goal_id: string;
  readonly status: EdgeStatus;
  readonly lift: number | null;
  readonly half_life_s: number | null;
};

/** Of the edges from one source. */
export function summaryOf(edges: readonly Edge[]): SourceSummary {
  const acting = edges.filter(({ status }) => ACTING.includes(status));
  const lifts = acting.flatMap(({ lift }) => lift ?? []);
  const lives = acting.flatMap(({ half_life_s }) => half_life_s ?? []).sort((a, b) => a - b);
  return {
    goals_affected: new Set(acting.map(({ goal_id }) => goal_id)).size,
    max_lift: Math.max(0, ...lifts),
    half_life_s: lives.length === 0 ? 0 : Math.round(quantile(lives, 0.5)),
    weakening: acting.filter(({ status }) => status === 'weakening').length,
  };
}
