import type { ActingEdge } from '../../domain/goals/ports.js';
import type { ForecastWanted } from '../../domain/inference/forecasting.js';
import { isOfSignal, type Assumption } from '../../domain/scenarios/assumptions.js';
import { byEvents, eventsAfter } from '../../domain/scenarios/event-effects.js';
import { extrapolationsOf } from '../../domain/scenarios/extrapolations.js';
import type { Columns, ScenarioResult, ScenarioWarning } from '../../domain/scenarios/facts.js';
import { bySignals, edgesOff, type Known } from '../../domain/scenarios/known.js';
import { partsOf } from '../../domain/scenarios/parts.js';
import { lessThan, shifted, stepsIn, sumOf, type Forecasted } from '../../domain/scenarios/path.js';
import { notKnown } from '../../domain/scenarios/refusals.js';
import { eventsKnown, type EventReads } from './events-known.js';
import { knownTo, type Based, type KnowingDeps } from './knowing.js';
import { withTarget, type AskModel } from './target-path.js';

export type ImaginingDeps = KnowingDeps & {
  readonly events: EventReads;
  /** Edges that acted on a goal at a time (epoch ms). */
  readonly edges: (workspace: string, goalId: string, asOf: number) => Promise<readonly ActingEdge[]>;
};

/** Of the formulas between a base and a scenario: raised with whatever changes a number. */
export const CODE_VERSION = 'scenario-1';

/** The newest values that models read. */
const MOST_STEPS = 4_096;

/**
 * What a forecast would have been if assumptions were so, by what it knew. Each assumption's part is what the
 * total changes by when it is added to those before it.
 * @throws Rejected 422 for what was not known then, and where the model of the base cannot be asked
 */
export async function imagine(
  deps: ImaginingDeps,
  based: Based,
  assumptions: readonly Assumption[],
  signal: AbortSignal,
): Promise<ScenarioResult> {
  const { workspace, issued } = based;
  const edges = await deps.edges(workspace, issued.goalId, issued.asOf);
  mindEdges(assumptions, edges);
  const known = await knownTo(deps, based, assumptions, edges, signal);
  mindValues(known, assumptions);
  const events = await eventsKnown(deps.events, based, assumptions, edges);
  const ask = asking(deps, based, known, signal);
  const pathOf = async (some: readonly Assumption[]): Promise<Columns> => {
    const after = eventsAfter(events.base, events.changes.slice(0, some.length), edgesOff(some));
    const ofEvents = byEvents(known.times, after, events.base);
    const ofSignals = bySignals(known, some);
    const path = shifted(
      known.base,
      ofEvents.map((value, h) => value + ofSignals[h]!),
    );
    return withTarget(known, path, some, ask);
  };
  const totals: number[] = [];
  let path = known.base;
  for (let count = 1; count <= assumptions.length; count++) {
    path = await pathOf(assumptions.slice(0, count));
    totals.push(sumOf(lessThan(path, known.base).mean));
  }
  const { total, parts } = partsOf(totals);
  const asked = issued.points.levels.flatMap((level, k) => (issued.asked.includes(level) ? [k] : []));
  const shown = ({ mean, quantiles }: Columns): Columns => ({
    mean,
    quantiles: asked.map(k => quantiles[k]!),
  });
  const ahead = known.allTimes.length - known.times.length;
  return {
    times: known.times,
    levels: asked.map(k => issued.points.levels[k]!),
    points: shown(path),
    delta: shown(lessThan(path, known.base)),
    ...{ totalDelta: total, contributions: parts },
    extrapolations: extrapolationsOf(
      { allTimes: known.allTimes, ahead, signals: known.seen, streams: events.streams },
      assumptions,
    ),
    warnings: [...events.warnings, ...signalWarnings(known, assumptions)].sort(
      (a, b) => (a.index ?? -1) - (b.index ?? -1),
    ),
    edgeIds: edgesUsed(known, events, assumptions),
  };
}

function mindEdges(assumptions: readonly Assumption[], edges: readonly ActingEdge[]): void {
  assumptions.forEach((assumption, index) => {
    if (assumption.kind !== 'edge_off') return;
    if (!edges.some(({ edgeId }) => edgeId === assumption.edgeId))
      throw notKnown(
        index,
        'edge_id',
        `no edge ${assumption.edgeId} acted on the goal when the base was made`,
      );
  });
}

/** @throws Rejected 422 where values are neither one nor as many as the steps that they are for */
function mindValues({ allTimes, times }: Known, assumptions: readonly Assumption[]): void {
  assumptions.forEach((assumption, index) => {
    if (assumption.kind !== 'signal_set' || assumption.values.length === 1) return;
    const steps = stepsIn(allTimes, assumption, allTimes.length - times.length);
    const { length: got } = assumption.values;
    if (got !== steps) throw notKnown(index, 'values', `there are ${got}, and the window has ${steps} steps`);
  });
}

/** Asks the model of the base; the same is asked once. */
function asking(
  { forecastBy }: KnowingDeps,
  { workspace, issued }: Based,
  { history }: Known,
  signal: AbortSignal,
): AskModel {
  const made = new Map<string, Promise<Forecasted>>();
  const ask: AskModel = async (values, horizon) => {
    const wanted: ForecastWanted = {
      ...{ horizon, levels: issued.points.levels, fill: 'linear', explain: false },
      ...{ lookback: MOST_STEPS, bands: 'model' },
    };
    const series = { ...history, values, period: issued.period };
    const [one] = await forecastBy(workspace, issued.model, [series], wanted, signal);
    return one!;
  };
  return (values, horizon) => {
    const key = `${horizon} ${values.join()}`;
    const before = made.get(key) ?? ask(values, horizon);
    made.set(key, before);
    return before;
  };
}

const signalWarnings = ({ issued, signals }: Known, assumptions: readonly Assumption[]): ScenarioWarning[] =>
  assumptions.flatMap((assumption, index): ScenarioWarning[] => {
    if (!isOfSignal(assumption) || assumption.key === issued.read.key) return [];
    const { key } = assumption;
    const signal = signals.get(key);
    if (!signal) {
      const message = `No edge leads from ${key} to this goal: nothing follows from it`;
      return [{ index, code: 'no_edge', message }];
    }
    const message = `Too few values of ${key} stand beside the target to tell how it follows`;
    return signal.response ? [] : [{ index, code: 'response_unknown', message }];
  });

function edgesUsed(
  { signals }: Known,
  { base, changes }: Pick<Awaited<ReturnType<typeof eventsKnown>>, 'base' | 'changes'>,
  assumptions: readonly Assumption[],
): string[] {
  const touched = changes.flatMap(({ gone, come }) => [
    ...come.map(({ edgeId }) => edgeId),
    ...base.filter(({ eventId }) => gone.includes(eventId!)).map(({ edgeId }) => edgeId),
  ]);
  const ofSignals = [...signals.values()].filter(({ response }) => response).map(({ edgeId }) => edgeId);
  return [...new Set([...touched, ...ofSignals, ...edgesOff(assumptions)])].sort();
}
