import { createHash } from 'node:crypto';
import { awaitedTimes } from '../../domain/inference/arrived.js';
import { withConstants } from '../../domain/inference/constant.js';
import type { Awaits } from '../../domain/inference/facts.js';
import type { KeptForecasts } from '../../domain/inference/kept-forecast.js';
import type { Moves } from '../../domain/inference/moves.js';
import { forecastManyOf, type ForecastMany } from '../../domain/maths/forecasting/forecaster.js';
import type { GoalTarget, Remembered } from './goals.js';
import type { Made } from './keeping.js';
import { CODE_VERSION, type Answered, type Ask, type Prepared, type Task, type WorkDeps } from './work.js';

/** For whom a model is asked, since when (`performance.now()`), and until when anybody wants the answer. */
export type Asking = {
  readonly workspace: string;
  readonly askedBy: string;
  readonly began: number;
  readonly signal: AbortSignal;
  /** Nothing that is remembered counts: every number is made again, by the same and by nothing else. */
  readonly anew?: boolean;
  /** Of a goal's target: what moved the forecast that is made again. */
  readonly moves?: Moves | undefined;
};

/** Asks the model; where it cannot, and something else may answer, asks that. */
export async function make<S extends object>(
  deps: Pick<WorkDeps, 'remembered'>,
  task: Task<S>,
  prepared: Prepared<S>,
  asking: Asking,
): Promise<Made> {
  try {
    return await madeOf(deps, task, prepared, asking);
  } catch (error) {
    asking.signal.throwIfAborted();
    if (!prepared.otherwise) throw error;
    return make(deps, task, await prepared.otherwise(error), asking);
  }
}

async function madeOf<S extends object>(
  { remembered }: Pick<WorkDeps, 'remembered'>,
  task: Task<S>,
  prepared: Prepared<S>,
  { workspace, askedBy, began, signal, anew = false, moves }: Asking,
): Promise<Made> {
  const { deployment, goal, key, series, given, read, upTo, seed, inputPoints } = prepared;
  const { forecaster, model, madeBy, promotionId, manyBy } = deployment;
  let calls = 0;
  const forecast: Ask['forecast'] = (...asked) => {
    calls++;
    return forecaster.forecast(...asked, signal);
  };
  const counted: Remembered = (of, bare) => {
    const counting: ForecastMany = (...asked) => {
      calls++;
      return bare(...asked);
    };
    return anew ? counting : remembered(of, counting);
  };
  const byForecaster = (): ForecastMany => {
    const bare = forecastManyOf({ forecast }, signal);
    // Of each workspace by itself: that something is remembered would tell one what another had asked
    const of = `${workspace} ${model.family}/${model.slug}@${model.version}`;
    const asked = anew ? bare : remembered(of, bare);
    return withConstants(deployment.readsTimes ? asked : withoutTimes(asked));
  };
  const many = manyBy ? await manyBy(counted, signal) : byForecaster();
  const made = await task.make(prepared, { many, forecast });
  const isMoved = goal?.target && task.task === 'forecast';
  const {
    inputsHash,
    answer,
    numbers,
    awaits: times,
  } = isMoved
    ? await movedOf(goal.target, made, prepared, moves)
    : { ...made, inputsHash: prepared.inputsHash };
  const awaits: Awaits | null =
    key === null || times === undefined ? null : { ...(read[0]?.of ?? { workspace, key }), ...times };
  return {
    ...{ task: task.task, promotionId, read, upTo, inputsHash, seed, inputPoints },
    ...{ outputPoints: made.outputPoints, answer, numbers, horizon: prepared.horizon, awaits, askedBy },
    ...(goal && { goal: goal.forGoal }),
    model: { family: model.family, slug: model.slug, version: model.version, name: model.name },
    ...(madeBy && { madeBy }),
    codeVersion: CODE_VERSION,
    cached: calls === 0,
    series: series.length,
    cutoff: given.reduce((newest, { cutoff }) => Math.max(newest, cutoff), -Infinity),
    tookMs: Math.round((performance.now() - began) * 100) / 100,
  };
}

/** A number has at most so many bytes in JSON. */
const LONGEST_NUMBER = 25;

/** The forecast of a goal's target, moved as the goal's own are; the hash is of what moved it, too. */
async function movedOf(
  target: GoalTarget,
  { answer, numbers }: Answered,
  { given, inputsHash }: Pick<Prepared, 'given' | 'inputsHash'>,
  moves: Moves | undefined,
) {
  const moved = await target.moved(answer as KeptForecasts, given[0]!, moves);
  const told = JSON.stringify(moved.moves);
  return {
    answer: moved,
    numbers: numbers + Math.ceil(told.length / LONGEST_NUMBER),
    awaits: awaitedTimes(moved.forecasts),
    inputsHash: createHash('sha256').update(inputsHash).update(told).digest('hex'),
  };
}

/** For models that do not read when values were: the same values have the same forecast. */
export const withoutTimes =
  (forecast: ForecastMany): ForecastMany =>
  (series, horizon) =>
    forecast(
      series.map(({ times: _, ...one }) => one),
      horizon,
    );
