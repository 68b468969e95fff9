import { carried, meansOn } from './align.js';
import { cadenceOf, STALE_CADENCES } from './cadence.js';
import { commonStep, fixed, gridOf, type Step } from './grid.js';
import { quantile, robustScale } from './quantile.js';
import type { Series } from './series.js';

type Line = [ms: number, value: number][];

/**
 * What a group of series does, in robust standard deviations of each: the median, the 10th and the 90th
 * percentile.
 */
export type Envelope = { readonly median: Line; readonly lower: Line; readonly upper: Line };

/**
 * The envelope of series from `from` to `to` on at most `maxSteps` (2 or more) steps: of the smallest cadence
 * among them where that fits, else of equal spans. Each series is averaged in each step, brought to one
 * measure by the middle and scale of these means (`robustScale`; a constant is 0), and keeps its value over
 * empty steps until it is stale. A step in which no series has a value is left out. Percentiles as of
 * `quantile`.
 */
export function envelopeOf(series: readonly Series[], from: number, to: number, maxSteps = 200): Envelope {
  const cadences = series.map(({ times }) => cadenceOf(times));
  const grid = gridOf(from, to, stepFor(series, cadences, to - from, maxSteps), maxSteps);
  const stale = (cadence: number | null): number =>
    Math.floor(((cadence ?? 0) * STALE_CADENCES) / grid.step.ms);
  const columns = series.map((each, i) => carried(normalised(meansOn(grid, each)), stale(cadences[i]!)));
  const envelope: Envelope = { median: [], lower: [], upper: [] };
  grid.times.forEach((time, k) => {
    const ascending = presentAt(columns, k).sort();
    if (!ascending.length) return;
    envelope.median.push([time, quantile(ascending, 0.5)]);
    envelope.lower.push([time, quantile(ascending, 0.1)]);
    envelope.upper.push([time, quantile(ascending, 0.9)]);
  });
  return envelope;
}

function stepFor(
  series: readonly Series[],
  cadences: readonly (number | null)[],
  span: number,
  maxSteps: number,
): Step {
  const smallest = cadences.reduce((least: number, cadence) => Math.min(least, cadence ?? least), Infinity);
  const step = commonStep(series.filter((_, i) => cadences[i] === smallest).slice(0, 1));
  // One to spare: months are not of equal length, and the span begins and ends within a step
  return span / step.ms <= maxSteps - 2 ? step : fixed(Math.ceil(span / (maxSteps - 1)));
}

function presentAt(columns: readonly Float64Array[], k: number): Float64Array {
  const present = new Float64Array(columns.length);
  let count = 0;
  for (const column of columns) if (!Number.isNaN(column[k]!)) present[count++] = column[k]!;
  return present.subarray(0, count);
}

/** NaN stays NaN. */
function normalised(values: Float64Array): Float64Array {
  const present = values.filter(value => !Number.isNaN(value));
  // so that not even the largest overflow
  const unit = present.reduce((most, value) => Math.max(most, Math.abs(value)), 0) || 1;
  const { middle, scale } = robustScale(present.map(value => value / unit));
  return values.map(value => (value / unit - middle) / scale);
}
