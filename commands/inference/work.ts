import { createHash } from 'node:crypto';
import {
  replacementIn,
  type InPlace,
  type ServedDeployment,
  type ServedDeployments,
} from '../../domain/deployments/served.js';
import type { AwaitedTimes, HistoryRead, InferenceTask } from '../../domain/inference/facts.js';
import type { Given } from '../../domain/inference/given.js';
import type { InferenceSeries, Warning } from '../../domain/inference/forecasting.js';
import {
  asOfIn,
  checkIncoming,
  checkRequest,
  type InferenceRequest,
} from '../../domain/inference/request.js';
import type { Forecaster, ForecastMany } from '../../domain/maths/forecasting/forecaster.js';
import { Rejected } from '../../domain/rejected.js';
import type { Answering, AskedOfGoal, GoalsAsked, Remembered } from './goals.js';
import { historiesOf, type Histories, type SignalReads } from './histories.js';

/** Of the formulas between a request and its answer: raised with whatever changes a number. */
export const CODE_VERSION = 'inference-2';

/** What serves a pipeline of a workspace, by promotion id. @throws Rejected 404, 409 where nothing does */
export type ServingOf = (workspace: string, pipelineId: string) => Promise<string>;

export type WorkDeps = {
  readonly served: ServedDeployments;
  /** A version that was retired just now says which one took its place. */
  readonly inPlace: InPlace;
  readonly servingOf: ServingOf;
  readonly goals: GoalsAsked;
  readonly reads: SignalReads;
  readonly remembered: Remembered;
};

/** How a task asks its model: many forecasts of quantiles, or one call with all that the model says. */
export type Ask = {
  readonly many: ForecastMany;
  readonly forecast: (...asked: AskedOnce) => ReturnType<Forecaster['forecast']>;
};
type AskedOnce = [series: Parameters<Forecaster['forecast']>[0], horizon: number];

/** A request of which all is known that its numbers follow from. */
export type Prepared<S extends object = object> = {
  readonly deployment: Answering;
  /** What was asked for is what serves a goal. */
  readonly goal?: AskedOfGoal;
  /** What answers where this one cannot. @throws what it failed with where there is nothing else */
  readonly otherwise?: (error: unknown) => Promise<Prepared<S>>;
  /** The key that was asked for; null: the series stood in the request. */
  readonly key: string | null;
  readonly series: readonly InferenceSeries[];
  readonly given: readonly Given[];
  readonly settings: S;
  readonly horizon: number | null;
  readonly warnings: readonly Warning[];
  readonly read: readonly HistoryRead[];
  readonly upTo: number;
  readonly inputPoints: number;
  readonly inputsHash: string;
  readonly seed: number;
};

/** What a task makes: its answer as it is kept, and how many numbers there are in it. */
export type Answered = {
  readonly answer: unknown;
  readonly numbers: number;
  readonly outputPoints: number;
  /** When points may grade it. */
  readonly awaits?: AwaitedTimes;
};

/** One of the things that a model is asked to do. */
export type Task<S extends object = object> = {
  readonly task: InferenceTask;
  /** What the numbers follow from besides the series. @throws Rejected */
  readonly settings: (request: InferenceRequest, deployment: Answering) => S;
  /** Refuses what was taken once, and is made again and replayed. @throws Rejected */
  readonly mindIncoming?: (request: InferenceRequest, settings: S) => void;
  readonly horizon: (settings: S) => number | null;
  /** How many values it answers, which is what it costs. */
  readonly outputs: (prepared: Prepared<S>) => number;
  /** The series as the task takes them. @throws Rejected 422 for what cannot be worked on */
  readonly series?: (
    all: readonly InferenceSeries[],
    request: InferenceRequest,
    settings: S,
  ) => { readonly series: readonly InferenceSeries[]; readonly warnings: readonly Warning[] };
  /** Settings that change no number. */
  readonly hashed?: (settings: S) => object;
  readonly make: (prepared: Prepared<S>, ask: Ask) => Promise<Answered>;
};

/**
 * Finds the deployment, or what serves the goal, and reads the series.
 * @throws Rejected 404 for a deployment, a goal or a key that is not there, 409, 410; 400 for what the model
 *   does not do; 422 for what is wrong with the request, and for too little history
 */
export async function prepare<S extends object>(
  deps: WorkDeps,
  task: Task<S>,
  workspace: string,
  request: InferenceRequest,
  now: number,
): Promise<Prepared<S>> {
  checkRequest(request);
  const asOf = asOfIn(request, now);
  if (request.goal_id !== undefined) {
    const serving = deps.goals.serving(workspace, request, { now, asOf });
    return preparedBy(deps.reads, task, workspace, serving, asOf, undefined);
  }
  const { reads } = deps;
  const deployment = await deploymentOf(deps, workspace, request);
  mindTask(deployment, task.task);
  mindHorizon(deployment, request.horizon);
  const upTo = await reads.upTo();
  const histories = await historiesOf(reads, workspace, request, { asOf, most: deployment.lookback });
  return prepared(task, deployment, request, histories, upTo);
}

