import { composed } from '../../domain/forecasts/composing.js';
import { forecastNotFound } from '../../domain/forecasts/decider.js';
import type { ForecastFollows, GoalForecastIssued } from '../../domain/forecasts/facts.js';
import { onSteps } from '../../domain/forecasts/target.js';
import type { LiveGoal } from '../../domain/goals/state.js';
import { stepKept } from '../../domain/goals/steps.js';
import type { Columns } from '../../domain/signals/points.js';
import { differences } from '../inference/differences.js';
import { hashOf } from '../inference/histories.js';
import { pointsThen } from '../inference/points-then.js';
import type { Replayed } from '../inference/replay.js';
import type { EventStore } from '../ports/event-store.js';
import { putTogether, type PuttingTogether } from './put-together.js';
import type { ForecastRecords } from './records.js';
import { onStepsAgain } from './target-asked.js';
import { MOST_STEPS, wantedOf } from './wanted.js';

/** `forecastBy`: whatever became of the model since, and with nothing remembered. */
export type ReplayingDeps = PuttingTogether & {
  readonly records: Pick<ForecastRecords, 'state'>;
  readonly store: Pick<EventStore, 'read'>;
  /** A goal as it stood at a moment, epoch ms; null: it was not there. */
  readonly goalThen: (
    workspace: string,
    goalId: string,
    asOf: number,
  ) => Promise<{ readonly state: LiveGoal } | null>;
};

type Issued = GoalForecastIssued['data'];
type Of = { readonly workspace: string; readonly goalId: string; readonly forecastId: string };

/** The first places of an answer that are told to differ. */
const MOST_TOLD = 100;

/**
 * Makes a forecast of a goal again from the log alone, and compares all of it with what was given out: the
 * points that were read from their journal, its model, what was known of events and of a shock, and the
 * widths of its bands.
 * @throws Rejected 404 where there is no such forecast; where its model is gone or cannot be asked
 */
export async function replayForecast(
  deps: ReplayingDeps,
  { workspace, goalId, forecastId }: Of,
  goal: LiveGoal,
  signal: AbortSignal,
): Promise<Replayed> {
  const found = await deps.records.state(workspace, forecastId);
  if (found.status !== 'issued' || found.issued.goalId !== goalId) throw forecastNotFound(forecastId);
  const { issued } = found;
  const points = await pointsThen(deps.store, workspace, issued.read, issued.dataCutoff);
  const follows = issued.follows ?? (await followsThen(deps, workspace, goal, issued, points));
  const then = goalOf(goal, issued, follows);
  const { series, cutoff } = onStepsAgain({ ...then.settings, steps: follows.steps }, points);
  const read = { ...issued.read, points: points.times.length, hash: hashOf(points) };
  const history = { series, cutoff, read, upTo: issued.upTo };
  const { servedBy, model, name, warnings, trigger, dueAt, widened, record, shock } = issued;
  const [made] = await deps.forecastBy(workspace, model, [series], wantedOf(then), signal);
  const again = await putTogether(
    deps,
    {
      ...{ workspace, at: issued.asOf, before: undefined, price: null },
      again: { widened, record, shock, ...(follows.known && { known: follows.known }) },
    },
    { wanted: { goalId, forecastId, trigger, dueAt }, goal: then, goalId, history },
    { by: { servedBy, model, name }, made: made!, composed: composed(then, history, made!), warnings },
  );
  // Those follow from no number of it
  const { supersedes, credits } = issued;
  const compared = issued.follows ? told : toldBefore;
  const diff = differences(compared(issued), compared({ ...again, supersedes, credits }));
  return { identical: diff.length === 0, diff: diff.slice(0, MOST_TOLD).map(inSnakeCase) };
}

/** Of a forecast that does not say so itself: by the goal as it stood, and the points that were read. */
async function followsThen(
  { goalThen }: ReplayingDeps,
  workspace: string,
  now: LiveGoal,
  { goalId, asOf, read, ...step }: Issued,
  points: Columns,
): Promise<ForecastFollows> {
  const { settings } = (await goalThen(workspace, goalId, asOf))?.state ?? now;
  const { timezone, options } = settings;
  const of = { target: read.key, ...stepKept(step), timezone };
  const on = onSteps(of, points, { most: MOST_STEPS, now: Infinity });
  const { calibration, scheduledEvents } = options;
  return { timezone, calibration, scheduledEvents, steps: on?.series.values.length ?? 0 };
}

/** The goal with all of its settings that a forecast follows from as they were. */
function goalOf(
  goal: LiveGoal,
  { read, horizon, asked, ...step }: Issued,
  { timezone, calibration, scheduledEvents }: ForecastFollows,
): LiveGoal {
  const options = { ...goal.settings.options, quantiles: asked, calibration, scheduledEvents };
  const { stepMonths: _, ...settings } = goal.settings;
  const asThen = { target: read.key, ...stepKept(step), horizon, timezone, options };
  return { ...goal, settings: { ...settings, ...asThen } };
}

/** As it is kept, without what it was made again by. */
function told({ follows: _, ...data }: Issued): unknown {
  return JSON.parse(JSON.stringify(data));
}

/** One that does not say what it was made by did not say by which scorer, either. */
const toldBefore = ({ scorerVersion: _, ...data }: Issued): unknown => told(data);

const inSnakeCase = <D extends { readonly path: string }>(difference: D): D => ({
  ...difference,
  path: difference.path.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`),
});
