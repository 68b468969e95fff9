import type { GoalForecastIssued } from '../../domain/forecasts/facts.js';
import { beginningsOf, evenedFrom, stepsIn } from '../../domain/forecasts/steps.js';
import { SEASONAL_NAIVE } from '../../domain/goals/model.js';
import type { ActingEdge, ForecastBy, TargetOf } from '../../domain/goals/ports.js';
import { stepKept } from '../../domain/goals/steps.js';
import type { ForecastWanted, InferenceSeries } from '../../domain/inference/forecasting.js';
import { Rejected } from '../../domain/rejected.js';
import { isOfSignal, type Assumption } from '../../domain/scenarios/assumptions.js';
import { rangeOf, type SeenSignal } from '../../domain/scenarios/extrapolations.js';
import type { Known, KnownSignal } from '../../domain/scenarios/known.js';
import type { Unknown } from '../../domain/scenarios/refusals.js';
import { responseOf } from '../../domain/scenarios/signal-response.js';

type Issued = GoalForecastIssued['data'];
export type KnowingDeps = { readonly targetOf: TargetOf; readonly forecastBy: ForecastBy };
/** The base of a run, and of how many of its steps. */
export type Based = {
  readonly workspace: string;
  readonly issued: Issued;
  readonly horizon: number;
  readonly timezone: string;
};

/** The newest steps that are read of a signal. */
const MOST_STEPS = 4_096;

type KnownToBase = Known & {
  readonly seen: ReadonlyMap<string, SeenSignal>;
  /** Signals that were not there. */
  readonly unknown: readonly Unknown[];
};

/** What a base knew of its target and of the signals that something is assumed of. */
export async function knownTo(
  deps: KnowingDeps,
  based: Based,
  assumptions: readonly Assumption[],
  edges: readonly ActingEdge[],
  signal: AbortSignal,
): Promise<KnownToBase> {
  const { workspace, issued, horizon, timezone } = based;
  const of = { target: issued.read.key, ...stepKept(issued), timezone };
  const { series: history } = await deps.targetOf(workspace, of, { asOf: issued.asOf, most: MOST_STEPS });
  const { mean, quantiles } = issued.points;
  const times = issued.points.times.slice(0, horizon);
  const past = beginningsOf(of, history);
  const allTimes = [...past, ...times];
  const seen = new Map<string, SeenSignal>();
  const signals = new Map<string, KnownSignal>();
  const unknown: Unknown[] = [];
  const whole = new Float64Array(allTimes.length);
  whole.set(history.values);
  whole.set(mean.slice(0, horizon), past.length);
  for (const [place, { key }] of firstOfKeys(assumptions)) {
    if (key === issued.read.key) {
      seen.set(key, { values: whole, range: rangeOf(history.values) });
      continue;
    }
    const asked = { ...of, target: key };
    const read = await deps.targetOf(workspace, asked, { asOf: issued.asOf, most: MOST_STEPS }).catch(absent);
    if (!read) {
      const msg = `there was no signal '${key}' when the base was made`;
      unknown.push({ place, field: 'key', msg });
      continue;
    }
    const known = await aligned(deps, workspace, read.series, history, horizon, signal);
    seen.set(key, { values: known, range: rangeOf(read.series.values) });
    const edge = edges.find(({ kind, sourceKey }) => kind === 'signal' && sourceKey === key);
    if (!edge) continue;
    const lag = Math.max(1, Math.round((edge.optimalLagS ?? 0) / issued.stepS));
    const values = known.subarray(0, past.length);
    const response = responseOf(history.values, values, { lag, period: issued.period });
    signals.set(key, { edgeId: edge.edgeId, values: known, response });
  }
  const base = {
    mean: mean.slice(0, horizon),
    quantiles: quantiles.map(column => column.slice(0, horizon)),
  };
  return { issued, times, allTimes, base, history, signals, seen, unknown };
}

/** Keys of signals, each where it is named first. */
function firstOfKeys(assumptions: readonly Assumption[]) {
  const found = new Map<string, readonly [number, { readonly key: string }]>();
  assumptions.forEach((assumption, index) => {
    if (isOfSignal(assumption) && !found.has(assumption.key)) found.set(assumption.key, [index, assumption]);
  });
  return found.values();
}

/** Gone, or without points by then. */
function absent(error: unknown): null {
  const isAbsent =
    error instanceof Rejected && (error.kind === 'missing' || error.code === 'insufficient_history');
  if (isAbsent) return null;
  throw error;
}

/** A signal on the steps of the target and those ahead; from its newest value on as seasonal naive has it. */
async function aligned(
  { forecastBy }: KnowingDeps,
  workspace: string,
  series: InferenceSeries,
  history: InferenceSeries,
  horizon: number,
  signal: AbortSignal,
): Promise<Float64Array> {
  const all = new Float64Array(history.values.length + horizon).fill(NaN);
  const first = Math.round((series.start - history.start) / history.step.ms);
  const put = (values: ArrayLike<number>, from: number): void => {
    for (let i = 0; i < values.length; i++) {
      const place = from + i;
      if (place >= 0 && place < all.length) all[place] = values[i]!;
    }
  };
  put(series.values, first);
  const end = first + series.values.length;
  if (end >= all.length) return all;
  const wanted: ForecastWanted = {
    ...{ horizon: all.length - end, levels: [0.5], fill: 'linear', explain: false },
    ...{ lookback: MOST_STEPS, bands: 'model' },
  };
  const [made] = await forecastBy(workspace, SEASONAL_NAIVE, [series], wanted, signal);
  put(made!.mean, end);
  return all;
}

/** Where the step that a time lies in stands beside the first one ahead, on steps that responses stand on. */
export function evenedStep({ issued, timezone }: Based): (time: number) => number {
  const target = { ...stepKept(issued), timezone };
  const evened = evenedFrom(target, issued.points.times[0]!);
  return time => evened(stepsIn(target).startOf(time));
}
