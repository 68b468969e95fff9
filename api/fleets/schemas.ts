import { ENTITY, METHODS, MOST_GOALS, TOTAL } from '../../domain/fleets/settings.js';
import { FLEET_STATUSES } from '../../domain/fleets/state.js';
import { array, object } from '../../json-schema.js';
import { clearable } from '../edge/clearing.js';
import { perPageQuery } from '../edge/paging.js';
import { templateBody, templatePatch } from '../goals/schemas.js';

const name = { type: 'string', minLength: 1, maxLength: 160 } as const;
const text = { type: 'string', minLength: 1, maxLength: 200 } as const;
const base = {
  type: 'string',
  ...{ minLength: 1, maxLength: 200, description: 'its goals forecast `<base_key>__<entity>`' },
  examples: ['store_sales'],
} as const;

const entities = {
  oneOf: [
    { const: 'all' },
    { ...array(text), minItems: 1, maxItems: MOST_GOALS },
    object({ pattern: { type: 'string', minLength: 1, maxLength: 128 } }),
  ],
  description: '`all`, some by name, or `{pattern}`: `*` is any characters, `?` any one, all else itself',
} as const;

const groupBy = {
  oneOf: [
    object({ prefix: { type: 'integer', minimum: 1, maximum: 100 } }),
    object({
      separator: { type: 'string', minLength: 1, maxLength: 16 },
      part: { type: 'integer', minimum: 1, maximum: 50 },
    }),
  ],
  description:
    '`{prefix}`: by the first characters of an entity’s name; `{separator, part}`: by a part of it, from 1',
} as const;
const reconciliation = object(
  {},
  clearable({
    method: { enum: METHODS, default: 'none' },
    levels: {
      ...array(object({ name: { type: 'string', minLength: 1, maxLength: 64 }, group_by: groupBy })),
      maxItems: 5,
      description: `between \`${TOTAL}\` and \`${ENTITY}\``,
    },
  }),
);
const members = clearable({
  entities,
  reconciliation,
  shared_pipeline: {
    type: 'boolean',
    description: 'all goals name the template’s pipeline; whether there is one when absent',
  },
  max_goals: { type: 'integer', minimum: 1, maximum: MOST_GOALS, default: MOST_GOALS },
  auto_sync: {
    type: 'boolean',
    default: false,
    description: 'entities that are new get a goal by themselves',
  },
  skip_discovery: { type: 'boolean', default: false, description: 'true: nobody looks for what drives them' },
});
const template = { ...templateBody, description: 'a goal’s body without a target' } as const;

const example = {
  ...{ name: 'Sales of stores', base_key: 'store_sales', entities: { pattern: 'north-*' } },
  template: { horizon: 24, step_s: 3_600 },
  reconciliation: {
    method: 'mint_shrink',
    levels: [{ name: 'region', group_by: { separator: '-', part: 1 } }],
  },
};
const max_credits = {
  type: 'number',
  minimum: 0,
  description:
    'refused with 402 where tournaments of the goals that are made would cost more, by what can forecast now',
} as const;
export const createBody = {
  ...object(
    { name, base_key: base, template },
    {
      ...members,
      max_credits,
    },
  ),
  examples: [example],
} as const;
export const syncBody = object({}, { max_credits });
export const patchBody = {
  ...object({}, { name, template: templatePatch, ...members, max_credits }),
  examples: [{ auto_sync: true }],
} as const;

export const oneParams = object({ fleet_id: { type: 'string', examples: ['flt_0k3v9x1m2n4p5q6r'] } });
export const dryQuery = object(
  {},
  { dry_run: { type: 'boolean', description: 'true: says what would happen, and nothing does' } },
);
export const listQuery = object(perPageQuery(), { status: { enum: FLEET_STATUSES } });
export const pageQuery = object(perPageQuery());
export const forecastQuery = object({
  ...perPageQuery(100),
  level: {
    type: 'string',
    ...{ maxLength: 64, default: TOTAL },
    description: `\`${TOTAL}\`, \`${ENTITY}\`, or a level of \`reconciliation\``,
  },
});
