import { INTENSITIES } from '../../domain/models/facts.js';
import { DECISIONS } from '../../domain/pipelines/commands.js';
import { DEFAULTS, MODES } from '../../domain/pipelines/settings.js';
import { TRAINING_METRICS } from '../../domain/trainings/ports.js';
import { array, nullable, object } from '../../json-schema.js';
import { clearable } from '../edge/clearing.js';
import { perPageQuery } from '../edge/paging.js';
import { windowMembers } from '../edge/windows.js';

const seconds = (fallback: number) =>
  ({ type: 'integer', minimum: 0, maximum: 31_536_000, default: fallback }) as const;
const id = { type: 'string', minLength: 1, maxLength: 128 } as const;

const entry = object(
  {},
  {
    model: { ...id, description: 'of the catalogue: `blueprint__ets`, a model of yours, a public one' },
    family: { ...id, description: 'of a foundation model, with `slug`' },
    slug: id,
    intensity: { enum: INTENSITIES, description: 'of foundation models; `adapt` when absent' },
    lookback: { type: 'integer', minimum: 1, maximum: 1_000_000, description: 'values read of a series' },
    forecast_horizon: { description: 'refused: the pipeline has one for all' },
  },
);
const policy = object(
  {},
  clearable({
    mode: { enum: MODES, default: DEFAULTS.policy.mode },
    demote_previous: { type: 'boolean', default: DEFAULTS.policy.demotePrevious },
    min_improvement: {
      type: 'number',
      minimum: 0,
      exclusiveMaximum: 1,
      default: DEFAULTS.policy.minImprovement,
      description: 'a share: the lower end of the interval must be above it',
    },
  }),
);
const { minRows, quietSeconds, maxWaitSeconds, cooldownSeconds } = DEFAULTS.onNewData;
const onNewData = object(
  {},
  clearable({
    min_rows: { type: 'integer', minimum: 1, maximum: 1_000_000_000, default: minRows },
    quiet_seconds: seconds(quietSeconds),
    max_wait_seconds: seconds(maxWaitSeconds),
    cooldown_seconds: seconds(cooldownSeconds),
  }),
);
const members = clearable({
  name: { type: 'string', minLength: 1, maxLength: 200, description: 'that of the segment when absent' },
  forecast_horizon: {
    type: 'integer',
    minimum: 1,
    maximum: 10_000,
    description: "steps, of all entries; that of the segment's split when null",
  },
  metric: { enum: TRAINING_METRICS, default: DEFAULTS.metric, description: 'what candidates are held to' },
  training_schedule: {
    ...object({}, windowMembers),
    description: 'null, or without days: trained once when it is made',
  },
  promotion_policy: policy,
  retrain_triggers: object({}, clearable({ on_new_data: onNewData })),
  budget: object(
    {},
    clearable({
      monthly_credit_cap: {
        type: 'number',
        minimum: 0,
        maximum: 1_000_000_000,
        description: 'takes the role admin; null or 0: no cap',
      },
    }),
  ),
  accept_non_commercial: {
    type: 'boolean',
    default: false,
    description: 'what it promotes is deployed although its licence forbids commercial use',
  },
});
const segment = { ...id, description: 'id of a segment', examples: ['seg_0k3v9x1m2n4p5q6r'] } as const;
const models = { ...array(entry), minItems: 1, description: 'the pool; doubles are left out' } as const;

const example = {
  segment: 'seg_0123456789abcdef',
  models: [{ family: 'presage', slug: 'nano' }],
  forecast_horizon: 12,
};
export const settingsBody = { ...object({ segment, models }, members), examples: [example] } as const;
const max_credits = {
  type: 'number',
  minimum: 0,
  description: '402 where the cycle may cost more',
} as const;
export const createBody = {
  ...object(
    { segment, models },
    {
      ...members,
      max_credits: {
        ...max_credits,
        description: '402 where its first cycle may cost more; looked at where that begins at once',
      },
    },
  ),
  examples: [example],
} as const;
export const patchBody = {
  ...object({}, { segment, models, ...members }),
  examples: [{ models: example.models }],
} as const;

export const oneParams = object({ pipeline_id: { type: 'string', examples: ['pip_0k3v9x1m2n4p5q6r'] } });
export const cycleParams = object({
  pipeline_id: { type: 'string', examples: ['pip_0k3v9x1m2n4p5q6r'] },
  cycle_id: { type: 'string', examples: ['cyc_0123456789abcdef'] },
});
const dry = {
  dry_run: { type: 'boolean', description: 'true: says what would happen, and nothing does' },
} as const;
export const dryQuery = object({}, dry);
export const listQuery = object(perPageQuery());

export const runBody = object({}, { max_credits });
export const decisionBody = object(
  { decision: { enum: DECISIONS } },
  {
    candidate_id: { ...id, description: 'a guard: 409 where another one is pending' },
    demote_previous: { type: 'boolean', description: "the pipeline's policy when absent" },
    accept_non_commercial: {
      type: 'boolean',
      description: 'of `approve`: deploy although the licence forbids commercial use',
    },
    reason: nullable({ type: 'string', maxLength: 1_000 }),
    until: { type: 'string', description: 'of `defer`, required: at most 30 days ahead' },
    expected_version: { type: 'integer', minimum: 0, description: 'of the pipeline' },
  },
);
export const previewBody = object(
  { training_schedule: object({}, windowMembers) },
  {
    from: { examples: ['2026-11-01T00:00:00Z'], type: 'string', description: 'ISO 8601; now when absent' },
    count: { type: 'integer', minimum: 1, maximum: 100, default: 10 },
  },
);
