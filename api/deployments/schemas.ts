import { MAX_REPLICAS } from '../../domain/deployments/request.js';
import { statuses } from '../../domain/deployments/state.js';
import { array, nullable, object } from '../../json-schema.js';
import { asOfGiven, asOfMember } from '../edge/as-of.js';
import { wasDry } from '../edge/dry-run.js';
import { offsetMembers, offsetQuery } from '../edge/paging.js';

const text = { type: 'string' } as const;
const given = { type: 'string', maxLength: 200 } as const;
const time = { type: 'string', format: 'date-time' } as const;
const flag = { type: 'boolean' } as const;
const whole = { type: 'integer', minimum: 0 } as const;
const number = { type: 'number' } as const;
const who = {
  actor: { ...text, examples: ['token:tok_29x29ijjuj1roy1q'] },
  user_id: { ...nullable(text), description: 'whose token it was; null: the platform itself did it' },
} as const;
const types = ['foundation', 'trained', 'adapter', 'byom'] as const;

export const promotionId = {
  type: 'string',
  description: 'id of a deployment',
  examples: ['prm_9d2c1f0a7b3e4d55_0k3v9x1m2n4p5q6r'],
} as const;
const status = { enum: statuses } as const;
const steps = {
  type: 'integer',
  minimum: 1,
  description: 'steps ahead where a forecast does not say',
} as const;

export const oneParams = object({ promotion_id: { type: 'string', examples: promotionId.examples } });

const replicasGiven = object({
  min: { type: 'integer', minimum: 0, maximum: MAX_REPLICAS, description: 'workers that are kept ready' },
  max: { type: 'integer', minimum: 1, maximum: MAX_REPLICAS, description: 'workers at its calls at once' },
});

const wishes = {
  horizon: { ...steps, examples: [64] },
  reason: { type: 'string', maxLength: 2_000, description: 'a note that is kept with the deployment' },
  accept_non_commercial: {
    type: 'boolean',
    description: 'deploy although the licence forbids commercial use',
  },
} as const;

const max_credits = {
  type: 'number',
  minimum: 0,
  description: 'of an hour: refused with 402 where the replicas kept ready (`min`) cost more in one',
} as const;

export const deployFoundationBody = object(
  {},
  {
    family: { ...given, examples: ['presage'] },
    slug: { ...given, examples: ['nano'] },
    blueprint_uid: { ...given, description: 'instead of family and slug' },
    ...wishes,
  },
);

export const deployBody = {
  ...object(
    {},
    {
      blueprint_uid: { ...given, description: 'of a foundation model', examples: ['presage__nano'] },
      training_id: given,
      adapter_id: given,
      byom_id: given,
      name: given,
      replicas: replicasGiven,
      demote: { ...given, description: 'the deployment that this one takes the place of' },
      max_credits,
      ...wishes,
    },
  ),
  examples: [{ blueprint_uid: 'presage__nano', name: 'Orders', horizon: 64 }],
} as const;

const short = { promotion_id: promotionId, status, ready: flag, message: text } as const;
export const deployedAnswer = object({ data: object({ ...short, deployment_type: { enum: types } }) });
export const wouldDeployAnswer = object({
  data: object({ dry_run: wasDry, deployment_type: { enum: types }, status }),
});
export const changedAnswer = object(
  { data: object(short, { dry_run: wasDry }) },
  { status: { const: 'ok' } },
);
export const wouldChangeAnswer = object({ data: object({ dry_run: wasDry, ...short }) });
export const queuedAnswer = object({
  status: { const: 'queued' },
  data: object({ ...short, poll_url: text }),
});

const health = object({
  state: { enum: ['healthy', 'degraded', 'unhealthy', 'unknown'] },
  checked_at: nullable(time),
  latency_p50_ms: nullable(number),
  latency_p95_ms: nullable(number),
  error_rate_1h: nullable({ type: 'number', minimum: 0, maximum: 1 }),
  last_probe: nullable(object({ ok: flag, took_ms: number, message: nullable(text) })),
});
const condition = object({
  type: { enum: ['artifact_loaded', 'runtime_ready', 'probe_passed', 'serving'] },
  status: { enum: ['true', 'false', 'unknown'] },
  reason: text,
  message: text,
  last_transition_at: nullable(time),
});
const error = nullable(object({ code: text, message: text, retryable: flag }));

const model = object({
  family: text,
  slug: text,
  name: nullable(text),
  version: { ...text, description: "of the model's file: first 12 hex digits of its sha256" },
  vendor: nullable(text),
  license: nullable(text),
  deprecated: nullable(flag),
});

export const record = object({
  ...short,
  deployment_type: { enum: types },
  name: nullable(text),
  model,
  family: text,
  slug: text,
  blueprint_uid: { ...nullable(text), description: 'null: it was made of none' },
  training_id: nullable(text),
  pipeline_id: nullable(text),
  goal_ids: array(text),
  horizon: steps,
  lookback: { type: 'integer', description: 'the newest values that are read of a series' },
  reason: nullable(text),
  replicas: object({
    ...{ min: whole, max: whole, desired: whole, ready: whole },
    possible: { ...whole, description: 'workers that it can have just now: `max`, or all there are' },
  }),
  scale_to_zero_after_s: nullable(whole),
  cell: text,
  created_by: object(who),
  created_at: time,
  deployed_at: nullable(time),
  retired_at: nullable(time),
  last_inference_at: nullable(time),
  version: { ...text, description: 'of the model that serves it' },
  health,
  attempts: whole,
  error,
  replacement: nullable(text),
  conditions: array(condition),
});

export const oneAnswer = object({ data: record });
export const listQuery = object(offsetQuery(), {
  status,
  deployment_type: { enum: types },
  pipeline_id: given,
});
export const listAnswer = object({ deployments: array(record), ...offsetMembers });
export const statusAnswer = object({
  data: object({ ...short, health, conditions: array(condition), error }),
});

export const eventsQuery = object(offsetQuery(), { as_of: asOfGiven });
export const eventsAnswer = object({
  data: object({
    promotion_id: promotionId,
    as_of: asOfMember,
    events: array(
      object({
        at: time,
        type: { ...text, examples: ['DeploymentDeployed'] },
        from: nullable(status),
        to: status,
        ...who,
        request_id: nullable(text),
        message: nullable(text),
      }),
    ),
    ...offsetMembers,
  }),
});

export const scaleBody = object(
  { min: replicasGiven.properties.min, max: replicasGiven.properties.max },
  {
    scale_to_zero_after_s: {
      type: ['integer', 'null'],
      minimum: 1,
      maximum: 31_536_000,
      description: 'seconds without a forecast after which it sleeps; null: never; absent: as it is',
    },
    max_credits,
  },
);
export const unpromoteBody = object(
  {},
  {
    reason: wishes.reason,
    replacement: { ...given, description: 'the deployment to ask instead' },
    force: { type: 'boolean', description: 'also while an active goal depends on it' },
  },
);
