import { array, nullable, object } from '../../json-schema.js';
import { maybeNumber, number, text, time, whole } from './schemas.js';

const metrics = {
  mase: maybeNumber,
  rmsse: maybeNumber,
  smape: { ...maybeNumber, description: '0 to 200' },
  mae: maybeNumber,
  crps: { ...maybeNumber, description: 'over the nine deciles' },
  coverage_80: maybeNumber,
  coverage_95: maybeNumber,
  bias: maybeNumber,
} as const;

const point = object({
  fold: whole,
  entity: nullable(text),
  step: { ...whole, description: 'from 1' },
  ts: time,
  actual: maybeNumber,
  mean: number,
  quantiles: { type: 'object', additionalProperties: number },
});

/** How well a training did; every number of it follows from its points. */
export const reportAnswer = object({
  data: object({
    training_id: text,
    metric: text,
    score: maybeNumber,
    period: { ...whole, description: 'steps of the season that MASE is scaled by' },
    metrics: object(metrics),
    baseline: { ...object(metrics), description: 'of seasonal naive' },
    skill: { ...maybeNumber, description: '1 - score/baseline' },
    folds: array(
      object({
        fold: whole,
        train_from: time,
        train_to: time,
        test_from: time,
        test_to: time,
        score: maybeNumber,
        ...metrics,
      }),
    ),
    per_step: array(object({ step: whole, ...metrics })),
    per_entity: array(object({ entity: text, ...metrics })),
    calibration: array(object({ nominal: number, observed: number, n: whole })),
    residuals: object({
      mean: maybeNumber,
      autocorrelation: array(number),
      ljung_box_p: maybeNumber,
    }),
    importance: array(object({ feature: text, importance: number, kind: text })),
    event_effects: array(object({ stream: text, effect: number, n: whole })),
    backtest: object({ points: array(point) }),
    warnings: array(text),
  }),
});
