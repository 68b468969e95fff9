import { faulty } from './faults.js';
import type { Fill } from './forecasting.js';
import type { GivenSeries } from './given.js';
import { parseTime } from '../time.js';

/** Whose model answers, on which series: what every task is asked with. */
export type SeriesRequest = {
  readonly promotion_id?: string | undefined;
  readonly goal_id?: string | undefined;
  readonly pipeline_id?: string | undefined;
  readonly key?: string | undefined;
  readonly series?: readonly GivenSeries[] | undefined;
  readonly as_of?: string | undefined;
  readonly fill?: Fill | undefined;
  readonly period?: number | undefined;
  readonly seed?: number | undefined;
  readonly async?: boolean | undefined;
  /** The most that the caller is ready to pay. */
  readonly max_credits?: number | undefined;
};
/** A request of any task, checked by the schema of its body; each task looks at what is its own. */
export type InferenceRequest = SeriesRequest & {
  readonly horizon?: number | undefined;
  /** Covariates by name: of the steps of the history, and of those ahead. */
  readonly past?: Readonly<Record<string, readonly number[]>> | undefined;
  readonly future?: Readonly<Record<string, readonly number[]>> | undefined;
  readonly quantiles?: readonly number[] | undefined;
  readonly explain?: boolean | undefined;
  /** Of a goal: whether events that lie ahead move it; so they do when absent. */
  readonly scheduled_events?: boolean | undefined;
  /** Of anomalies: percent of regular values inside the band, and how many of the newest are judged. */
  readonly level?: number | undefined;
  readonly window?: number | undefined;
  /** Of backtests: how many moments of the past, and steps from one to the next. */
  readonly windows?: number | undefined;
  readonly step?: number | undefined;
  /** Of classifying: series whose label is known. */
  readonly examples?: readonly LabelledSeries[] | undefined;
};
export type LabelledSeries = { readonly label: string; readonly values: readonly (number | null)[] };

/** Where a request does not say. */
export const DEFAULT_LEVELS: readonly number[] = [0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95];

/** The levels that are wanted, ascending, each once. */
export const levelsOf = (given: readonly number[] | undefined): readonly number[] =>
  given ? [...new Set(given)].sort((a, b) => a - b) : DEFAULT_LEVELS;

/** Names that look like `as_of` misspelt: taking today's values without a word would be the worst answer. */
const MISSPELT_AS_OF = ['asof', 'as-of', 'asOf', 'vintage', 'vintage_date'];

/**
 * What a schema does not tell of a request: one model, one kind of series, `as_of` spelt right.
 * @throws Rejected 422 that names the field
 */
export function checkRequest(request: SeriesRequest): void {
  for (const name of MISSPELT_AS_OF)
    if (Object.hasOwn(request, name)) throw faulty([name], 'misspelt', 'is not known; as_of is the name');
  const { promotion_id, goal_id, pipeline_id, key, series } = request;
  if (promotion_id === undefined && goal_id === undefined && pipeline_id === undefined)
    throw faulty(['promotion_id'], 'missing', 'is required, or goal_id, or pipeline_id');
  if (goal_id !== undefined && (promotion_id !== undefined || pipeline_id !== undefined))
    throw faulty(['goal_id'], 'not_both', 'cannot stand beside promotion_id or pipeline_id');
  if (key === undefined && series === undefined && goal_id === undefined)
    throw faulty(['series'], 'missing', 'is required, or the key of a signal');
  if (key !== undefined && series !== undefined)
    throw faulty(['series'], 'not_both', 'cannot stand beside key');
  if (series !== undefined && request.as_of !== undefined)
    throw faulty(['as_of'], 'not_both', 'goes with key: what is in the request has no past states');
}

/**
 * What is asked of a request that comes in, besides. Those that were taken before this was asked are done: a
 * pipeline counts before a promotion.
 * @throws Rejected 422 that names the field
 */
export function checkIncoming({ promotion_id, pipeline_id }: SeriesRequest): void {
  if (promotion_id !== undefined && pipeline_id !== undefined)
    throw faulty(['pipeline_id'], 'not_both', 'cannot stand beside promotion_id');
}

/** The moment of `as_of`, epoch ms; null where a request has none. @throws Rejected 422 */
export function asOfIn({ as_of: given }: SeriesRequest, now: number): number | null {
  if (given === undefined) return null;
  const at = parseTime(given);
  if (at === null) throw faulty(['as_of'], 'time', 'must be an ISO 8601 time');
  if (at > now) throw faulty(['as_of'], 'time', 'must not lie in the future');
  return at;
}
