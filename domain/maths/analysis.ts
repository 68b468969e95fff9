import { analyseCausality } from './causality/analysis.js';
import type { CausalityAnswer } from './causality/answer.js';
import type { CausalitySettings } from './causality/input.js';
import { analyseCorrelation } from './correlation/analysis.js';
import type { CorrelationAnswer, CorrelationMethod } from './correlation/answer.js';
import { analyseRelevance } from './relevance/analysis.js';
import type { Relevance } from './relevance/answer.js';
import { align, latestCommonRows, MAX_STEPS, type Aligned, type Alignment } from './series/align.js';
import { commonStep, fixed, gridOf, type Step } from './series/grid.js';
import { countIntensity, rankIntensity } from './series/intensity.js';
import { seasonOf } from './series/season.js';
import type { Numbers, Series } from './series/series.js';
import { DAY, SECOND } from '../time.js';

/**
 * A signal, or an event stream: when its events happen, and the rank of each (0 to 100; null: not scored
 * yet).
 */
export type Source = SignalSource | EventSource;
type SignalSource = { readonly key: string; readonly type: 'signal'; readonly series: Series };
type EventSource = {
  readonly key: string;
  readonly type: 'event';
  readonly times: Numbers;
  readonly ranks: readonly (number | null)[];
};

/** What an event weighs in its step: its rank / 100, or 1. */
export type Intensity = 'rank' | 'count';

/**
 * Sources on one grid, in their order. Signals make the grid; where there are none, it is the days of the
 * events.
 */
function together(
  sources: readonly Source[],
  intensity: Intensity,
  span: NonNullable<Alignment['span']>,
): Aligned {
  const signals = sources.filter(source => source.type === 'signal');
  const series = signals.map(signal => signal.series);
  const grid = signals.length > 0 ? align(series, { span }) : ofEvents(sources);
  const variables = sources.map(source => {
    if (source.type === 'signal') return grid.variables[signals.indexOf(source)]!;
    return intensityOn(grid, source, intensity);
  });
  return { ...grid, variables };
}

const intensityOn = (grid: Aligned, { times, ranks }: EventSource, intensity: Intensity): Float64Array =>
  intensity === 'rank' ? rankIntensity(times, ranks, grid) : countIntensity(times, grid);

function ofEvents(sources: readonly Source[]): Aligned {
  const times = sources.flatMap(source => (source.type === 'event' ? [...source.times] : []));
  const step = fixed(DAY);
  if (times.length === 0) return { step, from: 0, to: 0, times: new Float64Array(), variables: [] };
  const from = times.reduce((a, b) => Math.min(a, b));
  const to = times.reduce((a, b) => Math.max(a, b));
  return { ...gridOf(from, to, step, MAX_STEPS), variables: [] };
}

export type CausalityQuestion = {
  readonly sources: readonly Source[];
  readonly intensity: Intensity;
  readonly settings: CausalitySettings;
};

/**
 * Granger causality among sources over their latest common steps (`analyseCausality`); `error` is there when
 * there is one.
 */
export function causality({
  sources,
  intensity,
  settings,
}: CausalityQuestion): Omit<CausalityAnswer, 'error'> & { error?: string } {
  const most = settings.windows * settings.signalCount;
  const { variables } = latestCommonRows(together(sources, intensity, 'common'), most, settings.signalCount);
  const { error, ...answer } = analyseCausality({
    variables: sources.map(({ key }, i) => ({ key, values: variables[i]! })),
    settings,
  });
  return { ...answer, ...(error !== null && { error }) };
}

export type CorrelationQuestion = {
  readonly sources: readonly Source[];
  readonly intensity: Intensity;
  readonly method: CorrelationMethod;
  readonly maxLag: number;
  readonly difference: boolean;
};
/** `step_s`: whole seconds of a step on which the sources were brought together. */
export type Correlation = CorrelationAnswer & { readonly step_s: number };

export function correlation({ sources, intensity, ...asked }: CorrelationQuestion): { data: Correlation } {
  const { variables, step } = together(sources, intensity, 'union');
  const answer = analyseCorrelation({
    variables: sources.map(({ key }, i) => ({ key, values: variables[i]! })),
    ...asked,
  });
  return { data: { ...answer, step_s: secondsOf(step) } };
}

export type RelevanceQuestion = {
  /** The first is the target, a signal. */
  readonly sources: readonly Source[];
  readonly intensity: Intensity;
  readonly horizon: number;
};

type Ranking = { data: Omit<Relevance, 'error'> & { target: string; step_s: number }; error?: string };

/** `error` is there when there is one. */
export function relevance({ sources, intensity, horizon }: RelevanceQuestion): Ranking {
  const [target, ...others] = sources;
  const { variables, step } = together(sources, intensity, 'union');
  const values = variables[0]!;
  const { error, ...found } = analyseRelevance({
    target: values,
    candidates: others.map(({ key, type }, i) => ({ key, type, values: variables[i + 1]! })),
    step: step.ms,
    horizon,
    season: seasonOf(values, step),
  });
  return {
    data: { target: target!.key, ...found, step_s: secondsOf(step) },
    ...(error !== null && { error }),
  };
}

/** Whole ones; 1 also of shorter steps. */
const secondsOf = ({ ms }: Step): number => Math.max(1, Math.round(ms / SECOND));

/** The step on which signals will be brought together, as far as some of their points tell, in ms. */
export const stepOf = (series: readonly Series[]): number => commonStep(series).ms;
