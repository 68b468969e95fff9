import { FORECASTER_TASKS } from '../../domain/maths/forecasting/forecaster.js';
import { COVARIATES } from '../../domain/models/hosted.js';
import { array, nullable, object } from '../../json-schema.js';

export const text = { type: 'string' } as const;
export const time = { type: 'string', format: 'date-time' } as const;
export const whole = { type: 'integer', minimum: 0 } as const;
export const flag = { type: 'boolean' } as const;
export const task = { enum: FORECASTER_TASKS } as const;

export const family = { type: 'string', maxLength: 64, examples: ['presage'] } as const;
export const slug = { type: 'string', maxLength: 64, examples: ['nano'] } as const;

/** What the catalogue says of a foundation model beside what it says of every blueprint. */
export const foundationFields = {
  family: text,
  slug: text,
  vendor: text,
  license: text,
  license_commercial_ok: {
    type: 'boolean',
    description: 'false: deploying it takes `accept_non_commercial`',
  },
  params: { type: 'string', description: 'size: 1.1M is 1.1 million parameters' },
  params_count: whole,
  recommended: { type: 'boolean', description: 'the one to begin with in its family' },
  downloads: { ...whole, description: 'deployments ever made of it, by all workspaces' },
  supports: object({ tasks: array(task), max_context: whole, max_horizon: whole }),
  released_at: time,
  deprecated_at: nullable(time),
  replacement: {
    ...nullable(object({ family: text, slug: text })),
    description: 'what to take instead of a deprecated one',
  },
  paper_url: nullable(text),
  serving: object({
    available: { type: 'boolean', description: 'it can be deployed here now' },
    cell: text,
    warm: { type: 'boolean', description: 'it is loaded and answers at once' },
  }),
  quantiles: {
    ...array({ type: 'number' }),
    description: 'the levels that it gives itself; others are made from these',
  },
  covariates: {
    enum: COVARIATES,
    description: 'what the network itself reads beside the series; known covariates are worked in after it',
  },
} as const;

export const foundationRow = object({
  blueprint_uid: text,
  name: text,
  description: text,
  deprecated: {
    type: 'boolean',
    description: 'it serves what is deployed and is refused for new deployments',
  },
  ...foundationFields,
});

export const foundationQuery = object(
  { include_deprecated: { type: 'boolean', default: false } },
  { family, task },
);
export const foundationAnswer = object({ data: object({ models: array(foundationRow), count: whole }) });
export const foundationParams = object({ family, slug });
export const oneFoundationAnswer = object({ data: foundationRow });
