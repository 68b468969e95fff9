import { standardised } from '../statistics/series.js';
import type { Candidate, Relevance, RelevanceCode, RelevanceInput, RelevanceRow } from './answer.js';
import { planFor } from './baseline.js';
import { blocksOf, canLearn } from './blocks.js';
import { liftOf, mean } from './lift.js';
import { rowsOf } from './rows.js';
import { strongestTerm } from './selection.js';

/** Fewer steps with both the target and a key say nothing. */
export const LEAST_ROWS = 40;
/** Of longer series the newest steps count: the far past tells less, and time is bounded. */
export const MOST_ROWS = 2_000;

/**
 * Ranks keys by how much they help to forecast a target `horizon` steps ahead, out of sample, beyond what the
 * target's own past and season tell. A key without 40 steps in common with the target is left out, with a
 * warning.
 */
export function analyseRelevance(input: RelevanceInput): Relevance {
  const target = input.target.slice(-MOST_ROWS);
  const y = standardised(target)?.values ?? null;
  const error = baselineError(input, target, y);
  const found = input.candidates.map(candidate => ({
    key: candidate.key,
    ...findingOf(input, candidate, target, y),
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
  const enough = error !== null && (rows.length > 0 || !input.candidates.length);
  return {
    rows: enough ? rows : [],
    baseline_error: error,
    warnings:
      error === null ? [] : [...ofTarget(input, target, y), ...keyed.filter(({ keys }) => keys.length)],
    error: enough ? null : 'insufficient_data',
  };
}

/** null: the target is too short. */
function baselineError(
  { horizon, season }: RelevanceInput,
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
  { horizon, season }: RelevanceInput,
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
  input: RelevanceInput,
  { key, type, values }: Candidate,
  target: Float64Array,
  y: Float64Array | null,
): Finding {
  const { step, horizon, season } = input;
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
  const best = term && { lag_s: Math.round((term.lag * step) / 1000), method: term.form };
  return { constant: false, row: { ...nothing, relevance: 1 - (1 - shrunk) ** 2, lift, stable, ...best } };
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
