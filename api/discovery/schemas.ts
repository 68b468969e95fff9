import { DISCOVERY_STATUSES } from '../../domain/discovery/state.js';
import { EDGE_STATUSES } from '../../domain/goals/ports.js';
import { array, nullable, object } from '../../json-schema.js';
import { perPageQuery } from '../edge/paging.js';

const id = { type: 'string', minLength: 1, maxLength: 128 } as const;
const goalId = { ...id, description: 'id of a goal', examples: ['goa_0123456789abcdef'] };
export const KINDS = ['signal', 'event_stream'] as const;

export const allParams = object({ goal_id: goalId });
export const oneParams = object({
  goal_id: goalId,
  discovery_id: { ...id, description: 'id of a discovery', examples: ['dis_0123456789abcdef'] },
});
export const edgeParams = object({
  goal_id: goalId,
  edge_id: { ...id, description: 'id of an edge', examples: ['edg_0123456789abcdef'] },
});
export const listQuery = object(perPageQuery(), { status: { enum: DISCOVERY_STATUSES } });
export const edgesQuery = object(perPageQuery(), {
  status: { enum: EDGE_STATUSES },
  kind: { enum: KINDS },
});

const keys = {
  ...array({ type: 'string', minLength: 1, maxLength: 300 }),
  maxItems: 100,
  description: 'keys of those that may drive it; those of the goal when absent',
} as const;
export const startBody = {
  ...object(
    {},
    {
      signals: keys,
      event_streams: keys,
      max_lag_s: {
        ...nullable({ type: 'integer', minimum: 1, maximum: 100_000_000 }),
        description: "how far back a signal's past may reach, at least a step; by horizon and data when null",
      },
      alpha: {
        type: 'number',
        exclusiveMinimum: 0,
        maximum: 0.1,
        default: 0.05,
        description: 'the share of false finds that is borne among those validated',
      },
      method: {
        enum: ['default', 'granger', 'pcmci'],
        default: 'default',
        description: '`default` alone is offered, others are 422',
      },
    },
  ),
  examples: [{ event_streams: ['shop.campaigns'], alpha: 0.05 }],
} as const;
