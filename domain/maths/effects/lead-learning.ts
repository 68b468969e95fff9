import type { Step } from '../series/grid.js';
import { dot } from '../statistics/columns.js';
import { frameBeside, frameOf, regressorOf } from './frame.js';
import { sizesTogether } from './joint.js';
import { besideOwnPast, laggedBeside, seenIn, zAt } from './lag-scan.js';
import { total } from './learning.js';
import type { Acting } from './lift.js';
import { referenceOf, type Reference } from './reference.js';
import { delayed, withoutProfile } from './signals.js';

/** As for streams: a size seen so weakly (z^2) is not believed at all. */
const DOUBT = 2;

export type LeadTrial = {
  readonly y: Float64Array;
  readonly step: Step;
  readonly references: (at: number) => Reference | null;
  readonly signal: Float64Array;
  readonly maxLag: number;
  readonly ownPast: number;
  readonly others: readonly Acting[];
  readonly horizon: number;
};

/** A forecaster: the target without effects is its level and profile. */
export type Forecaster = { readonly reference: Reference; readonly others: Float64Array };

/** What a forecaster that knows the first steps learns of a signal. */
export type LeadLearned = {
  readonly without: Forecaster;
  readonly with: Forecaster;
  readonly lag: number;
  readonly size: number;
  /** The signal without the target's profile, over all steps. */
  readonly values: Float64Array;
  /** How it goes on when it is not known: to `middle`, by `kept` a step; `deviation` about it. */
  readonly middle: number;
  readonly kept: number;
  readonly deviation: number;
};

export function learntOfLead(trial: LeadTrial, past: number, reference: Reference): LeadLearned {
  const { step, maxLag, ownPast } = trial;
  const y = trial.y.slice(0, past);
  const paths = trial.others.map(({ path }) => path.slice(0, past));
  const sumOf = (sizes: Float64Array) =>
    total(
      trial.y.length,
      trial.others.map(({ path }, i) => path.map(x => x * sizes[i]!)),
    );
  const frame = frameOf(y, step, undefined, reference);
  const free = frameBeside(
    frame,
    paths.map(path => regressorOf(frame, path)),
  );
  const values = withoutProfile(trial.signal, reference, past);
  const own = besideOwnPast(free, Math.min(ownPast, Math.floor(past / 20)));
  const seen = seenIn(frame, values.slice(0, past));
  const most = Math.min(maxLag, Math.floor(past / 4));
  const lags = Array.from({ length: most }, (_, i) => i + 1);
  const lagged = laggedBeside(seen, lags, own.basis.slice(frame.basis.length));
  const z = lags.map((_, place) => Math.abs(zAt(own.errors, lagged, place, [])));
  const lag = 1 + z.indexOf(Math.max(...z));
  const path = delayed(values, lag).slice(0, past);
  const regressor = regressorOf(free, path);
  const found = sizesTogether(frame, [...paths, path]);
  const z2 = found.at(-1)! ** 2 * dot(regressor, 0, regressor, 0, past);
  const size = found.at(-1)! * (z2 > DOUBT ? 1 - DOUBT / z2 : 0);
  const without = { reference, others: sumOf(sizesTogether(frame, paths)) };
  const others = sumOf(found);
  const effects = others.slice(0, past).map((x, t) => x + size * path[t]!);
  const knowing = size === 0 ? without : { reference: referenceOf(y, step, effects, reference), others };
  return { without, with: knowing, lag, size, values, ...goesOn(values.subarray(0, past)) };
}

/** An autoregression of one lag. */
function goesOn(past: Float64Array): Pick<LeadLearned, 'middle' | 'kept' | 'deviation'> {
  const middle = past.reduce((sum, x) => sum + x / past.length, 0);
  const rest = past.map(x => x - middle);
  const own = dot(rest, 0, rest, 0, rest.length);
  const next = dot(rest, 1, rest, 0, rest.length - 1);
  const kept = own > 0 ? Math.max(0, Math.min(1, next / own)) : 0;
  return { middle, kept, deviation: Math.sqrt(own / past.length) };
}
