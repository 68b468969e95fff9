import type { Step } from '../series/grid.js';
import { dot } from '../statistics/columns.js';
import { frameBeside, frameOf, regressorOf } from './frame.js';
import { besideOwnPast, seenIn, zAt } from './lag-scan.js';
import { levelsOf } from './curve.js';
import { sizesTogether } from './joint.js';
import { total } from './learning.js';
import { FOLDS, pinball, type Acting, type EventLoss } from './lift.js';
import { knownOf, profileOf, referenceOf, type Reference } from './reference.js';
import { delayed, withoutProfile } from './signals.js';

/** Longer horizons are scored so far. */
const MOST_LEADS = 200;
/** Forecasts begin at so many origins in a horizon. */
const ORIGINS = 4;
/** Blocks of time that are drawn again, at most. */
const MOST_BLOCKS = 60;
const DOUBT = 2;

/** A forecaster: the target without effects is its level and profile. */
type Forecaster = { readonly reference: Reference; readonly others: Float64Array };

/** What a forecaster that knows `past` steps learns of a signal. */
type Learned = {
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

/**
 * What knowing the signal is worth to forecasts of the horizon, by blocks of time from the second fifth on:
 * lag, size and the signal's own ways are learnt from what lies before the fold. A forecast knows the signal
 * up to its origin, and goes on from there as an autoregression does. Each of the two forecasters has a level
 * and a season of its own, and bands as wide as its own errors.
 */
export function leadLosses(trial: LeadTrial): EventLoss[] {
  const { y, horizon, references } = trial;
  const n = y.length;
  const fold = n / FOLDS;
  const length = Math.max(horizon, Math.ceil((n - fold) / MOST_BLOCKS));
  return Array.from({ length: FOLDS - 1 }, (_, k) => k + 1).flatMap(k => {
    const [from, to] = [Math.floor(k * fold), Math.floor((k + 1) * fold)];
    const reference = references(from);
    if (reference === null) return [];
    const losses = lossesIn(trial, learnt(trial, from, reference), from, to);
    const blocks = Math.max(1, Math.floor((to - from) / length));
    const summed = Array.from({ length: blocks }, () => ({ without: 0, with: 0 }));
    for (const { at, ...loss } of losses) {
      const block = summed[Math.min(blocks - 1, Math.floor(((at - from) * blocks) / (to - from)))]!;
      block.without += loss.without;
      block.with += loss.with;
    }
    return summed.filter(({ without }) => without > 0);
  });
}

function learnt(trial: LeadTrial, past: number, reference: Reference): Learned {
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
  const z = Array.from({ length: most }, (_, i) =>
    Math.abs(zAt(own, seen, i + 1, own.basis.length - frame.basis.length)),
  );
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
function goesOn(past: Float64Array): Pick<Learned, 'middle' | 'kept' | 'deviation'> {
  const middle = past.reduce((sum, x) => sum + x / past.length, 0);
  const rest = past.map(x => x - middle);
  const own = dot(rest, 0, rest, 0, rest.length);
  const next = dot(rest, 1, rest, 0, rest.length - 1);
  const kept = own > 0 ? Math.max(0, Math.min(1, next / own)) : 0;
  return { middle, kept, deviation: Math.sqrt(own / past.length) };
}

function lossesIn({ y, horizon }: LeadTrial, learned: Learned, from: number, to: number) {
  const leads = Math.min(horizon, MOST_LEADS);
  const end = Math.min(y.length, to + leads);
  const { lag, size, values, middle, kept, deviation } = learned;
  const path = delayed(values, lag).map(x => x * size);
  const bare = forecasterOn(y, learned.without, end, null);
  const knowing = forecasterOn(y, learned.with, end, path);
  const losses: (EventLoss & { at: number })[] = [];
  for (let at = from; at < to; at += Math.max(1, Math.floor(leads / ORIGINS))) {
    const loss = { at, without: 0, with: 0 };
    const known = values[at - 1]! - middle;
    for (let lead = 1; lead <= leads && at - 1 + lead < end; lead++) {
      const t = at - 1 + lead;
      if (Number.isNaN(y[t]!)) continue;
      const unknown = Math.max(0, lead - lag);
      const expected = unknown === 0 ? path[t]! : size * (middle + known * kept ** unknown);
      const open = (size * deviation) ** 2 * (1 - kept ** (2 * unknown));
      loss.without += bare(at - 1, lead, 0, 0);
      loss.with += size === 0 ? bare(at - 1, lead, 0, 0) : knowing(at - 1, lead, path[t]! - expected, open);
    }
    losses.push(loss);
  }
  return losses;
}

/** The pinball loss of its forecasts, in the unit of the target. */
function forecasterOn(
  y: Float64Array,
  { reference, others }: Forecaster,
  end: number,
  path: Float64Array | null,
) {
  const known = knownOf(y.subarray(0, end));
  const profile = profileOf(reference, end);
  const rest = Float64Array.from(
    { length: end },
    (_, t) => y[t]! - profile[t]! - others[t]! - (path?.[t] ?? 0),
  );
  const levels = levelsOf(rest, reference.gain, known);
  return (origin: number, lead: number, more: number, variance: number): number => {
    const own = reference.scale ** 2 * (1 + (lead - 1) * reference.gain ** 2);
    const deviation = Math.sqrt(own + variance);
    return deviation * pinball((rest[origin + lead]! + more - levels[origin]!) / deviation);
  };
}
