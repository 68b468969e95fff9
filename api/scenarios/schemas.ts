import { LARGEST, MOST_ASSUMPTIONS } from '../../domain/scenarios/assumptions.js';
import { SCENARIO_STATUSES } from '../../domain/scenarios/state.js';
import { array, nullable, object } from '../../json-schema.js';
import { perPageQuery } from '../edge/paging.js';

const number = { type: 'number' } as const;
const amount = { ...number, minimum: -LARGEST, maximum: LARGEST } as const;
const id = { type: 'string', minLength: 1, maxLength: 64 } as const;
const key = { type: 'string', minLength: 1, maxLength: 200 } as const;

const goalId = { ...id, description: 'id of a goal', examples: ['goa_0123456789abcdef'] } as const;
const scenarioId = { ...id, description: 'id of a scenario', examples: ['scn_0123456789abcdef'] } as const;
export const allParams = object({ goal_id: goalId });
export const oneParams = object({ goal_id: goalId, scenario_id: scenarioId });
export const listQuery = object(perPageQuery(), { status: { enum: SCENARIO_STATUSES } });

const time = { type: ['string', 'number'] } as const;
const window = {
  from: { ...time, description: 'steps that begin at this time or later; the first step ahead when absent' },
  to: { ...time, description: 'steps that begin before this time; to the last step when absent' },
} as const;
const share = (minimum: number) => ({ ...number, minimum, maximum: 1 }) as const;
const occurredAt = { ...time, description: 'epoch s, epoch ms or ISO 8601' } as const;

const kinds = [
  object(
    { kind: { const: 'signal_set' }, key },
    {
      value: { ...amount, description: 'at all steps; either this or `values`' },
      values: { ...array(amount), minItems: 1, maxItems: 5_096, description: 'one for each step' },
      ...window,
    },
  ),
  object({ kind: { const: 'signal_scale' }, key, factor: amount }, window),
  object({ kind: { const: 'signal_shift' }, key, add: amount }, window),
  object(
    { kind: { const: 'event_add' }, stream: key, occurred_at: occurredAt },
    {
      importance: share(0),
      impact: share(-1),
      value: amount,
      count: { type: 'integer', minimum: 1, maximum: 100, default: 1 },
    },
  ),
  object(
    { kind: { const: 'event_remove' } },
    {
      event_id: { ...id, description: 'either this or `stream`' },
      stream: { ...key, description: 'its events that occur within the window' },
      from: { ...time, description: 'at this time or later' },
      to: { ...time, description: 'at this time or before' },
    },
  ),
  object({ kind: { const: 'event_move' }, event_id: id, occurred_at: occurredAt }),
  object({ kind: { const: 'edge_off' }, edge_id: id }),
] as const;
export const assumption = {
  ...{ type: 'object', oneOf: kinds, discriminator: { propertyName: 'kind' } },
} as const;

const maxCredits = {
  ...number,
  minimum: 0,
  description: 'refused with 402 where it would cost more',
} as const;
const async = { type: 'boolean', default: false, description: 'worked on later, whatever its size' } as const;
export const createBody = {
  ...object(
    {
      name: { type: 'string', minLength: 1, maxLength: 160 },
      assumptions: { ...array(assumption), minItems: 1, maxItems: MOST_ASSUMPTIONS },
    },
    {
      base: { ...id, default: 'latest', description: '`latest`, or the id of a forecast of the goal' },
      horizon: {
        ...nullable({ type: 'integer', minimum: 1, maximum: 1_000 }),
        description: 'steps ahead; those of the base when absent or null',
      },
      description: { type: 'string', maxLength: 2_000 },
      max_credits: maxCredits,
      async,
    },
  ),
  examples: [
    {
      name: 'A price that is a tenth higher',
      base: 'latest',
      assumptions: [{ kind: 'signal_scale', key: 'shop.price', factor: 1.1 }],
    },
  ],
} as const;
export const runBody = object({}, { max_credits: maxCredits, async });
export const compareBody = {
  ...object({ ids: { ...array(id), minItems: 2, maxItems: 20 } }),
  examples: [{ ids: ['scn_0123456789abcdef', 'scn_fedcba9876543210'] }],
} as const;
