import { regressorOf, frameBeside, shareOf, type Frame } from './frame.js';
import {
  besideOwnPast,
  laggedBeside,
  lagScanIn,
  lagScanAgain,
  moved,
  seenIn,
  zAt,
  type Lagged,
  type LagScan,
} from './lag-scan.js';
import type { LagPlan } from './lag-plan.js';
import { scanP } from './placebos.js';
import { CANDIDATE_Q } from './selection.js';
import { beside } from './whitening.js';
import { delayed, withoutProfile, type GriddedSignal } from './signals.js';

/** A signal that moves the target so many steps later, by `size` (in its unit) for a deviation of its own. */
export type Lead = { readonly at: number; readonly lag: number; readonly size: number };

export type LeadSelection = {
  readonly chosen: readonly Lead[];
  /** Of every signal by itself. */
  readonly alone: readonly LagScan[];
  /** Of every signal beside those chosen (without itself). */
  readonly beside: readonly LagScan[];
  /** Of every signal, by how well the target goes before it or with it instead. */
  readonly after: readonly LagScan[];
};

const MOST_CHOSEN = 15;
/** As for streams. */
const STAYS = 0.05;

/** What a lead adds to the target. */
export const leadPath = ({ reference }: Frame, signals: readonly GriddedSignal[], { at, lag }: Lead) =>
  delayed(withoutProfile(signals[at]!.values, reference), lag);

/** How leads show in the errors, each for a size of 1. */
export const leadRegressors = (frame: Frame, signals: readonly GriddedSignal[], leads: readonly Lead[]) =>
  leads.map(lead => regressorOf(frame, leadPath(frame, signals, lead)));

const lagsOf = ({ maxLag }: LagPlan): number[] => Array.from({ length: maxLag }, (_, i) => i + 1);

/** Every signal by itself; the target's own past is taken out. */
export function leadsAlone(frame: Frame, signals: readonly GriddedSignal[], plan: LagPlan): LagScan[] {
  const own = besideOwnPast(frame, plan.ownPast);
  return laggedIn(frame, own, signals, plan).map(lagScanIn(own, plan.shifts, []));
}

/** Every signal as the frame sees it, beside the target's own past. */
function laggedIn(frame: Frame, own: Frame, signals: readonly GriddedSignal[], plan: LagPlan): Lagged[] {
  const past = own.basis.slice(frame.basis.length);
  return signals.map(({ values }) => laggedBeside(seenIn(frame, values), lagsOf(plan), past));
}

/** A frame beside leads, and the columns of its basis that are theirs. */
type BesideLeads = (chosen: readonly Lead[]) => readonly [free: Frame, theirs: readonly Float64Array[]];

/**
 * Which signals lead, one after the other like streams (`selection.ts`), and beside the target's own past.
 */
export function selectLeads(frame: Frame, signals: readonly GriddedSignal[], plan: LagPlan): LeadSelection {
  const own = besideOwnPast(frame, plan.ownPast);
  const lagged = laggedIn(frame, own, signals, plan);
  const without: BesideLeads = chosen => {
    const columns = chosen.map(({ at, lag }) => beside(moved(lagged[at]!.signal, lag), own.basis));
    const free = frameBeside(own, columns);
    return [free, free.basis.slice(own.basis.length)];
  };
  const alone = lagged.map(lagScanIn(own, plan.shifts, []));
  let chosen: Lead[] = [];
  let now = alone;
  while (chosen.length < MOST_CHOSEN) {
    const bound = (CANDIDATE_Q * (chosen.length + 1)) / Math.max(1, plan.tests);
    const next = bestOf(now, chosen, bound);
    if (next === null) break;
    chosen.push({ at: next, lag: now[next]!.lag, size: 0 });
    const [free, theirs] = without(chosen);
    now = lagged.map((each, i) => lagScanAgain(alone[i]!, free, each, theirs));
  }
  chosen = pruned(chosen, without, lagged, alone);
  const scanBeside = (others: readonly Lead[]) => {
    const [free, theirs] = without(others);
    return lagScanIn(free, plan.shifts, theirs);
  };
  const last = scanBeside(chosen);
  const besideOthers = lagged.map((each, i) => {
    const others = chosen.filter(({ at }) => at !== i);
    if (others.length === 0) return alone[i]!;
    return others.length === chosen.length ? last(each) : scanBeside(others)(each);
  });
  const since = [0, ...lagsOf(plan)].map(lag => -lag);
  const after = lagged.map(({ signal }, i) =>
    lagScanAgain(alone[i]!, frame, laggedBeside(signal, since, []), []),
  );
  const sized = chosen.map(lead => ({ ...lead, lag: besideOthers[lead.at]!.lag }));
  return { chosen: sizedTogether(frame, signals, sized), alone, beside: besideOthers, after };
}

function bestOf(scans: readonly LagScan[], chosen: readonly Lead[], bound: number): number | null {
  let best: number | null = null;
  scans.forEach(({ z, p }, i) => {
    if (p > bound || chosen.some(({ at }) => at === i)) return;
    if (best === null || z > scans[best]!.z) best = i;
  });
  return best;
}

/** Without those that say nothing beside the others. */
function pruned(
  chosen: readonly Lead[],
  without: BesideLeads,
  lagged: readonly Lagged[],
  alone: readonly LagScan[],
): Lead[] {
  const kept = [...chosen];
  while (kept.length > 1) {
    const p = kept.map(({ at, lag }, i) => {
      const [{ errors }, theirs] = without(kept.filter((_, other) => other !== i));
      const place = lagged[at]!.lags.indexOf(lag);
      const z = Math.abs(zAt(errors, lagged[at]!, place, theirs)) / alone[at]!.spread;
      return scanP(z, alone[at]!.placebos);
    });
    const weakest = p.indexOf(Math.max(...p));
    if (p[weakest]! <= STAYS) break;
    kept.splice(weakest, 1);
  }
  return kept;
}

/** Sizes beside each other, where the target's own past is not taken out: what a forecaster applies. */
function sizedTogether(frame: Frame, signals: readonly GriddedSignal[], leads: readonly Lead[]): Lead[] {
  const columns = leadRegressors(frame, signals, leads);
  return leads.map((lead, i) => {
    const free = frameBeside(
      frame,
      columns.filter((_, other) => other !== i),
    );
    return { ...lead, size: shareOf(free, beside(columns[i]!.slice(), free.basis)).size };
  });
}
