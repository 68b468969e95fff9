import * as recipe from '../../domain/segments/recipe.js';
import type { FeatureKind } from '../../domain/segments/recipe.js';
import { object, type ObjectSchema } from '../../json-schema.js';
import { signalKey } from '../signals/schemas.js';

const { DEFAULTS, LIMITS } = recipe;
const count = (maximum: number, minimum = 1) => ({ type: 'integer', minimum, maximum }) as const;
const text = (maxLength: number) => ({ type: 'string', minLength: 1, maxLength }) as const;
const column = {
  ...text(300),
  description: 'target, input, `<stream>:<encoding>` or an earlier feature',
} as const;
const stream = { ...signalKey, examples: ['shop-news'] } as const;

const input = object(
  { key: { ...signalKey, examples: ['shop.visitors'] } },
  {
    role: {
      enum: ['past', 'known_future', 'static'],
      default: DEFAULTS.input.role,
      description: 'what is known of it: what has been, also what is ahead, or one value that never changes',
    },
    lag_s: {
      ...count(10 * 366 * 86_400, 0),
      default: 0,
      description: 'a point counts so many seconds later',
    },
    transform: { enum: recipe.TRANSFORMS, default: DEFAULTS.input.transform },
  },
);

const eventStream = object(
  { stream, encoding: { enum: recipe.ENCODINGS, examples: ['count'] } },
  {
    half_life_s: {
      type: 'number',
      minimum: LIMITS.half_life_s.least,
      maximum: LIMITS.half_life_s.most,
      default: DEFAULTS.event_stream.half_life_s,
      description: 'of `decay`',
    },
  },
);

/** Params of features by kind. */
export const featureParams: Readonly<Record<FeatureKind, ObjectSchema>> = {
  lag: object({ column, steps: count(LIMITS.look_back) }),
  diff: object({ column, steps: count(LIMITS.look_back) }),
  rolling: object({ column, window: count(LIMITS.look_back), fn: { enum: recipe.ROLLING_FUNCTIONS } }),
  ewm: object({ column, alpha: { type: 'number', exclusiveMinimum: 0, maximum: 1 } }),
  calendar: object({ part: { enum: recipe.CALENDAR_PARTS } }),
  fourier: object({
    period_s: { type: 'number', exclusiveMinimum: 0 },
    order: count(LIMITS.fourier_order),
  }),
  holiday: object({ country: { type: 'string', pattern: '^[A-Z]{2}(-[A-Z0-9]{1,3})?$' } }),
  ratio: object({ numerator: column, denominator: column }),
  interaction: object({
    columns: { type: 'array', items: column, minItems: 2, maxItems: LIMITS.interaction_columns },
  }),
  expression: object({ expression: text(LIMITS.expression_characters) }),
  event_response: object({ stream }),
};

export const kinds = Object.keys(featureParams) as FeatureKind[];
const featureId = { type: 'string', maxLength: 64 } as const;
const params = { type: 'object', examples: [{ column: 'shop.orders', steps: 7 }] } as const;
const featureName = { ...text(200), description: 'of its column', examples: ['orders_last_week'] } as const;

export const featureBody = object(
  {
    name: featureName,
    kind: { enum: kinds, examples: ['lag'] },
    params: { ...params, description: 'by kind, as `docs/segments.md` lists them' },
  },
  { enabled: { type: 'boolean', default: true } },
);
export const featureChanges = object(
  {},
  {
    name: featureName,
    kind: { enum: kinds, examples: ['lag'] },
    params,
    enabled: { type: 'boolean' },
  },
);

export const normalizationBody = object(
  { method: { enum: recipe.NORMALIZATION_METHODS, examples: ['zscore'] } },
  { scope: { enum: recipe.NORMALIZATION_SCOPES, default: DEFAULTS.normalization.scope } },
);

const split = object(
  {},
  {
    method: { enum: ['rolling_origin'], default: 'rolling_origin' },
    folds: { ...count(LIMITS.folds), default: DEFAULTS.split.folds },
    horizon: { ...count(100_000), default: DEFAULTS.split.horizon, description: 'steps that a fold tests' },
    gap: { ...count(100_000, 0), default: DEFAULTS.split.gap, description: 'steps left out before them' },
  },
);
const time = (description: string, example: string) =>
  ({ type: ['string', 'number', 'null'], description, examples: [example] }) as const;

const optional = {
  inputs: { type: 'array', items: input, maxItems: LIMITS.inputs },
  event_streams: { type: 'array', items: eventStream, maxItems: LIMITS.event_streams },
  entity_mode: {
    enum: ['single', 'per_entity'],
    default: DEFAULTS.entity_mode,
    description: '`per_entity`: target and inputs are bases of signals `<base>__<entity>`',
  },
  timezone: { ...text(100), default: DEFAULTS.timezone, examples: ['Europe/Berlin'] },
  from: time('the first time that counts; null: from the first point of the target on', '2026-01-01'),
  to: time('the time at which it ends, not included; null: as far as the target goes', '2027-01-01'),
  fill: object(
    {},
    {
      method: { enum: recipe.FILL_METHODS, default: DEFAULTS.fill.method },
      max_gap_steps: { ...count(LIMITS.look_back), default: DEFAULTS.fill.max_gap_steps },
    },
  ),
  aggregate: { enum: recipe.AGGREGATES, default: DEFAULTS.aggregate },
  normalization: normalizationBody,
  features: {
    type: 'array',
    items: { ...featureBody, properties: { ...featureBody.properties, feature_id: featureId } },
    maxItems: LIMITS.features,
  },
  split,
} as const;
const target = { ...signalKey, description: 'the signal to be forecast', examples: ['shop.orders'] } as const;
const step = {
  ...count(366 * 86_400),
  description:
    'seconds; whole days are days of the time zone; 2629746 are a calendar month of it, and 2, 3, 4, 6 and '
    + '12 times as many so many months',
  examples: [86_400],
} as const;
const called = {
  name: { ...text(200), examples: ['Orders by day'] },
  description: { type: 'string', maxLength: 4_000 },
} as const;

export const recipeBody = object({ target, step_s: step }, optional);
export const createBody = object(
  { name: called.name, target, step_s: step },
  {
    description: called.description,
    ...optional,
  },
);
/** Of a saved recipe another one, for a preview. */
export const overridesBody = object({}, { target, step_s: step, ...optional });
