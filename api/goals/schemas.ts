import { AUTOMATIC, GOAL_METRICS, MOST_STEPS_AHEAD, OBJECTIVES } from '../../domain/goals/settings.js';
import { GOAL_STATUSES } from '../../domain/goals/state.js';
import { DEFAULT_LEVELS } from '../../domain/inference/request.js';
import { GOAL_ORDERS } from '../../projections/goals/queries.js';
import { array, object } from '../../json-schema.js';
import { asOfGiven } from '../edge/as-of.js';
import { clearable } from '../edge/clearing.js';
import { perPageQuery } from '../edge/paging.js';

const id = { type: 'string', minLength: 1, maxLength: 128 } as const;
const key = { type: 'string', minLength: 1, maxLength: 256 } as const;
const YEAR_S = 31_536_000;
const seconds = { type: 'integer', minimum: 1, maximum: YEAR_S } as const;
const share = { type: 'number', minimum: 0, maximum: 1 } as const;
const credits = { type: 'number', minimum: 0, maximum: 1_000_000_000 } as const;

const sources = {
  oneOf: [{ const: 'all' }, { ...array(key), maxItems: 1_000 }],
  description: '`all`, or the keys of some',
} as const;
const candidates = object(
  {},
  clearable({
    signals: sources,
    event_streams: sources,
    exclude: { ...array(key), maxItems: 1_000, description: 'keys of signals and streams that are not' },
  }),
);
const objectiveParams = object(
  {},
  clearable({
    value: { type: 'number', description: 'of `threshold`, which needs it' },
    direction: { enum: ['above', 'below'] },
    by: { type: ['number', 'string'], description: 'epoch seconds, epoch milliseconds or ISO 8601' },
  }),
);
const options = object(
  {},
  clearable({
    scheduled_events: { type: 'boolean', default: true, description: 'they move forecasts beforehand' },
    shock_enabled: { type: 'boolean', default: true },
    importance_bar: {
      ...share,
      description: 'from which on an event may begin a shock; learned when null',
    },
    auto_discovery: { enum: AUTOMATIC, default: 'on_drift' },
    auto_tournament: { enum: AUTOMATIC, default: 'on_drift' },
    quantiles: {
      type: 'array',
      minItems: 1,
      maxItems: 99,
      items: { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 },
      description: `${DEFAULT_LEVELS.join(', ')} when absent`,
      examples: [[0.1, 0.5, 0.9]],
    },
    calibration: {
      enum: ['conformal', 'model'],
      default: 'conformal',
      description: "bands by the goal's own record, or as the model gives them",
    },
    max_credit_per_month: {
      ...credits,
      description: 'of its forecasts; none but the purse when null',
    },
    fallback: { enum: ['seasonal_naive', 'last_champion', 'none'], default: 'seasonal_naive' },
  }),
);
const name = { type: 'string', minLength: 1, maxLength: 160 } as const;
const target = {
  ...key,
  description: 'key of the signal that is forecast',
  examples: ['shop.orders'],
} as const;
const horizon = {
  type: 'integer',
  minimum: 1,
  maximum: MOST_STEPS_AHEAD,
  description: 'steps ahead; times the number of quantiles at most 15,000',
} as const;
const members = clearable({
  description: { type: 'string', maxLength: 2_000 },
  objective: { enum: OBJECTIVES, default: 'forecast' },
  objective_params: objectiveParams,
  step_s: {
    ...seconds,
    description:
      "that of the target's newest points when absent; 2629746 are a calendar month, and 2, 3, 4, 6 and 12 "
      + 'times as many so many months',
  },
  cadence_s: {
    ...seconds,
    description: 'how often a forecast is issued; `step_s` when absent, and follows it while it is the same',
  },
  timezone: { type: 'string', maxLength: 100, default: 'UTC', examples: ['Europe/Berlin'] },
  metric: { enum: GOAL_METRICS, default: 'crps', description: 'what its models are judged by' },
  candidates,
  options,
  tags: { ...array({ type: 'string', minLength: 1, maxLength: 64 }), maxItems: 50 },
  segment_id: id,
  pipeline_id: id,
});

const example = { name: 'Orders of the next day', target: 'shop.orders', horizon: 24, step_s: 3_600 };
export const settingsBody = { ...object({ name, target, horizon }, members), examples: [example] } as const;
const ofTemplates = { ...clearable({ name }), ...members } as const;
/** What goals of a fleet have in common: all but a target; `name`: what their names begin with. */
export const templateBody = object({ horizon }, ofTemplates);
export const templatePatch = object({}, { horizon, ...ofTemplates });
export const patchBody = {
  ...object({}, { name, target, horizon, ...members }),
  examples: [{ tags: ['shop'] }],
} as const;
export const activateBody = object(
  {},
  {
    skip_discovery: { type: 'boolean', default: false, description: 'true: nobody looks for what drives it' },
    max_credits: {
      type: 'number',
      minimum: 0,
      description: 'refused with 402 where the tournament would cost more, by what can forecast now',
    },
  },
);

export const oneParams = object({ goal_id: { type: 'string', examples: ['goa_0k3v9x1m2n4p5q6r'] } });
const dry = {
  dry_run: { type: 'boolean', description: 'true: says what would happen, and nothing does' },
} as const;
export const dryQuery = object({}, dry);
export const asOfQuery = object({}, { as_of: asOfGiven });
export const pageQuery = object(perPageQuery());
export const listQuery = object(
  {
    ...perPageQuery(),
    sort_by: { enum: GOAL_ORDERS, default: 'created_at' },
    sort_order: { enum: ['asc', 'desc'], default: 'desc' },
  },
  {
    status: { enum: GOAL_STATUSES },
    shock_state: { enum: ['normal', 'shock', 'recovering'] },
    tag: { type: 'string', maxLength: 64 },
    fleet_id: id,
    search: { type: 'string', maxLength: 160, description: 'in name, target and description' },
    as_of: asOfGiven,
  },
);
