import { standardised } from '../statistics/series.js';
import { baselineColumns, lagged, planFor, withoutSeason, type Plan } from './baseline.js';
import { blocksOf, canLearn, liftOf, mean, type Rows } from './lift.js';
import { strongestTerm, type Term } from './selection.js';

export type Candidate = {
  readonly key: string;
  readonly type: 'signal' | 'event';
  readonly values: Float64Array;
};

/**
 * Values on one grid (`align`), NaN where missing; `step` in ms, `horizon` (1 or more) and `season` in steps.
 */
export type Question = {
  readonly target: Float64Array;
  readonly candidates: readonly Candidate[];
  readonly step: number;
  readonly horizon: number;
  readonly season: number | null;
};

/** How much a key helps to forecast the target. */
export type RelevanceRow = {
  readonly key: string;
  readonly type: 'signal' | 'event';
  /** 1 - (1 - shrunk lift)^2: about the share of the squared error that the key takes away. */
  readonly relevance: number;
  /** The share by which the mean absolute out-of-sample error falls with the key; below 0 where it rises. */
  readonly lift: number;
  /**
   * How long before the target the key tells most, in seconds, and by what: its level or its change. null: by
   * nothing.
   */
  readonly lag_s: number | null;
  readonly method: Term['form'] | null;
  /** Whether the error falls in most blocks. */
  readonly stable: boolean;
  /** Steps with both the target and the key. */
  readonly n: number;
};

/**
 * A key never changes; the target does not (no keys); a key shares too few steps; the season is not used (no
 * keys).
 */
export type RelevanceCode = 'constant' | 'constant_target' | 'insufficient_overlap' | 'season_too_long';
export type Relevance = {
  readonly rows: readonly RelevanceRow[];
  /** Mean absolute out-of-sample error of the baseline, in the target's unit. */
  readonly baseline_error: number | null;
  readonly warnings: readonly { readonly code: RelevanceCode; readonly keys: readonly string[] }[];
  readonly error: null | 'insufficient_data';
};

/** Fewer steps with both the target and a key say nothing. */
export const LEAST_ROWS = 40;
/** Of longer series the newest steps count: the far past tells less, and time is bounded. */
export const MOST_ROWS = 2_000;

/**
 * Ranks keys by how much they help to forecast a target `horizon` steps ahead, out of sample, beyond what the
 * target's own past and season tell. A key without 40 steps in common with the target is left out, with a
 * warning.
 */
export function analyseRelevance(question: Question): Relevance {
  const target = question.target.slice(-MOST_ROWS);
  const y = standardised(target)?.values ?? null;
  const error = baselineError(question, target, y);
  const found = question.candidates.map(candidate => ({
    key: candidate.key,
    ...findingOf(question, candidate, target, y),
  }));
  const rows = found.flatMap(({ row }) => row ?? []).sort(byRelevance);
  const named = (code: RelevanceCode, has: (finding: Finding) => boolean) => ({
    code,
    keys: found.filter(has).map(({ key }) => key),
  });
  const keyed = [
    named('constant', ({ constant }) => constant),
    named('insufficient_overlap', ({ row }) => row === null),
  ];
  const enough = error !== null && (rows.length > 0 || !question.candidates.length);
  return {
    rows: enough ? rows : [],
    baseline_error: error,
    warnings:
      error === null ? [] : [...ofTarget(question, target, y), ...keyed.filter(({ keys }) => keys.length)],
    error: enough ? null : 'insufficient_data',
  };
}

/** null: the target is too short. */
function baselineError(
  { horizon, season }: Question,
  target: Float64Array,
  y: Float64Array | null,
): number | null {
  const known = count(target);
  if (known < LEAST_ROWS) return null;
  if (!y) return 0;
  const rows = rowsOf(y, null, planFor(known, horizon, season));
  if (!canLearn(rows, horizon)) return null;
  return mean(blocksOf(rows, horizon).flatMap(block => [...block.without])) * (range(target) / range(y));
}

function ofTarget(
  { horizon, season }: Question,
  target: Float64Array,
  y: Float64Array | null,
): Relevance['warnings'] {
  const unused = season !== null && planFor(count(target), horizon, season).season === null;
  return [
    ...(y ? [] : [{ code: 'constant_target' as const, keys: [] }]),
    ...(unused ? [{ code: 'season_too_long' as const, keys: [] }] : []),
  ];
}

type Finding = { readonly constant: boolean; readonly row: RelevanceRow | null };

function findingOf(
  question: Question,
  { key, type, values }: Candidate,
  target: Float64Array,
  y: Float64Array | null,
): Finding {
  const { step, horizon, season } = question;
  const own = values.slice(-MOST_ROWS);
  const x = standardised(own)?.values ?? null;
  const n = count(own.map((value, t) => value + target[t]!));
  const nothing = { key, type, relevance: 0, lift: 0, lag_s: null, method: null, stable: false, n };
  if (n < LEAST_ROWS) return { constant: false, row: null };
  if (!x || !y) return { constant: !x, row: nothing };
  const rows = rowsOf(y, x, planFor(n, horizon, season));
  if (!canLearn(rows, horizon)) return { constant: false, row: null };
  const { lift, shrunk, stable } = liftOf(blocksOf(rows, horizon), horizon);
  const term = strongestTerm(rows.base, rows.y, rows.lags, horizon, rows.y.length);
  const told = term && { lag_s: (term.lag * step) / 1000, method: term.form };
  return { constant: false, row: { ...nothing, relevance: 1 - (1 - shrunk) ** 2, lift, stable, ...told } };
}

/** The steps at which the target and all that is known before it are there. */
function rowsOf(y: Float64Array, x: Float64Array | null, plan: Plan): Rows {
  const base = baselineColumns(y, plan);
  const key = x && withoutSeason(x, plan);
  const lags = key ? Array.from({ length: plan.keyLags + 1 }, (_, k) => lagged(key, plan.horizon + k)) : [];
  const columns = [y, ...base, ...lags];
  const steps = Array.from(y.keys()).filter(t => columns.every(column => !Number.isNaN(column[t]!)));
  const only = (column: Float64Array): Float64Array => {
    const kept = new Float64Array(steps.length);
    for (let i = 0; i < kept.length; i++) kept[i] = column[steps[i]!]!;
    return kept;
  };
  return { steps, y: only(y), base: base.map(only), lags: lags.map(only) };
}

const count = (values: Float64Array): number =>
  values.reduce((n, value) => n + (Number.isNaN(value) ? 0 : 1), 0);

/** Half of it, so that it cannot overflow. */
function range(values: Float64Array): number {
  const present = values.filter(value => !Number.isNaN(value));
  return present.reduce((a, b) => Math.max(a, b)) / 2 - present.reduce((a, b) => Math.min(a, b)) / 2;
}

const byRelevance = (a: RelevanceRow, b: RelevanceRow): number =>
  b.relevance - a.relevance || b.lift - a.lift || (a.key < b.key ? -1 : 1);
