import { averageGrade, gradeOf, scalesOf, type Grade, type Scales } from '../inference/grade.js';
import type { FoldForecast, TrainingMetric } from './ports.js';
import type { BacktestPoint, Metrics, Report } from './report.js';
import type { Evaluated } from './evaluated.js';
import { eventEffectsOf } from './event-effects.js';
import { residualsOf } from './residuals.js';
import { warningsOf } from './warnings.js';

/** A point of a backtest takes some 300 bytes as text: no more of them are told. */
export const MOST_POINTS = 100_000;

/**
 * Judges forecasts of folds. A number of several forecasts (of folds and entities) is the mean of theirs,
 * over those that have it, as in `averageGrade`: of one step, one fold, one entity, or all. A band's level is
 * calibrated where as many actuals as it says lie inside, borders included, all folds and steps together.
 */
export function reportOf(evaluated: Evaluated): Report {
  const { table, metric, period, made, naive, importance } = evaluated;
  const judged = judgedOf(made, period);
  const metrics = metricsOf(judged.map(({ grade }) => grade));
  const baseline = metricsOf(judgedOf(naive, period).map(({ grade }) => grade));
  const [score, against] = [metrics[metric], baseline[metric]];
  const points = made.flatMap(pointsOf);
  return {
    ...{ metric, score, period, metrics, baseline, importance },
    skill: score === null || !against ? null : 1 - score / against,
    folds: table.folds.map(({ train, test }, fold) => {
      const own = metricsOf(judged.filter(each => each.made.fold === fold).map(({ grade }) => grade));
      const times = { train_from: train.from, train_to: train.to, test_from: test.from, test_to: test.to };
      return { fold, ...times, ...own, score: own[metric] };
    }),
    per_step: perStepOf(judged),
    per_entity: perEntityOf(judged),
    calibration: BANDS.map(nominal => ({ nominal, ...observedOf(points, nominal) })),
    residuals: residualsOf(made),
    event_effects: eventEffectsOf(table, made),
    backtest: { points: points.slice(-MOST_POINTS) },
    warnings: [
      ...warningsOf(evaluated, { score, against }),
      ...(points.length > MOST_POINTS ? ['backtest_cut'] : []),
      ...evaluated.warnings,
    ],
  };
}

/** The score of a report alone. */
export const scoreOf = (
  made: readonly FoldForecast[],
  metric: TrainingMetric,
  period: number,
): number | null => metricsOf(judgedOf(made, period).map(({ grade }) => grade))[metric];

const BANDS = [0.2, 0.4, 0.6, 0.8, 0.95];

type Judged = { readonly made: FoldForecast; readonly scales: Scales; readonly grade: Grade };

const judgedOf = (forecasts: readonly FoldForecast[], period: number): Judged[] =>
  forecasts.map(made => {
    const scales = scalesOf(made.history, period);
    return { made, scales, grade: gradeOf(made.forecast, made.actual, scales) };
  });

function metricsOf(grades: readonly Grade[]): Metrics {
  const { mase, rmsse, smape, mae, crps, coverage80, coverage95, bias } = averageGrade(grades);
  return { mase, rmsse, smape, mae, crps, coverage_80: coverage80, coverage_95: coverage95, bias };
}

function perStepOf(judged: readonly Judged[]): Report['per_step'] {
  const steps = judged.reduce((most, { made }) => Math.max(most, made.actual.length), 0);
  return Array.from({ length: steps }, (_, h) => ({
    step: h + 1,
    ...metricsOf(
      judged
        .filter(({ made }) => h < made.actual.length)
        .map(({ made, scales }) => gradeOf(stepOf(made, h), made.actual.subarray(h, h + 1), scales)),
    ),
  }));
}

const stepOf = ({ forecast: { mean, quantiles } }: FoldForecast, h: number) => ({
  mean: mean.subarray(h, h + 1),
  quantiles: quantiles.map(({ level, values }) => ({ level, values: values.subarray(h, h + 1) })),
});

function perEntityOf(judged: readonly Judged[]): Report['per_entity'] {
  const grades = new Map<string, Grade[]>();
  for (const { made, grade } of judged) {
    if (made.entity === null) continue;
    const own = grades.get(made.entity) ?? [];
    own.push(grade);
    grades.set(made.entity, own);
  }
  return [...grades].map(([entity, own]) => ({ entity, ...metricsOf(own) }));
}

const pointsOf = ({ fold, entity, forecast, actual }: FoldForecast): BacktestPoint[] =>
  Array.from(forecast.times, (ts, h) => ({
    ...{ fold, entity, step: h + 1, ts },
    actual: Number.isFinite(actual[h]!) ? actual[h]! : null,
    mean: forecast.mean[h]!,
    quantiles: Object.fromEntries(forecast.quantiles.map(({ level, values }) => [level, values[h]!])),
  }));

/** Of the levels of a backtest, those of a central band. */
const levelOf = (level: number): string => String(Number(level.toFixed(3)));

function observedOf(points: readonly BacktestPoint[], band: number) {
  const [low, high] = [levelOf((1 - band) / 2), levelOf((1 + band) / 2)];
  let [inside, n] = [0, 0];
  for (const { actual, quantiles } of points) {
    if (actual === null) continue;
    n++;
    inside += Number(quantiles[low]! <= actual && actual <= quantiles[high]!);
  }
  return { observed: n === 0 ? 0 : inside / n, n };
}
