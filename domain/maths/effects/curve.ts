import { quantile } from '../series/quantile.js';
import type { Uniform } from '../seeded.js';
import type { CurvePoint, ResponseCurve } from './answer.js';
import type { Frame } from './frame.js';
import type { Fit } from './fit.js';
import { profileOf } from './reference.js';
import { pathOf, peakOf, shareAt, type Occurrences } from './shapes.js';
import { quietTimes } from './quiet.js';

/** At most this many points: before the event, and from it on. */
const BEFORE = 8;
const AFTER = 55;
/** Half-lives after the peak that the curve shows. */
const SHOWN = 4;
export const BOOTSTRAPS = 300;
const BAND = [0.05, 0.95] as const;

/**
 * The event study: for each event the errors of forecasts that know nothing after the step before it (of the
 * steps before it, nothing after the first of them), less what the stream's other events and other sources do
 * there, and less the same errors at quiet times alike; their mean by offset, each event scaled to weight 1,
 * and how far the mean strays when events are drawn again.
 */
export function responseCurve(
  frame: Frame,
  occurrences: Occurrences,
  fit: Fit,
  others: Float64Array,
  preTrendP: number,
  random: Uniform,
): ResponseCurve {
  const { reference, step } = frame;
  const stepS = step.ms / 1000;
  const last = peakOf(fit.shape) + Math.ceil(SHOWN * fit.shape.halfLife);
  const stride = Math.max(1, Math.ceil(last / AFTER));
  const offsets = Array.from({ length: BEFORE + Math.floor(last / stride) + 1 }, (_, i) =>
    i < BEFORE ? i - BEFORE : (i - BEFORE) * stride,
  ).slice(0, BEFORE + AFTER);
  const rows = windowsOf(frame, occurrences, fit, others, offsets);
  const events = [...occurrences.steps.keys()];
  const drawn = Array.from({ length: BOOTSTRAPS }, () =>
    events.map(() => Math.floor(random() * events.length)),
  );
  const points = offsets.map((offset, i): CurvePoint => {
    const mean = meanAt(rows, occurrences, i, events);
    const means = drawn.map(draw => meanAt(rows, occurrences, i, draw)).sort((a, b) => a - b);
    const fitted = (fit.size / reference.scale) * shareAt(fit.shape, offset);
    const effect = offset < 0 ? mean : fitted;
    return {
      offsetS: offset * stepS,
      effect,
      lower: effect + Math.min(0, quantile(means, BAND[0]) - mean),
      upper: effect + Math.max(0, quantile(means, BAND[1]) - mean),
      mean,
      n: rows.filter(row => !Number.isNaN(row[i]!)).length,
    };
  });
  return { stepS: stride * stepS, scale: reference.scale, points, preTrendP };
}

/** Of each event the errors at the offsets, in residual deviations; NaN where there is none. */
function windowsOf(
  frame: Frame,
  occurrences: Occurrences,
  fit: Fit,
  others: Float64Array,
  offsets: readonly number[],
): Float64Array[] {
  const { n, clean, known, reference } = frame;
  const profile = profileOf(reference, n);
  const own = pathOf(occurrences, fit.shape, n);
  const rest = clean.map((value, t) => value - profile[t]! - others[t]! - fit.size * own[t]!);
  const levels = levelsOf(rest, reference.gain, known);
  const quiet = quietTimes(frame, occurrences.steps, offsets);
  const window = (at: number): Float64Array =>
    Float64Array.from(offsets, offset => {
      const origin = offset < 0 ? at - 1 - BEFORE : at - 1;
      const t = at + offset;
      if (origin < 0 || t >= n || !known[t]) return NaN;
      return (rest[t]! - levels[origin]!) / reference.scale;
    });
  return Array.from(occurrences.steps, (at, i) => {
    const errors = window(at);
    const usual = quiet(at).map(window);
    return errors.map((error, k) => {
      const response =
        (fit.size / reference.scale) * occurrences.weights[i]! * shareAt(fit.shape, offsets[k]!);
      const alike = usual.flatMap(each => (Number.isNaN(each[k]!) ? [] : each[k]!));
      const expected = alike.reduce((sum, x) => sum + x / alike.length, 0);
      return error + response - expected;
    });
  });
}

/** The level after each step. */
export function levelsOf(x: Float64Array, gain: number, known: Uint8Array): Float64Array {
  const levels = new Float64Array(x.length);
  let level = 0;
  let count = 0;
  for (let t = 0; t < x.length; t++) {
    if (known[t]) {
      count++;
      level += Math.max(gain, 1 / count) * (x[t]! - level);
    }
    levels[t] = level;
  }
  return levels;
}

/** Least squares on the weights: what an event of weight 1 does at an offset. */
function meanAt(
  rows: readonly Float64Array[],
  { weights }: Occurrences,
  offset: number,
  events: readonly number[],
): number {
  let above = 0;
  let below = 0;
  for (const i of events) {
    const value = rows[i]![offset]!;
    if (Number.isNaN(value)) continue;
    above += weights[i]! * value;
    below += weights[i]! ** 2;
  }
  return below > 0 ? above / below : 0;
}
