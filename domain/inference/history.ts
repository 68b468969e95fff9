import { periodOf } from '../maths/forecasting/period.js';
import { Rejected } from '../rejected.js';
import { filled } from './fill.js';
import type { Fill, InferenceSeries, Warning } from './forecasting.js';

/** One value says nothing of how far the next may be. */
export const LEAST_KNOWN = 2;
/** From so many missing values on a forecast stands on guesses. */
const MANY_MISSING = 0.25;
/** Fewer known values than this many periods show the season once or twice. */
const FEW_PERIODS = 2;
/** Without a season: fewer are few. */
const FEW_VALUES = 16;

/** What a model is given of a series, and what is known about that. */
export type History = {
  readonly values: Float64Array;
  readonly period: number;
  readonly filled: number;
  readonly warnings: readonly Warning[];
};

/**
 * The newest `lookback` values of a series with its gaps filled, and its period.
 * @throws Rejected 422 insufficient_history `{needed, got}` with fewer than 2 known values
 */
export function historyOf(
  { id, values, step, period: named }: InferenceSeries,
  { lookback, fill }: { readonly lookback: number; readonly fill: Fill },
): History {
  const newest = values.subarray(-lookback);
  let known = 0;
  for (let i = 0; i < newest.length; i++) if (!Number.isNaN(newest[i]!)) known++;
  if (known < LEAST_KNOWN) throw insufficient(id, known);
  const period = named ?? periodOf(newest, step);
  const made = filled(newest, fill, period);
  return { values: made.values, period, filled: made.filled, warnings: warningsOf(newest, known, period) };
}

export const insufficient = (id: string, got: number, needed = LEAST_KNOWN): Rejected =>
  new Rejected(
    'unprocessable',
    'insufficient_history',
    `${id} has ${got} known ${got === 1 ? 'value' : 'values'}, and at least ${needed} are needed`,
    { id, needed, got },
  );

function warningsOf(values: Float64Array, known: number, period: number): Warning[] {
  const begun = values.length - values.findIndex(value => !Number.isNaN(value));
  const few = period > 1 ? FEW_PERIODS * period : FEW_VALUES;
  return [
    ...(known < few
      ? [
          {
            code: 'short_history',
            message: `${known} known values are few; from ${few} on bands can be trusted`,
          },
        ]
      : []),
    ...(1 - known / begun > MANY_MISSING
      ? [{ code: 'many_gaps', message: `${begun - known} of ${begun} values are missing` }]
      : []),
    ...(isConstant(values) ? [{ code: 'constant', message: 'All known values are the same' }] : []),
  ];
}

function isConstant(values: Float64Array): boolean {
  const first = values.find(value => !Number.isNaN(value));
  return values.every(value => Number.isNaN(value) || value === first);
}
