import { INFERENCE_TASKS } from '../../domain/inference/facts.js';
import { asOfMember } from '../edge/as-of.js';
import { array, nullable, object } from '../../json-schema.js';
import { appliedEvent, carriedEvents, scorerVersion, shockBlend } from './moved-schemas.js';

const text = { type: 'string' } as const;
const maybe = { type: ['string', 'null'] } as const;
export const time = { type: 'string', format: 'date-time' } as const;
const number = { type: 'number' } as const;
const count = { type: 'integer', minimum: 0 } as const;

export const inferenceId = { type: 'string', maxLength: 64, examples: ['inf_0123456789abcdef'] } as const;
export const status = {
  enum: ['queued', 'running', 'completed', 'graded', 'failed', 'cancelled'],
} as const;
export const task = { enum: INFERENCE_TASKS } as const;

/** Any numbers by name, such as quantiles by level. */
const numbers = { type: 'object', additionalProperties: number } as const;

export const maybeNumber = { type: ['number', 'null'] } as const;

/** How good a forecast was; null where that cannot be told. */
export const grade = {
  mase: { ...maybeNumber, description: 'in units of the seasonal naive error within the history' },
  rmsse: maybeNumber,
  smape: { ...maybeNumber, description: '0 to 200' },
  mae: maybeNumber,
  crps: {
    ...maybeNumber,
    description:
      'twice the pinball loss, mean over steps and the nine deciles; over all levels where not all are there',
  },
  coverage_80: {
    ...maybeNumber,
    description: 'share of actuals within the central 80% band, if it was asked for',
  },
  coverage_95: maybeNumber,
  bias: { ...maybeNumber, description: 'mean of forecast minus actual' },
  graded_steps: count,
} as const;

const judged = {
  method: { enum: ['conformal', 'model'], description: '`model`: too little past, the bands are its own' },
  level: { ...number, description: 'of the band that is judged' },
  coverage_recent: {
    type: ['number', 'null'],
    description: 'share of past actuals inside that band, as it was then',
  },
  n: { ...count, description: 'steps of past forecasts that were judged' },
  widened_by: { ...number, description: 'factor on the width of bands' },
} as const;
const calibration = object(judged);
const servedBy = {
  ...maybe,
  description: 'of a goal: who answered, in its order of falling back; null: no goal was asked for',
} as const;

const warnings = array(object({ code: text, message: text }, { id: text }));

const explanation = object({
  components: array(
    object({
      name: { enum: ['level', 'trend', 'seasonality', 'covariate', 'events', 'shock'] },
      points: { ...array(number), description: 'one for each step; all components add up to the mean' },
    }),
  ),
  drivers: array(object({ key: text, contribution: number, direction: { enum: ['up', 'down'] } })),
});

const forecast = object(
  {
    id: text,
    step_s: { type: 'integer', description: 'of calendar months their mean length' },
    points: array(
      object({
        ts: time,
        mean: { ...number, description: 'the median, until a model gives a mean of its own' },
        quantiles: { ...numbers, description: 'by level, as `"0.1"`' },
      }),
    ),
  },
  { explanation: { ...explanation, description: 'where it was asked for' } },
);

export const metadata = object({
  as_of: asOfMember,
  data_cutoff: { ...time, description: 'the newest of all series' },
  lookback_used: { ...count, description: 'the most of all series' },
  filled_points: { ...count, description: 'of all series together' },
  calibration: {
    ...object(judged, {
      by_step: {
        ...array(number),
        description: "of a goal's target: the part of that factor that is the goal's own record",
      },
    }),
    description: 'of several series: of all steps that were judged',
  },
  series: {
    ...array(
      object({
        id: text,
        period: { type: 'integer', description: 'steps of the main season, 1 for none' },
        lookback_used: count,
        filled_points: count,
        data_cutoff: { ...time, description: 'time of the newest value' },
        calibration,
      }),
    ),
    description: 'what each forecast stands on, in their order',
  },
  served_by: servedBy,
  applied_events: { ...array(appliedEvent), description: "those that move the forecast of a goal's target" },
  skipped_events: { ...count, description: 'those that would, had that not been switched off' },
  carried_events: carriedEvents,
  shock: nullable(shockBlend),
  provenance: object({
    training_id: maybe,
    segment_version: { type: ['integer', 'null'] },
    table_hash: maybe,
    event_log_position: { type: 'integer', description: 'where the log stood that was read' },
    scorer_version: scorerVersion,
    code_version: text,
    seed: count,
    inputs_hash: text,
  }),
});

export const usage = object({
  series: count,
  input_points: count,
  output_points: { ...count, description: 'steps, of all series together' },
  credits: { ...number, description: 'what it cost, charged once it was kept' },
  latency_ms: number,
  cached: { type: 'boolean' },
});

export const model = object({ family: text, slug: text, name: text, version: text });

/** What stands around the answers of all tasks. */
export const around = {
  inference_id: inferenceId,
  status,
  promotion_id: { ...maybe, description: 'null: what serves the goal has no deployment' },
  goal_id: maybe,
  model,
  issued_at: time,
  usage,
  warnings,
} as const;

export const forecastAnswer = object({
  ...around,
  horizon: count,
  step_s: { type: ['integer', 'null'], description: 'null where series differ: each says its own' },
  forecasts: array(forecast),
  metadata,
});

const standsOn = {
  as_of: asOfMember,
  served_by: servedBy,
  data_cutoff: metadata.properties.data_cutoff,
  provenance: metadata.properties.provenance,
} as const;
const withMetadata = { ...around, metadata: object(standsOn) } as const;
const point = { ts: time } as const;

export const anomalyAnswer = object({
  ...withMetadata,
  anomalies: array(
    object({
      id: text,
      points: array(
        object({
          ...point,
          value: { ...maybeNumber, description: 'null where it is missing' },
          anomaly: { type: 'boolean' },
          score: { ...maybeNumber, description: 'distance from `expected` in half widths of the 80% band' },
          expected: maybeNumber,
          lower: { ...maybeNumber, description: 'outside of `lower` to `upper` a value is an anomaly' },
          upper: maybeNumber,
        }),
      ),
    }),
  ),
});

export const backtestAnswer = object({
  ...withMetadata,
  horizon: count,
  backtests: array(
    object({
      id: text,
      period: { type: 'integer', description: 'steps of the season that MASE is scaled by' },
      metrics: { ...object(grade), description: 'means over the windows' },
      windows: array(
        object({
          cutoff: { ...time, description: 'time of the last step that was known' },
          points: array(object({ ...point, actual: maybeNumber, mean: number, quantiles: numbers })),
          metrics: object(grade),
        }),
      ),
    }),
  ),
});

export const imputeAnswer = object({
  ...withMetadata,
  imputations: array(
    object({
      id: text,
      points: array(
        object({
          ...point,
          value: { ...maybeNumber, description: 'null in a gap that is too long' },
          imputed: { type: 'boolean' },
          lower: { ...maybeNumber, description: '10% quantile of what was filled in' },
          upper: { ...maybeNumber, description: '90% quantile' },
        }),
      ),
    }),
  ),
});

export const embedAnswer = object({
  ...withMetadata,
  embeddings: array(object({ id: text, embedding: array(number) })),
});

export const classifyAnswer = object({
  ...withMetadata,
  classifications: array(
    object({ id: text, label: text, probabilities: { ...numbers, description: 'by label, 1 together' } }),
  ),
});

export const queuedAnswer = object({
  inference_id: inferenceId,
  status: { const: 'queued' },
  poll_url: text,
});

export { text, maybe, number, count };
