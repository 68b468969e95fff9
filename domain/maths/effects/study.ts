import type { Step } from '../series/grid.js';
import { seeded, type Uniform } from '../seeded.js';
import { cutErrors, frameBeside, frameOf, type Frame } from './frame.js';
import { referencesOf } from './lift.js';
import { shortestPeriod, withoutSeason, type Reference } from './reference.js';
import { total } from './learning.js';
import { pathIn, without } from './chosen.js';
import { planOf, type Asked, type LagPlan } from './lag-plan.js';
import type { LagScan } from './lag-scan.js';
import { leadPath, leadRegressors, leadsAlone, selectLeads, type LeadSelection } from './leads.js';
import { select, type Selection, type Tested } from './selection.js';
import { dictionaryOf, scoresOf } from './dictionary.js';
import { PLACEBOS, placeboP, scanP, shiftsOf } from './placebos.js';
import { scanOf } from './scan.js';
import { shapesWithin } from './shapes.js';
import type { GriddedSignal } from './signals.js';
import type { GriddedStream } from './streams.js';

/** All that is measured of the candidates together. */
export type Study = {
  readonly base: Frame;
  /** Beside what the chosen signals add. */
  readonly frame: Frame;
  readonly streams: readonly GriddedStream[];
  readonly selection: Selection;
  /** What each chosen stream adds to the target, in the order of `selection.chosen`. */
  readonly paths: readonly Float64Array[];
  /** Each stream by itself where the target's season counts as unexplained; null: it has none. */
  readonly withSeason: readonly Tested[] | null;
  /** Each stream by itself, beside no signal. */
  readonly first: readonly Tested[];
  readonly signals: readonly GriddedSignal[];
  readonly leads: LeadSelection;
  /** What each chosen signal adds to the target, in the order of `leads.chosen`. */
  readonly leadPaths: readonly Float64Array[];
  /** As for streams. */
  readonly leadsFirst: readonly LagScan[];
  readonly plan: LagPlan;
  readonly references: (at: number) => Reference | null;
};

const PASSES = 3;
export type Sources = {
  readonly streams: readonly GriddedStream[];
  readonly signals: readonly GriddedSignal[];
};

/**
 * First with a reference that knows of no effects, then with ones that know those found and no longer take
 * them for level, season or outliers. Signals are tested beside the streams chosen, and those again beside
 * the signals.
 */
export function studied(y: Float64Array, step: Step, { streams, signals }: Sources, asked: Asked): Study {
  const random = seeded(asked.seed);
  const tests = streams.length + signals.length;
  let base = frameOf(y, step);
  const shifts = shiftsFor(base, random);
  const plan = planOf(base, asked, tests);
  let frame = base;
  let selection = select(frame, streams, shifts, tests);
  let leads = selectLeads(without(base, streams, selection.chosen), signals, plan);
  const first = selection.alone;
  const leadsFirst = selection.chosen.length > 0 ? leadsAlone(base, signals, plan) : leads.alone;
  for (let pass = 1; pass < PASSES && selection.chosen.length + leads.chosen.length > 0; pass++) {
    const { gain } = base.reference;
    const before = sumOf(base, streams, signals, selection, leads);
    const acting = selection.chosen.map(({ at, weighing }) => streams[at]!.weighings[weighing]!);
    base = frameOf(y, step, before, undefined, acting);
    frame = frameBeside(base, leadRegressors(base, signals, leads.chosen));
    selection = select(frame, streams, shifts, tests);
    leads = selectLeads(without(base, streams, selection.chosen), signals, plan);
    const isSettled = isAlike(before, sumOf(base, streams, signals, selection, leads));
    if (base.reference.gain === gain && isSettled) break;
  }
  frame = frameBeside(base, leadRegressors(base, signals, leads.chosen));
  const paths = selection.chosen.map(each => scaled(pathIn(base, streams, each), each.fit.size));
  const leadPaths = leads.chosen.map(each => scaled(leadPath(base, signals, each), each.size));
  return {
    ...{ base, frame, streams, selection, paths, first, signals, leads, leadPaths, leadsFirst, plan },
    withSeason: seasonal(base, streams, [...paths, ...leadPaths], random),
    references: referencesOf(y, step),
  };
}

/** Effects that change by less than this share, by their squares, have settled. */
const SETTLED = 0.1;

function isAlike(before: Float64Array, after: Float64Array): boolean {
  let change = 0;
  let all = 0;
  after.forEach((effect, t) => {
    change += (effect - before[t]!) ** 2;
    all += effect ** 2;
  });
  return change <= SETTLED ** 2 * all;
}

const scaled = (path: Float64Array, by: number): Float64Array => path.map(share => share * by);

const shiftsFor = (frame: Frame, random: Uniform): Int32Array =>
  shiftsOf(frame.n, shortestPeriod(frame.reference), PLACEBOS, random);

const sumOf = (
  frame: Frame,
  streams: readonly GriddedStream[],
  signals: readonly GriddedSignal[],
  selection: Selection,
  leads: LeadSelection,
): Float64Array =>
  total(frame.n, [
    ...selection.chosen.map(each => scaled(pathIn(frame, streams, each), each.fit.size)),
    ...leads.chosen.map(each => scaled(leadPath(frame, signals, each), each.size)),
  ]);

function seasonal(
  frame: Frame,
  streams: readonly GriddedStream[],
  paths: readonly Float64Array[],
  random: Uniform,
): Tested[] | null {
  if (frame.reference.harmonics.length === 0) return null;
  const effects = total(frame.n, paths);
  const rest = frame.y.map((value, t) => value - effects[t]!);
  const bare = frameOf(rest, frame.step, undefined, withoutSeason(frame.reference, rest));
  const dictionary = dictionaryOf(shapesWithin(bare.n), bare.reference, bare.n);
  const scores = scoresOf(cutErrors(bare), dictionary);
  const shifts = shiftsOf(bare.n, 1, PLACEBOS, random);
  return streams.map(({ weighings }) => {
    const scan = scanOf(weighings.slice(0, 1), dictionary, scores, shifts);
    const { z, placebos } = scan;
    return { z, p: scanP(z, placebos), placeboP: placeboP(z, placebos), weighing: 0, scan };
  });
}
