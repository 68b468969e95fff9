import { GOAL_METRICS } from '../../domain/goals/settings.js';
import { FOLDS } from '../../domain/tournaments/folds.js';
import { TOURNAMENT_STATUSES } from '../../domain/tournaments/state.js';
import { array, nullable, object } from '../../json-schema.js';
import { perPageQuery } from '../edge/paging.js';

const number = { type: 'number' } as const;
const bool = { type: 'boolean' } as const;
const id = { type: 'string', minLength: 1, maxLength: 128 } as const;
const status = { enum: TOURNAMENT_STATUSES } as const;

const goalId = { ...id, description: 'id of a goal', examples: ['goa_0123456789abcdef'] };
export const allParams = object({ goal_id: goalId });
export const oneParams = object({
  goal_id: goalId,
  tournament_id: { ...id, description: 'id of a tournament', examples: ['trm_0123456789abcdef'] },
});
export const listQuery = object(perPageQuery(), { status });

const entry = {
  ...object(
    {},
    {
      model: {
        ...id,
        description: 'a foundation model or a method of the catalogue (`blueprint__ets`), or a deployment',
      },
      family: { ...id, description: 'of a foundation model, with `slug`' },
      slug: id,
    },
  ),
  examples: [{ family: 'presage', slug: 'nano' }],
} as const;
export const startBody = {
  ...object(
    {},
    {
      models: {
        ...array(entry),
        maxItems: 100,
        description: 'beside those that always take part; all that stand when absent',
      },
      folds: { type: 'integer', minimum: FOLDS.least, maximum: FOLDS.most, default: FOLDS.usual },
      metric: { enum: GOAL_METRICS, description: 'that of the goal when absent' },
      budget_credits: {
        ...nullable({ type: 'number', minimum: 0, maximum: 1_000_000_000 }),
        description: 'contestants beyond it are out of the budget; no bound when null',
      },
      include_ensembles: { ...bool, default: true },
      max_credits: { ...number, minimum: 0, description: 'refused with 402 where it may cost more' },
    },
  ),
  examples: [{ folds: 5, include_ensembles: true }],
} as const;
export const crownBody = {
  ...object({
    contestant_id: { ...id, examples: ['con_0123456789abcdef'] },
    reason: { type: 'string', minLength: 1, maxLength: 2_000, examples: ['It is right on holidays'] },
  }),
};