/**
 * `prepare`, of a request that comes in now: what is not taken any more is refused, and what was taken before
 * that is made all the same.
 * @throws Rejected as `prepare`
 */
export async function prepareIncoming<S extends object>(
  deps: WorkDeps,
  task: Task<S>,
  workspace: string,
  request: InferenceRequest,
  now: number,
): Promise<Prepared<S>> {
  checkIncoming(request);
  const ready = await prepare(deps, task, workspace, request, now);
  task.mindIncoming?.(request, ready.settings);
  return ready;
}

/** By the next of those that serve a goal. `failed`: what the one before failed with. */
async function preparedBy<S extends object>(
  reads: SignalReads,
  task: Task<S>,
  workspace: string,
  serving: ReturnType<GoalsAsked['serving']>,
  asOf: number | null,
  failed: unknown,
): Promise<Prepared<S>> {
  const { value: goal } = await serving.next(failed);
  const { answering, request } = goal;
  mindTask(answering, task.task);
  const upTo = goal.histories?.upTo ?? (await reads.upTo());
  const histories =
    goal.histories ?? (await historiesOf(reads, workspace, request, { asOf, most: answering.lookback }));
  return {
    ...prepared(task, answering, request, histories, upTo),
    goal,
    otherwise: error => preparedBy(reads, task, workspace, serving, asOf, error),
  };
}

/** The same, of histories that are at hand. @throws Rejected as `prepare` */
export function prepared<S extends object>(
  task: Task<S>,
  deployment: Answering,
  request: InferenceRequest,
  { given, read }: Histories,
  upTo: number,
): Prepared<S> {
  const settings = task.settings(request, deployment);
  const named = given.map(({ series }) => ({ ...series, period: request.period ?? null }));
  const { series, warnings } = task.series?.(named, request, settings) ?? { series: named, warnings: [] };
  const hashed = [task.task, task.hashed?.(settings) ?? settings, request.seed ?? null];
  const inputsHash = inputsHashOf(deployment, series, hashed);
  return {
    ...{ deployment, series, given, settings, warnings, read, upTo, inputsHash },
    key: request.key ?? null,
    horizon: task.horizon(settings),
    inputPoints: given.reduce((sum, { count }) => sum + count, 0),
    seed: request.seed ?? Number.parseInt(inputsHash.slice(0, 8), 16),
  };
}

/** @throws Rejected 404 naming what there is none of, 409 for a pipeline that nothing serves */
async function deploymentOf(
  { served, inPlace, servingOf }: Pick<WorkDeps, 'served' | 'inPlace' | 'servingOf'>,
  workspace: string,
  { promotion_id, pipeline_id }: InferenceRequest,
): Promise<ServedDeployment> {
  if (pipeline_id === undefined) return served(workspace, promotion_id!);
  const serving = await servingOf(workspace, pipeline_id);
  try {
    return await served(workspace, await inPlace(workspace, serving));
  } catch (error) {
    // It was retired between the two
    const replacement = replacementIn(error);
    if (replacement === null) throw error;
    return served(workspace, await inPlace(workspace, replacement));
  }
}

/** What every model that forecasts can do; the others it must list. */
const ALWAYS: readonly InferenceTask[] = ['forecast', 'backtest'];

function mindTask({ model, forecaster }: Answering, task: InferenceTask): void {
  if (ALWAYS.includes(task) || (forecaster.tasks as readonly string[]).includes(task)) return;
  const name = `${model.family}/${model.slug}`;
  throw new Rejected('invalid', 'task_not_supported', `The model ${name} does not do ${task}`, {
    ...{ task, family: model.family, slug: model.slug },
    tasks: forecaster.tasks,
  });
}

function mindHorizon({ model, maxHorizon }: ServedDeployment, horizon: number | undefined): void {
  if (horizon === undefined || horizon <= maxHorizon) return;
  throw new Rejected(
    'invalid',
    'horizon_above_cap',
    `horizon ${horizon} is above the cap of ${maxHorizon} of ${model.family}/${model.slug}`,
    { field: 'horizon', family: model.family, slug: model.slug, cap: maxHorizon, given: horizon },
  );
}

/** Names of series do not matter: they change no number. */
function inputsHashOf({ model }: Answering, series: readonly InferenceSeries[], settings: unknown): string {
  const hash = createHash('sha256').update(
    JSON.stringify([CODE_VERSION, model.family, model.slug, model.version, settings]),
  );
  for (const { start, step, period, values, covariates } of series) {
    hash.update(JSON.stringify([start, step, period, values.length, Object.keys(covariates)]));
    for (const { buffer, byteOffset, byteLength } of [values, ...Object.values(covariates)])
      hash.update(new Uint8Array(buffer, byteOffset, byteLength));
  }
  return hash.digest('hex');
}
