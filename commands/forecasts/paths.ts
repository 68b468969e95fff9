import { withConstants } from '../../domain/inference/constant.js';
import type { ServedDeployment, ServedDeployments } from '../../domain/deployments/served.js';
import { meanForecast } from '../../domain/forecasts/mixture.js';
import type { Ensemble, GoalModel, LocalMethod, LocalModel, ServedModel } from '../../domain/goals/model.js';
import { timeOfStep } from '../../domain/inference/steps.js';
import type { Compute } from '../../domain/maths/compute.js';
import type { Tasks } from '../../domain/maths/tasks.js';
import {
  forecastManyOf,
  type ForecastMany,
  type ForecastSeries,
} from '../../domain/maths/forecasting/forecaster.js';
import type { ModelRef } from '../../domain/models/hosted.js';
import { Rejected } from '../../domain/rejected.js';
import { withoutTimes } from '../inference/making.js';

export type PathDeps = {
  readonly served: ServedDeployments;
  /** @throws Rejected 404, 503 */
  readonly zeroShot: (workspace: string, ref: ModelRef) => Promise<ServedDeployment>;
  readonly compute: Pick<Compute<Tasks>, 'run'>;
  /** Forecasts that are asked for only where they are not remembered; `of`: whose, and by which model. */
  readonly remembered: (of: string, forecast: ForecastMany) => ForecastMany;
};
/**
 * What ends the work, and how much time it has left (ms): fits that may take that long leave others their
 * share of the pool. Absent: as long as any analysis may take.
 */
export type Until = { readonly signal: AbortSignal; readonly leftMs?: (() => number) | undefined };

/** How a model is asked. */
export type Path = {
  readonly many: ForecastMany;
  /** The newest values that it reads of a series, and its most steps ahead. */
  readonly lookback: number;
  readonly maxHorizon: number;
};

/** The newest values that a local method is fitted to, so that a forecast takes seconds at most. */
const LOCAL_LOOKBACK: Readonly<Record<LocalMethod, number>> = {
  seasonal_naive: 4_096,
  naive: 4_096,
  drift: 4_096,
  theta: 4_096,
  ets: 2_048,
  mstl_ets: 2_048,
  arima: 1_024,
};
/** Series that are fitted in one task of the pool, so that it ends within what a task may take. */
const FITS_AT_ONCE: Readonly<Partial<Record<LocalMethod, number>>> = { ets: 32, mstl_ets: 32, arima: 4 };
const OTHERS_AT_ONCE = 256;

/**
 * How a model is asked in a workspace.
 * @throws Rejected 404, 409, 410, 503 where it is not served; 422 where it reads more than a target
 */
export async function pathTo(
  deps: PathDeps,
  workspace: string,
  model: GoalModel,
  until: Until,
): Promise<Path> {
  if (model.kind === 'served') return servedPath(deps, workspace, model, until);
  if (model.kind === 'local') return localPath(deps, workspace, model, until);
  return mixedPath(deps, workspace, model, until);
}

async function servedPath(
  { served, zeroShot, remembered }: PathDeps,
  workspace: string,
  { promotionId, model }: ServedModel,
  { signal }: Until,
): Promise<Path> {
  const found = promotionId === null ? zeroShot(workspace, model) : served(workspace, promotionId);
  const { forecaster, model: now, lookback, maxHorizon, readsTimes, reads } = await found;
  if (reads.length > 0) throw needsCovariates(now, reads);
  const of = `${workspace} ${now.family}/${now.slug}@${now.version}`;
  const many = remembered(of, forecastManyOf(forecaster, signal));
  return { many: withConstants(readsTimes ? many : withoutTimes(many)), lookback, maxHorizon };
}

async function localPath(
  { compute, remembered }: PathDeps,
  workspace: string,
  { method }: LocalModel,
  { signal, leftMs }: Until,
): Promise<Path> {
  // Where slow ones may take long, one at a time: others come between
  const slow = FITS_AT_ONCE[method];
  const atOnce = (leftMs && slow ? 1 : slow) ?? OTHERS_AT_ONCE;
  const fitted: ForecastMany = async (series, horizon) => {
    const made = [];
    for (let from = 0; from < series.length; from += atOnce) {
      const input = { method, series: series.slice(from, from + atOnce).map(plain), horizon };
      const long = leftMs && { withinMs: Math.max(1, leftMs()), patient: true };
      const options = { lane: workspace, signal, ...long };
      made.push(...(await compute.run('localForecasts', input, options)));
    }
    return made;
  };
  const many = withoutTimes(remembered(`${workspace} ${method}`, withoutTimes(fitted)));
  return { many, lookback: LOCAL_LOOKBACK[method], maxHorizon: Number.MAX_SAFE_INTEGER };
}

/** A view would be sent with all that it is a part of. */
const plain = ({ values, period }: ForecastSeries) => ({ values: values.slice(), period });

async function mixedPath(
  deps: PathDeps,
  workspace: string,
  { members }: Ensemble,
  until: Until,
): Promise<Path> {
  const paths = await Promise.all(members.map(({ model }) => pathTo(deps, workspace, model, until)));
  return {
    lookback: Math.max(...paths.map(({ lookback }) => lookback)),
    maxHorizon: Math.min(...paths.map(({ maxHorizon }) => maxHorizon)),
    async many(series, horizon) {
      const made = await Promise.all(
        paths.map(({ many, lookback }) =>
          many(
            series.map(one => newest(one, lookback)),
            horizon,
          ),
        ),
      );
      return series.map((_, i) =>
        meanForecast(members.map(({ weight }, m) => ({ forecast: made[m]![i]!, weight }))),
      );
    },
  };
}

/** Members read as far back as they do by themselves. */
function newest(series: ForecastSeries, lookback: number): ForecastSeries {
  const cut = series.values.length - lookback;
  if (cut <= 0) return series;
  const { values, times, ...rest } = series;
  const later = times && { times: { ...times, start: timeOfStep(times, cut) } };
  return { ...rest, values: values.subarray(cut), ...later };
}

const needsCovariates = ({ family, slug }: ModelRef, reads: readonly string[]): Rejected =>
  new Rejected(
    'unprocessable',
    'covariates_required',
    `The model ${family}/${slug} reads ${reads.join(', ')}, and a goal has its target alone`,
    { family, slug, covariates: reads },
  );
