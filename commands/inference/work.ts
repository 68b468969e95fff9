import { createHash } from 'node:crypto';
import type { ServedDeployment, ServedDeployments } from '../../domain/deployments/served.js';
import type { AwaitedTimes, Awaits, HistoryRead, InferenceTask } from '../../domain/inference/facts.js';
import { withConstants } from '../../domain/inference/constant.js';
import type { InferenceSeries, Warning } from '../../domain/inference/forecasting.js';
import { asOfIn, checkRequest, type InferenceRequest } from '../../domain/inference/request.js';
import {
  forecastManyOf,
  type Forecaster,
  type ForecastMany,
} from '../../domain/maths/forecasting/forecaster.js';
import { Rejected } from '../../domain/rejected.js';
import { historiesOf, type Histories, type SignalReads } from './histories.js';
import type { Made } from './keeping.js';

/** Of the formulas between a request and its answer: raised with whatever changes a number. */
export const CODE_VERSION = 'inference-2';

/** What serves a pipeline of a workspace, by promotion id; null: nothing yet. @throws Rejected 404 */
export type ServingOf = (workspace: string, pipelineId: string) => Promise<string | null>;

export type WorkDeps = {
  readonly served: ServedDeployments;
  readonly servingOf: ServingOf;
  readonly reads: SignalReads;
  /** Forecasts that are asked for only where they are not remembered; `of`: whose, and by which model. */
  readonly remembered: (of: string, forecast: ForecastMany) => ForecastMany;
};

/** How a task asks its model: many forecasts of quantiles, or one call with all that the model says. */
export type Ask = {
  readonly many: ForecastMany;
  readonly forecast: (...asked: Asked) => ReturnType<Forecaster['forecast']>;
};
type Asked = [series: Parameters<Forecaster['forecast']>[0], horizon: number];

/** A request of which all is known that its numbers follow from. */
export type Prepared<S extends object = object> = {
  readonly deployment: ServedDeployment;
  /** The key that was asked for; null: the series stood in the request. */
  readonly key: string | null;
  readonly series: readonly InferenceSeries[];
  /** Times of the newest values, epoch ms. */
  readonly cutoffs: readonly number[];
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
  readonly settings: (request: InferenceRequest, deployment: ServedDeployment) => S;
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
 * Finds the deployment and reads the series.
 * @throws Rejected 404 for a deployment or a key that is not there, 409, 410; 400 for what the model does not
 *   do; 422 for what is wrong with the request, and for too little history
 */
export async function prepare<S extends object>(
  { reads, ...deployments }: WorkDeps,
  task: Task<S>,
  workspace: string,
  request: InferenceRequest,
  now: number,
): Promise<Prepared<S>> {
  checkRequest(request);
  const asOf = asOfIn(request, now);
  const deployment = await deploymentOf(deployments, workspace, request);
  mindTask(deployment, task.task);
  mindHorizon(deployment, request.horizon);
  const upTo = await reads.upTo();
  const histories = await historiesOf(reads, workspace, request, { asOf, most: deployment.lookback });
  return prepared(task, deployment, request, histories, upTo);
}

/** The same, of histories that are at hand. @throws Rejected as `prepare` */
export function prepared<S extends object>(
  task: Task<S>,
  deployment: ServedDeployment,
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
    ...{ deployment, series, settings, warnings, read, upTo, inputsHash },
    key: request.key ?? null,
    horizon: task.horizon(settings),
    cutoffs: given.map(({ cutoff }) => cutoff),
    inputPoints: given.reduce((sum, { count }) => sum + count, 0),
    seed: request.seed ?? Number.parseInt(inputsHash.slice(0, 8), 16),
  };
}

/** For whom a model is asked, since when (`performance.now()`), and until when anybody wants the answer. */
export type Asking = {
  readonly workspace: string;
  readonly askedBy: string;
  readonly began: number;
  readonly signal: AbortSignal;
  /** Nothing that is remembered counts: every number is made again. */
  readonly anew?: boolean;
};

