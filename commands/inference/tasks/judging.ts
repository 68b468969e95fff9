import { backtest, type Backtest, type BacktestWanted } from '../../../domain/inference/backtest.js';
import { imputeSeries, judgedOf, judgeSeries } from '../../../domain/inference/judged.js';
import type { InferenceSeries } from '../../../domain/inference/forecasting.js';
import { keptBacktest, keptPoints } from '../../../domain/inference/kept-points.js';
import { Rejected } from '../../../domain/rejected.js';
import type { Answering } from '../goals.js';
import type { Task } from '../work.js';
import { mostOf } from './forecast.js';

/** Where a request does not say. */
const LEVEL = 99;
const WINDOWS = 5;
/** Newest points that are judged. */
const WINDOW = 100;

/** Whether the newest points of series are what those before them let expect. */
export const anomalyTask: Task<{
  readonly level: number;
  readonly window: number;
  readonly lookback: number;
}> = {
  task: 'anomaly',
  settings: ({ level = LEVEL, window = WINDOW }, { lookback }) => ({ level, window, lookback }),
  horizon: () => null,
  outputs: ({ series, settings: { window } }) =>
    sumOf(series, ({ values }) => judgedOf(values.length, window)),
  async make({ series, settings: { level, window } }, { many }) {
    const judged = await judgeSeries(series, { count: window, level: level / 100 }, many);
    const anomalies = judged.map((points, i) => ({ id: series[i]!.id, points: keptPoints(points) }));
    const count = judged.reduce((sum, { length }) => sum + length, 0);
    return { answer: { anomalies }, numbers: count * 7, outputPoints: count };
  },
};

/** Forecasts as they would have been made at past moments, and how good they were. */
export const backtestTask: Task<BacktestWanted> = {
  task: 'backtest',
  settings({ windows = WINDOWS, horizon, step, fill }, deployment) {
    if (deployment.reads.length > 0) throw readsOthers(deployment);
    const ahead = horizon ?? deployment.horizon;
    return {
      ...{ windows, horizon: ahead, step: step ?? ahead },
      fill: fill ?? 'linear',
      lookback: deployment.lookback,
      ...mostOf(deployment),
    };
  },
  horizon: ({ horizon }) => horizon,
  outputs: ({ series, settings }) => series.length * settings.windows * settings.horizon,
  async make({ series, settings }, { many }) {
    const made: readonly Backtest[] = await backtest(series, settings, many);
    const steps = series.length * settings.windows * settings.horizon;
    return { answer: { backtests: made.map(keptBacktest) }, numbers: steps * 14, outputPoints: steps };
  },
};

/** Gaps of series, filled from both sides. */
export const imputeTask: Task<{ readonly lookback: number }> = {
  task: 'impute',
  settings: (_, { lookback }) => ({ lookback }),
  horizon: () => null,
  outputs: ({ series }) => sumOf(series, ({ values }) => values.length),
  async make({ series, deployment }, { many }) {
    const filled = await imputeSeries(series, deployment.maxHorizon, many);
    const imputations = filled.map((points, i) => ({ id: series[i]!.id, points: keptPoints(points) }));
    const count = filled.reduce((sum, { length }) => sum + length, 0);
    return { answer: { imputations }, numbers: count * 5, outputPoints: count };
  },
};

const readsOthers = ({ model, reads }: Answering): Rejected =>
  new Rejected(
    'unprocessable',
    'covariates_required',
    `${model.name} reads ${reads.join(', ')}, which a backtest is not given: its training's report has one`,
    { missing: reads },
  );

const sumOf = (series: readonly InferenceSeries[], count: (one: InferenceSeries) => number): number =>
  series.reduce((sum, one) => sum + count(one), 0);
