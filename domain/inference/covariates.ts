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