/** Asks the model. */
export async function make<S extends object>(
  { remembered }: Pick<WorkDeps, 'remembered'>,
  task: Task<S>,
  prepared: Prepared<S>,
  { workspace, askedBy, began, signal, anew = false }: Asking,
): Promise<Made> {
  const { deployment, key, series, read, upTo, inputsHash, seed, inputPoints, horizon } = prepared;
  const { forecaster, model, madeBy, promotionId } = deployment;
  let calls = 0;
  const forecast: Ask['forecast'] = (...asked) => {
    calls++;
    return forecaster.forecast(...asked, signal);
  };
  const bare = forecastManyOf({ forecast }, signal);
  // Of each workspace by itself: that something is remembered would tell one what another had asked
  const of = `${workspace} ${model.family}/${model.slug}@${model.version}`;
  const asked = anew ? bare : remembered(of, bare);
  const many = withConstants(deployment.readsTimes ? asked : withoutTimes(asked));
  const { answer, numbers, outputPoints, awaits: times } = await task.make(prepared, { many, forecast });
  const awaits: Awaits | null =
    key === null || times === undefined ? null : { ...(read[0]?.of ?? { workspace, key }), ...times };
  return {
    ...{ task: task.task, promotionId, read, upTo, inputsHash, seed, inputPoints, outputPoints },
    ...{ answer, numbers, horizon, awaits, askedBy },
    model: { family: model.family, slug: model.slug, version: model.version, name: model.name },
    ...(madeBy && { madeBy }),
    codeVersion: CODE_VERSION,
    cached: calls === 0,
    series: series.length,
    cutoff: prepared.cutoffs.reduce((newest, time) => Math.max(newest, time), -Infinity),
    tookMs: Math.round((performance.now() - began) * 100) / 100,
  };
}

/** For models that do not read when values were: the same values have the same forecast. */
const withoutTimes =
  (forecast: ForecastMany): ForecastMany =>
  (series, horizon) =>
    forecast(
      series.map(({ times: _, ...one }) => one),
      horizon,
    );

/** @throws Rejected 404 naming what there is none of, 409 for a pipeline that nothing serves yet */
async function deploymentOf(
  { served, servingOf }: Pick<WorkDeps, 'served' | 'servingOf'>,
  workspace: string,
  { promotion_id, goal_id, pipeline_id }: InferenceRequest,
): Promise<ServedDeployment> {
  if (goal_id !== undefined) throw noSuch('goal', goal_id);
  if (pipeline_id === undefined) return served(workspace, promotion_id!);
  const serving = await servingOf(workspace, pipeline_id);
  if (serving === null) throw nothingServes(pipeline_id);
  return served(workspace, serving).catch((error: unknown) => {
    const next = replacementIn(error);
    if (next === null) throw error;
    return served(workspace, next);
  });
}

/** A version that was retired just now says which one took its place. */
const replacementIn = (error: unknown): string | null => {
  const isRetired = error instanceof Rejected && error.code === 'deployment_retired';
  return isRetired ? (error.details['replacement'] as string | null) : null;
};

const nothingServes = (pipelineId: string): Rejected =>
  new Rejected('conflict', 'deployment_not_ready', `Nothing serves the pipeline '${pipelineId}' yet`, {
    pipeline_id: pipelineId,
    retry_after_s: 30,
  });

const noSuch = (what: string, id: string): Rejected =>
  new Rejected('missing', 'not_found', `There is no ${what} '${id}'`, { [`${what}_id`]: id });

/** What every model that forecasts can do; the others it must list. */
const ALWAYS: readonly InferenceTask[] = ['forecast', 'backtest'];

function mindTask({ model, forecaster }: ServedDeployment, task: InferenceTask): void {
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
function inputsHashOf(
  { model }: ServedDeployment,
  series: readonly InferenceSeries[],
  settings: unknown,
): string {
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
