import { meansOn } from '../series/align.js';
import { fixed, gridOf, stepAt, type Grid } from '../series/grid.js';
import { benjaminiHochberg } from '../statistics/multiple.js';
import type { EffectsAnswer, EffectsUsed, Finding } from './answer.js';
import { streamFinding } from './finding.js';
import { leadFinding } from './lead-finding.js';
import { BOOTSTRAPS, FOLDS } from './lift.js';
import type { Candidate, EffectsQuestion } from './question.js';
import { knownOf } from './reference.js';
import { griddedSignal, type GriddedSignal } from './signals.js';
import { gridded, type GriddedStream } from './streams.js';
import { PLACEBOS } from './placebos.js';
import { studied } from './study.js';
import { FEWEST_EVENTS, untested } from './untested.js';

/** Of longer targets the newest steps count. */
const MOST_STEPS = 10_000;
/** A target with fewer known steps, and a signal with fewer in common with it, is not tested. */
const FEWEST_STEPS = 40;

/**
 * Which candidates move a target, how, for how long, and why not otherwise. Each stream is held against every
 * shape of response at once, each signal against every lag, beside what the other candidates explain, and
 * against its own times shifted; what is found is then measured out of sample. Deterministic: the same
 * question has the same answer to the bit.
 */
export function discover(question: EffectsQuestion): EffectsAnswer {
  const { target, stepMs, horizon, candidates, settings } = question;
  const step = fixed(stepMs);
  const first = target.times[0] ?? 0;
  const grid = gridOf(first, target.times[target.times.length - 1] ?? first, step, MOST_STEPS);
  const y = meansOn(grid, target);
  const known = y.reduce((count, value) => count + (Number.isNaN(value) ? 0 : 1), 0);
  if (known < FEWEST_STEPS) return tooShort(question, known);
  const all = candidates.map(each => onGrid(each, grid, knownOf(y)));
  const streams = all.filter(each => 'events' in each && isEnough(each)) as GriddedStream[];
  const signals = all.filter(each => 'values' in each && isEnough(each)) as GriddedSignal[];
  const { alpha, maxLag, seed } = settings;
  const study = studied(y, step, { streams, signals }, { horizon, maxLag, seed });
  const p = [...study.selection.beside, ...study.leads.beside].map(each => each.p);
  const q = benjaminiHochberg(p);
  const findings = candidates.map((candidate, i): Finding => {
    const each = all[i]!;
    const asked = { horizon, alpha: candidate.alpha ?? alpha, seed };
    if (!isEnough(each)) return untested(candidate, 'events' in each ? each.events.length : each);
    if ('events' in each)
      return streamFinding(study, streams.indexOf(each), q[streams.indexOf(each)]!, asked);
    const at = signals.indexOf(each);
    return leadFinding(study, at, q[streams.length + at]!, asked);
  });
  const { gain, harmonics, scale } = study.base.reference;
  const periods = [...new Set(harmonics.map(({ period }) => period))];
  return {
    settings: used(question, { levelGain: gain, periods, scale, steps: y.length, maxLag: study.plan.maxLag }),
    findings,
    multipleTesting: { method: 'benjamini_hochberg', alpha: settings.alpha, tests: p.length },
    warnings: warningsOf(first, grid),
  };
}

/** One source against the others known: what `discover` finds of it among the candidates of the question. */
export const recheck = (question: EffectsQuestion, key: string): Finding | null =>
  discover(question).findings.find(({ sourceKey }) => sourceKey === key) ?? null;

type Gridded = GriddedStream | GriddedSignal;

const onGrid = (candidate: Candidate, grid: Grid, known: Uint8Array): Gridded =>
  candidate.kind === 'event_stream'
    ? gridded(candidate, time => stepAt(grid, time))
    : griddedSignal(candidate, grid, known);

const isEnough = (each: Gridded): boolean =>
  'events' in each
    ? each.weighings[0]!.steps.length >= FEWEST_EVENTS
    : each.common >= FEWEST_STEPS && !each.constant;

const used = (
  { horizon, settings }: EffectsQuestion,
  found: Pick<EffectsUsed, 'levelGain' | 'periods' | 'scale' | 'steps' | 'maxLag'>,
): EffectsUsed => ({
  reference: 'seasonal_level',
  ...found,
  horizon,
  alpha: settings.alpha,
  placebos: PLACEBOS,
  bootstraps: BOOTSTRAPS,
  folds: FOLDS,
  seed: settings.seed,
});

function warningsOf(first: number, grid: Grid): EffectsAnswer['warnings'] {
  if (first >= grid.from) return [];
  return [{ code: 'steps_cut', text: `Only the newest ${MOST_STEPS} steps of the target were looked at` }];
}

function tooShort(question: EffectsQuestion, known: number): EffectsAnswer {
  const { candidates, settings } = question;
  return {
    settings: used(question, { levelGain: 0, periods: [], scale: 1, steps: known, maxLag: 0 }),
    findings: candidates.map(candidate => untested(candidate, null)),
    multipleTesting: { method: 'benjamini_hochberg', alpha: settings.alpha, tests: 0 },
    warnings: [
      {
        code: 'insufficient_history',
        text: `The target has ${known} steps with a value; ${FEWEST_STEPS} are needed`,
      },
    ],
  };
}
