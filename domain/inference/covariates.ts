import { Rejected } from '../rejected.js';
import { faulty } from './faults.js';
import type { InferenceSeries, Warning } from './forecasting.js';

type Named = Readonly<Record<string, readonly number[]>>;

/**
 * The series with what is known of every step: names that are in `past` (a number for each value) and in
 * `future` (one for each of `horizon` steps ahead, or more). A name that has no future tells nothing of the
 * steps ahead, and one without a past cannot be learned from: both are left out, with a warning.
 * @throws Rejected 422 validation_error where a past has another length than the series, 422
 *   insufficient_future_covariates `{name, missing_steps}` where a future falls short of the horizon
 */
export function withCovariates(
  series: InferenceSeries,
  { past, future }: { readonly past: Named; readonly future: Named },
  horizon: number,
): { readonly series: InferenceSeries; readonly warnings: readonly Warning[] } {
  const count = series.values.length;
  const covariates: Record<string, Float64Array> = Object.create(null) as Record<string, Float64Array>;
  for (const [name, column] of Object.entries(past))
    if (column.length !== count) throw otherLength(name, column.length, series.id, count);
  for (const [name, ahead] of Object.entries(future)) {
    if (ahead.length < horizon) throw tooShort(name, ahead.length, horizon);
    const before = Object.hasOwn(past, name) ? past[name]! : null;
    if (before) covariates[name] = Float64Array.from([...before, ...ahead.slice(0, horizon)]);
  }
  const oneSided = [
    ...Object.keys(past).filter(name => !Object.hasOwn(future, name)),
    ...Object.keys(future).filter(name => !Object.hasOwn(past, name)),
  ];
  return { series: { ...series, covariates }, warnings: oneSided.map(name => unused(name, past)) };
}

/**
 * The series with what its model reads of every step: a number for each value in `past`, and for each step
 * ahead in `future`, as far as that goes: nothing is known of those behind it (see `mindFuture`).
 * @throws Rejected 422 covariates_required `{missing}` for names that are not given, 422 validation_error
 *   where a past has another length than the series
 */
export function withCovariatesRead(
  series: InferenceSeries,
  { past, future }: { readonly past: Named; readonly future: Named },
  { reads, horizon }: { readonly reads: readonly string[]; readonly horizon: number },
): { readonly series: InferenceSeries; readonly warnings: readonly Warning[] } {
  const count = series.values.length;
  const missing = reads.filter(name => !Object.hasOwn(past, name));
  if (missing.length > 0) throw required(missing);
  const columns = reads.map((name): [string, Float64Array] => {
    if (past[name]!.length !== count) throw otherLength(name, past[name]!.length, series.id, count);
    const column = new Float64Array(count + horizon).fill(NaN);
    column.set(past[name]!);
    if (Object.hasOwn(future, name)) column.set(future[name]!.slice(0, horizon), count);
    return [name, column];
  });
  const others = [...new Set([...Object.keys(past), ...Object.keys(future)])].filter(
    name => !reads.includes(name),
  );
  return {
    series: { ...series, covariates: Object.fromEntries(columns) },
    warnings: others.map(name => ({
      code: 'covariate_unused',
      message: `${name} is not among what the model was trained with: it was not used`,
    })),
  };
}

/**
 * What is asked of a future that a model reads: each of the steps ahead. A name without any is left out.
 * @throws Rejected 422 insufficient_future_covariates `{name, missing_steps}`
 */
export function mindFuture(future: Named, reads: readonly string[], horizon: number): void {
  for (const name of reads)
    if (Object.hasOwn(future, name) && future[name]!.length < horizon)
      throw tooShort(name, future[name]!.length, horizon);
}

const required = (missing: readonly string[]): Rejected =>
  new Rejected(
    'unprocessable',
    'covariates_required',
    `The model reads ${missing.join(', ')}: give a number for each step of the history in past, `
      + 'and in future what is known of the steps ahead',
    { missing },
  );

const unused = (name: string, past: Named): Warning => ({
  code: 'covariate_unused',
  message: Object.hasOwn(past, name)
    ? `${name} is known of the past alone, and says nothing of the steps ahead: it was not used`
    : `${name} is known of the steps ahead alone, and nothing can be learned of it: it was not used`,
});

const otherLength = (name: string, got: number, id: string, needed: number): Rejected =>
  faulty(
    ['past', name],
    'length',
    `has ${got} values, and ${id} has ${needed} steps: one is needed for each`,
  );

const tooShort = (name: string, got: number, horizon: number): Rejected =>
  new Rejected(
    'unprocessable',
    'insufficient_future_covariates',
    `future.${name} covers ${got} of ${horizon} steps ahead: ${horizon - got} are missing`,
    { name, needed: horizon, got, missing_steps: horizon - got },
  );
