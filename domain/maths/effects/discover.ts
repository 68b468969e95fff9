import { meansOn } from '../series/align.js';
import { fixed, gridOf, stepAt, type Grid } from '../series/grid.js';
import { benjaminiHochberg } from '../statistics/multiple.js';
import type { EffectsAnswer, EffectsUsed, Finding } from './answer.js';
import { streamFinding } from './finding.js';
import { BOOTSTRAPS, FOLDS } from './lift.js';
import type { Candidate, EffectsQuestion } from './question.js';
import { gridded, type GriddedStream } from './streams.js';
import { PLACEBOS, studied } from './study.js';
import { untested } from './untested.js';

/** Of longer targets the newest steps count. */
const MOST_STEPS = 10_000;
/** A target with fewer known steps, and a stream with events in fewer steps, is not tested. */
const FEWEST_STEPS = 40;
const FEWEST_EVENTS = 4;

/**
 * Which candidates move a target, how, for how long, and why not otherwise. Each stream is held against every
 * shape of response at once, beside what the other candidates explain, and against its own times shifted;
 * what is found is then measured out of sample. Deterministic: the same question has the same answer to the
 * bit.
 */
export function discover(question: EffectsQuestion): EffectsAnswer {
  const { target, stepMs, horizon, candidates, settings } = question;
  const step = fixed(stepMs);
  const first = target.times[0] ?? 0;
  const grid = gridOf(first, target.times[target.times.length - 1] ?? first, step, MOST_STEPS);
  const y = meansOn(grid, target);
  const known = y.reduce((count, value) => count + (Number.isNaN(value) ? 0 : 1), 0);
  if (known < FEWEST_STEPS) return tooShort(question, known);
  const streams = candidates.map(each => (each.kind === 'event_stream' ? onGrid(each, grid) : null));
  const tested = streams.filter(stream => stream !== null && isEnough(stream)) as GriddedStream[];
  const study = studied(y, step, tested, settings.seed);
  const q = benjaminiHochberg(study.selection.beside.map(({ p }) => p));
  const asked = { horizon, alpha: settings.alpha, seed: settings.seed };
  const findings = candidates.map((candidate, i): Finding => {
    const at = tested.indexOf(streams[i]!);
    if (at < 0) return untested(candidate, streams[i]?.events.length ?? null, FEWEST_EVENTS);
    return streamFinding(study, at, q[at]!, asked);
  });
  const { gain, harmonics, scale } = study.frame.reference;
  const periods = [...new Set(harmonics.map(({ period }) => period))];
  return {
    settings: used(question, { levelGain: gain, periods, scale, steps: y.length }),
    findings,
    multipleTesting: { method: 'benjamini_hochberg', alpha: settings.alpha, tests: tested.length },
    warnings: warningsOf(first, grid),
  };
}

/** One source against the others known: what `discover` finds of it among the candidates of the question. */
export const recheck = (question: EffectsQuestion, key: string): Finding | null =>
  discover(question).findings.find(({ sourceKey }) => sourceKey === key) ?? null;

const onGrid = (candidate: Candidate & { kind: 'event_stream' }, grid: Grid): GriddedStream =>
  gridded(candidate, time => stepAt(grid, time));

const isEnough = (stream: GriddedStream): boolean => stream.weighings[0]!.steps.length >= FEWEST_EVENTS;

const used = (
  { horizon, settings }: EffectsQuestion,
  found: Pick<EffectsUsed, 'levelGain' | 'periods' | 'scale' | 'steps'>,
): EffectsUsed => ({
  reference: 'seasonal_level',
  ...found,
  horizon,
  alpha: settings.alpha,
  maxLag: settings.maxLag ?? 0,
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
    settings: used(question, { levelGain: 0, periods: [], scale: 1, steps: known }),
    findings: candidates.map(candidate => untested(candidate, null, FEWEST_EVENTS)),
    multipleTesting: { method: 'benjamini_hochberg', alpha: settings.alpha, tests: 0 },
    warnings: [
      {
        code: 'insufficient_history',
        text: `The target has ${known} steps with a value; ${FEWEST_STEPS} are needed`,
      },
    ],
  };
}
