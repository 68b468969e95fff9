import type { Uniform } from '../../maths/seeded.js';
import { rowsOf, type Feature, type InputAt } from './features.js';
import { within, type WindowPlan } from './plan.js';
import { placeOfReference, windowOf } from './window.js';

/** A series that is learnt from: the target and the inputs by name, NaN where missing. */
export type Learnt = {
  readonly times: Float64Array;
  readonly target: Float64Array;
  readonly inputs: Readonly<Record<string, Float64Array>>;
};

/** What models are fitted to, oldest origin first. */
export type Examples = {
  readonly features: readonly Feature[];
  readonly rows: readonly Float64Array[];
  /** What came, less the reference, in sizes of the window. */
  readonly targets: Float64Array;
  /** Ahead, from 1. */
  readonly steps: Int32Array;
  /** When the forecast would have been made, and for when, epoch ms. */
  readonly origins: Float64Array;
  readonly times: Float64Array;
};

/** At most so many moments from which forecasts are learnt, and so many of their steps in all. */
export type Budget = { readonly origins: number; readonly rows: number };

/** Before so many values nothing is forecast. */
const LEAST_BEFORE = 8;

type Origin = { readonly series: Learnt; readonly at: number };

/**
 * Forecasts that could have been made in the past of the series and what came: origins evenly chosen among
 * all, of each all steps or, where there are too many, some by chance.
 */
export function examplesOf(
  plan: WindowPlan,
  series: readonly Learnt[],
  horizon: number,
  budget: Budget,
  random: Uniform,
): Examples {
  const { features, from } = rowsOf(plan);
  const origins = originsOf(series, plan, budget.origins);
  const share = Math.min(1, budget.rows / Math.max(1, origins.length * horizon));
  const rows: Float64Array[] = [];
  const found: { target: number; step: number; origin: number; time: number }[] = [];
  for (const { series: one, at } of origins) {
    const window = windowOf(one.target.subarray(Math.max(0, at - plan.lookback), at), plan.period);
    if (!window) continue;
    const rowOf = from(window);
    const input: InputAt = (name, ahead) => one.inputs[name]![at - 1 + ahead] ?? NaN;
    for (let step = 1; step <= horizon && at + step <= one.target.length; step++) {
      const came = one.target[at + step - 1]!;
      if ((share < 1 && random() >= share) || Number.isNaN(came)) continue;
      const { values, size } = window;
      const reference = values[placeOfReference(values.length, step, plan.period)]!;
      const time = one.times[at + step - 1]!;
      rows.push(rowOf(step, time, input));
      found.push({
        ...{ target: within((came - reference) / size), step, time },
        origin: one.times[at - 1]!,
      });
    }
  }
  return {
    ...{ features, rows },
    targets: Float64Array.from(found, ({ target }) => target),
    steps: Int32Array.from(found, ({ step }) => step),
    origins: Float64Array.from(found, ({ origin }) => origin),
    times: Float64Array.from(found, ({ time }) => time),
  };
}

/** In order of time; the newest of each series is among them where all fit. */
function originsOf(series: readonly Learnt[], { period }: WindowPlan, most: number): Origin[] {
  const least = period > 1 ? Math.max(LEAST_BEFORE, period) : LEAST_BEFORE;
  const counts = series.map(({ target }) => Math.max(0, target.length - least));
  const all = counts.reduce((sum, count) => sum + count, 0);
  const chosen: Origin[] = [];
  let before = 0;
  series.forEach((one, i) => {
    for (let k = 0; k < counts[i]!; k++) {
      const place = before + k;
      if (all <= most || Math.floor(((place + 1) * most) / all) > Math.floor((place * most) / all))
        chosen.push({ series: one, at: least + k });
    }
    before += counts[i]!;
  });
  return chosen.sort((a, b) => a.series.times[a.at - 1]! - b.series.times[b.at - 1]!);
}

/**
 * The newest fifth of the origins, to be judged on, and of the others those whose steps lie before: what is
 * judged was never learnt from. Null where either would have fewer than `least` rows.
 */
export function heldOut(
  { origins, times }: Examples,
  least: number,
): { readonly learnt: Int32Array; readonly held: Int32Array } | null {
  const first = origins[Math.floor(origins.length * (1 - HELD))] ?? Infinity;
  const all = Int32Array.from(origins.keys());
  const held = all.filter(i => origins[i]! >= first);
  const learnt = all.filter(i => origins[i]! < first && times[i]! <= first);
  return learnt.length < least || held.length < least ? null : { learnt, held };
}

const HELD = 0.2;

/** Those of these places. */
export const partOf = (examples: Examples, places: Int32Array): Examples => ({
  features: examples.features,
  rows: Array.from(places, i => examples.rows[i]!),
  targets: Float64Array.from(places, i => examples.targets[i]!),
  steps: places.map(i => examples.steps[i]!),
  origins: Float64Array.from(places, i => examples.origins[i]!),
  times: Float64Array.from(places, i => examples.times[i]!),
});
