import type { ActingEdge } from '../../domain/goals/ports.js';
import type { ForecastWanted } from '../../domain/inference/forecasting.js';
import { Rejected } from '../../domain/rejected.js';
import type { Assumption } from '../../domain/scenarios/assumptions.js';
import { byEvents, eventsAfter } from '../../domain/scenarios/event-effects.js';
import { extrapolationsOf } from '../../domain/scenarios/extrapolations.js';
import type { Columns, ScenarioResult } from '../../domain/scenarios/facts.js';
import { bySignals, edgesOff, type Known } from '../../domain/scenarios/known.js';
import { partsOf } from '../../domain/scenarios/parts.js';
import { lessThan, shifted, sumOf, type Forecasted } from '../../domain/scenarios/path.js';
import { mindUnknown } from '../../domain/scenarios/refusals.js';
import { fairTurn } from '../../fair-turns.js';
import { eventsKnown, type EventReads } from './events-known.js';
import { evenedStep, knownTo, type Based, type KnowingDeps } from './knowing.js';
import { edgesUsed, signalWarnings, unfitValues, unknownEdges } from './minding.js';
import { withTarget, type AskModel } from './target-path.js';

export type ImaginingDeps = KnowingDeps & {
  readonly events: EventReads;
  /** Edges that acted on a goal at a time (epoch ms). */
  readonly edges: (workspace: string, goalId: string, asOf: number) => Promise<readonly ActingEdge[]>;
};

/** Of the formulas between a base and a scenario: raised with whatever changes a number. */
export const CODE_VERSION = 'scenario-3';

/** The newest values that models read. */
const MOST_STEPS = 4_096;

/**
 * What a forecast would have been if assumptions were so, by what it knew. Each assumption's part is what the
 * total changes by when it is added to those before it.
 * @throws Rejected 422 for what was not known then, 404, 503 where the model of the base cannot be asked
 */
export async function imagine(
  deps: ImaginingDeps,
  based: Based,
  assumptions: readonly Assumption[],
  signal: AbortSignal,
): Promise<ScenarioResult> {
  const { workspace, issued } = based;
  const edges = await deps.edges(workspace, issued.goalId, issued.asOf);
  const known = await knownTo(deps, based, assumptions, edges, signal);
  const events = await eventsKnown(deps.events, based, assumptions, edges);
  const unfit = [...unknownEdges(assumptions, edges), ...unfitValues(known, assumptions)];
  mindUnknown([...unfit, ...known.unknown, ...events.unknown]);
  const times = known.times.map(evenedStep(based));
  const ask = asking(deps, based, known, signal);
  const pathOf = async (some: readonly Assumption[]): Promise<Columns> => {
    const after = eventsAfter(events.base, events.changes.slice(0, some.length), edgesOff(some));
    const ofEvents = byEvents(times, after, events.base, issued.shock?.weights.response ?? 0);
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
    await fairTurn(based.workspace);
    path = await pathOf(assumptions.slice(0, count));
    totals.push(sumOf(lessThan(path, known.base).mean));
    if (![totals, path.mean, ...path.quantiles].every(column => column.every(Number.isFinite)))
      throw tooLarge(assumptions, count - 1);
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

function tooLarge(assumptions: readonly Assumption[], index: number): Rejected {
  const field = numberIn(assumptions[index]!);
  const loc = ['body', 'assumptions', index, ...(field ? [field] : [])];
  const msg = 'too large: what follows from it is infinite';
  const detail = [{ loc, msg, type: 'infinite' }];
  return new Rejected('unprocessable', 'invalid_series', `${loc.slice(1).join('.')}: ${msg}`, {
    index,
    detail,
  });
}

/** The member that an assumption gives its numbers in; null: it gives none. */
function numberIn(assumption: Assumption): string | null {
  switch (assumption.kind) {
    case 'signal_set':
      return assumption.values.length === 1 ? 'value' : 'values';
    case 'signal_scale':
      return 'factor';
    case 'signal_shift':
      return 'add';
    case 'event_add':
      return 'value';
    default:
      return null;
  }
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
