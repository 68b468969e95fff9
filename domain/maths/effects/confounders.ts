import { regressorOf, shareOf } from './frame.js';
import { pathIn } from './chosen.js';
import type { Fit } from './fit.js';
import { leadPath, leadRegressors } from './leads.js';
import type { Study } from './study.js';
import { pathOf } from './shapes.js';
import { FEWEST_OCCURRENCES } from './verdict.js';

/** A p that a source has by itself and no longer beside another: below the first, above the second. */
const ALONE = 0.05;
/** A weightier one, where it was looked for in more ways than one. */
const SURE = ALONE ** 2;

/** Beside what a stream that goes with the target by itself has nothing to say; `season` last. */
export function streamConfounders(study: Study, at: number, fit: () => Fit): string[] {
  const { selection, streams, withSeason, first } = study;
  if (streams[at]!.events.length < FEWEST_OCCURRENCES || selection.beside[at]!.p < ALONE) return [];
  if (selection.alone[at]!.p < ALONE) return selection.chosen.length > 0 ? nearestStream(study, at) : [];
  if (first[at]!.p < SURE && study.leads.chosen.length > 0) {
    const path = pathOf(streams[at]!.weighings[0]!, fit().shape, study.base.n);
    return nearestOf(study, regressorOf(study.base, path), true);
  }
  return withSeason && withSeason[at]!.p < SURE ? ['season'] : [];
}

/** Of the chosen, the one whose events lie nearest to the stream's. */
function nearestStream({ selection, streams }: Study, at: number): string[] {
  const steps = streams[at]!.steps;
  const near = selection.chosen.map(each => {
    const others = streams[each.at]!.steps;
    const distances = Array.from(steps, step =>
      others.reduce((least, other) => Math.min(least, Math.abs(other - step)), Infinity),
    );
    return { key: streams[each.at]!.key, sum: distances.reduce((sum, x) => sum + 1 / (1 + x), 0) };
  });
  return [near.reduce((a, b) => (b.sum > a.sum ? b : a)).key];
}

/**
 * The same of a signal: another that acts, or `own_past` where it follows the target or moves with it instead
 * of leading it.
 */
export function leadConfounders(study: Study, at: number): string[] {
  const { base, signals, leads, leadsFirst } = study;
  if (leads.beside[at]!.p < ALONE) return [];
  const scan = [leads.alone[at]!, leadsFirst[at]!].find(({ p }, i) => p < [ALONE, SURE][i]!);
  if (scan) {
    const path = leadPath(base, signals, { at, lag: scan.lag, size: 0 });
    const nearest = nearestOf(study, regressorOf(base, path), false);
    if (nearest.length > 0) return nearest;
  }
  return leads.after[at]!.p < SURE ? ['own_past'] : [];
}

/** How surely a signal goes with the target by itself, in whichever way. */
export const leadAlone = ({ leads, leadsFirst }: Study, at: number): number =>
  Math.min(...[leads.alone, leads.after, leadsFirst].map(all => all[at]!.p));

/** Of those chosen, the one whose effect is most like this one. */
function nearestOf(study: Study, errors: Float64Array, signalsOnly: boolean): string[] {
  const { base, streams, signals, selection, leads } = study;
  const own = { ...base, errors };
  const columns = [
    ...(signalsOnly ? [] : selection.chosen).map(each => ({
      key: streams[each.at]!.key,
      regressor: regressorOf(base, pathIn(base, streams, each)),
    })),
    ...leads.chosen.map(each => ({
      key: signals[each.at]!.key,
      regressor: leadRegressors(base, signals, [each])[0]!,
    })),
  ];
  const alike = columns.map(({ key, regressor }) => ({ key, gain: shareOf(own, regressor).gain }));
  return alike.length === 0 ? [] : [alike.reduce((a, b) => (b.gain > a.gain ? b : a)).key];
}
