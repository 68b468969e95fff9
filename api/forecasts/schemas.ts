import { GOAL_METRICS } from '../../domain/goals/settings.js';
import { SERVED_BY } from '../../domain/goals/model.js';
import { array, nullable, object } from '../../json-schema.js';
import { asOfGiven, asOfMember } from '../edge/as-of.js';
import { perPageMembers, perPageQuery } from '../edge/paging.js';
import { appliedEvent, carriedEvents, scorerVersion, shockBlend } from '../inference/moved-schemas.js';
import { replayAnswer as replayed } from '../inference/record-schemas.js';

const text = { type: 'string' } as const;
const maybe = { type: ['string', 'null'] } as const;
const number = { type: 'number' } as const;
const maybeNumber = { type: ['number', 'null'] } as const;
const whole = { type: 'integer', minimum: 0 } as const;
const time = { type: 'string', format: 'date-time' } as const;
const maybeTime = { type: ['string', 'null'], format: 'date-time' } as const;
const numbers = { type: 'object', additionalProperties: number } as const;
const id = { type: 'string', maxLength: 64 } as const;
const goalId = { ...id, description: 'id of a goal', examples: ['goa_0123456789abcdef'] } as const;
const forecastId = {
  ...id,
  description: 'id of a forecast',
  examples: ['fct_0123456789abcdef'],
} as const;

export const goalParams = object({ goal_id: goalId });
export const forecastParams = object({ goal_id: goalId, forecast_id: forecastId });

export const listQuery = object(perPageQuery(), {
  from: { type: 'string', description: 'issued at this time or later', examples: ['2026-01-01'] },
  to: { type: 'string', description: 'issued at this time or before', examples: ['2030-01-01'] },
  as_of: asOfGiven,
});
export const asOfQuery = object({}, { as_of: asOfGiven });
export const compareQuery = object({
  a: { ...forecastId, description: 'id of the one forecast' },
  b: { ...forecastId, description: 'id of the other' },
});
export const nowBody = object(
  {},
  {
    max_credits: { type: 'number', minimum: 0, description: 'refused with 402 where it would cost more' },
  },
);

const point = object({ ts: time, mean: number, quantiles: numbers });
const warnings = array(object({ code: text, message: text }));

/** What forecasts: an ensemble has members, each with its weight. */
const single = {
  kind: { enum: ['served', 'local', 'ensemble'] },
  promotion_id: maybe,
  family: maybe,
  slug: maybe,
  version: maybe,
  method: maybe,
} as const;
export const model = object({
  name: text,
  ...single,
  members: array(object({ ...single, weight: number })),
});

const calibration = object({
  method: { enum: ['conformal', 'model'], description: '`model`: the bands are those of the model' },
  level: { ...number, description: 'of the band that is held to its share' },
  coverage_recent: {
    ...maybeNumber,
    description: 'share of actuals inside that band of late: of the goal, before any came of past forecasts',
  },
  n: { ...whole, description: 'steps that this share is of' },
  widened_by: { ...number, description: 'factor on the width of bands; the mean over the steps' },
  by_step: { ...array(number), description: "the part of that factor that is the goal's own record" },
});

const metadata = object({
  data_cutoff: { ...time, description: 'time of the newest value that was read' },
  lookback_used: whole,
  filled_points: whole,
  period: { ...whole, description: 'steps of the main season; 1: none' },
  served_by: { enum: SERVED_BY },
  calibration,
  applied_events: array(appliedEvent),
  skipped_events: whole,
  carried_events: carriedEvents,
  shock: nullable(shockBlend),
  provenance: object({
    training_id: maybe,
    segment_version: { type: ['integer', 'null'] },
    table_hash: maybe,
    event_log_position: { type: 'integer' },
    scorer_version: scorerVersion,
    code_version: text,
    seed: { type: 'integer' },
    inputs_hash: text,
  }),
});

export const forecast = object({
  forecast_id: id,
  goal_id: id,
  issued_at: time,
  as_of: {
    ...time,
    description: 'what was known then; where a past moment was asked of one forecast, that moment',
  },
  made_as_of: { ...time, description: 'it was made from what was known then, whatever moment is asked of' },
  trigger: { enum: ['activation', 'cadence', 'manual', 'shock', 'scheduled_event'] },
  due_at: { ...maybeTime, description: 'the beat of the cadence that it is for; null: for none' },
  horizon: whole,
  step_s: whole,
  step_months: { ...nullable(whole), description: 'steps are so many calendar months; null: of `step_s`' },
  points: array(point),
  metadata,
  served_by: { enum: SERVED_BY },
  model,
  warnings,
  shock_state: { enum: ['normal', 'shock', 'recovering'] },
  supersedes: maybe,
  actuals: { ...array(object({ ts: time, value: number })), description: 'those that came so far' },
  grade: nullable(
    object({
      metric: { enum: GOAL_METRICS },
      value: maybeNumber,
      coverage: { ...maybeNumber, description: 'share of actuals inside the central 80% band' },
      graded_steps: whole,
    }),
  ),
  usage: object({ credits: number }),
});
export const oneAnswer = object({ data: forecast });
export const replayAnswer = object({ data: replayed });
export const listAnswer = object({
  data: object({ forecasts: array(forecast), ...perPageMembers }, { as_of: asOfMember }),
});

const brief = object({
  forecast_id: id,
  issued_at: time,
  served_by: { enum: SERVED_BY },
  model,
  shock_state: text,
});
export const compareAnswer = object({
  data: object({
    ...{ a: brief, b: brief },
    points: {
      ...array(
        object({
          ts: time,
          a: object({ mean: number, quantiles: numbers }),
          b: object({ mean: number, quantiles: numbers }),
          delta: { ...number, description: 'mean of b less mean of a' },
        }),
      ),
      description: 'the steps that both have',
    },
    total_delta: number,
  }),
});

const figures = {
  value: { ...maybeNumber, description: "in the goal's metric" },
  skill_vs_naive: { ...maybeNumber, description: "1 less the share of seasonal naive's loss" },
  coverage_80: maybeNumber,
  graded_steps: { ...whole, description: 'steps of forecasts: one for each forecast of a step' },
} as const;
export const accuracyAnswer = object({
  data: object({
    goal_id: id,
    metric: { enum: GOAL_METRICS },
    value_7d: maybeNumber,
    value_30d: maybeNumber,
    skill_vs_naive: { ...maybeNumber, description: 'of the 30 days' },
    coverage_80_30d: maybeNumber,
    graded_steps: whole,
    until: { ...maybeTime, description: 'the newest step that was graded: the days end there' },
    by_step: {
      ...array(object({ steps_ahead: whole, ...figures })),
      description: 'of the 30 days, by steps ahead',
    },
  }),
});

export const explainAnswer = object({
  data: object({
    goal_id: id,
    forecast_id: id,
    issued_at: time,
    served_by: { enum: SERVED_BY },
    model,
    components: array(
      object({
        name: { enum: ['level', 'trend', 'seasonality', 'covariate', 'events', 'shock'] },
        points: { ...array(number), description: 'one for each step; all components add up to the mean' },
      }),
    ),
    drivers: array(object({ key: text, contribution: number, direction: { enum: ['up', 'down'] } })),
    applied_events: array(appliedEvent),
    warnings,
  }),
});
