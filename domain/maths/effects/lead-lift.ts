import { levelsOf } from './curve.js';
import { learntOfLead, type Forecaster, type LeadLearned, type LeadTrial } from './lead-learning.js';
import { FOLDS, pinball, type EventLoss } from './lift.js';
import { knownOf, profileOf } from './reference.js';
import { delayed } from './signals.js';

/** Longer horizons are scored so far. */
const MOST_LEADS = 200;
/** Forecasts begin at so many origins in a horizon. */
const ORIGINS = 4;
/** Blocks of time that are drawn again, at most. */
const MOST_BLOCKS = 60;

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
    const losses = lossesIn(trial, learntOfLead(trial, from, reference), from, to);
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

function lossesIn({ y, horizon }: LeadTrial, learned: LeadLearned, from: number, to: number) {
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
