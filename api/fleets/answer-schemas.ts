import { METHODS } from '../../domain/fleets/settings.js';
import { FLEET_STATUSES } from '../../domain/fleets/state.js';
import { array, nullable, object } from '../../json-schema.js';
import { orWouldBe } from '../edge/dry-run.js';
import { perPageMembers } from '../edge/paging.js';

const text = { type: 'string' } as const;
const number = { type: 'number' } as const;
const whole = { type: 'integer', minimum: 0 } as const;
const time = { type: 'string', format: 'date-time' } as const;
const flag = { type: 'boolean' } as const;
const any = { type: 'object' } as const;
const quantiles = { ...any, description: 'by level', additionalProperties: number } as const;

const spread = { median: nullable(number), p10: nullable(number), p90: nullable(number) } as const;
const ranked = object({
  rank: whole,
  goal_id: text,
  entity: text,
  name: text,
  status: text,
  champion: nullable(text),
  value_30d: nullable(number),
  skill_vs_naive: nullable(number),
  coverage_80_30d: nullable(number),
  graded_steps: whole,
});
const fleet = {
  fleet_id: text,
  name: text,
  base_key: text,
  entities: { description: '`all`, names, or `{pattern}`' },
  template: any,
  status: { enum: FLEET_STATUSES },
  progress: { ...number, description: 'how many of the goals that are to be made are through, 0 to 1' },
  goal_counts: { ...any, description: 'by status', additionalProperties: whole },
  failures: array(object({ entity: text, code: text, message: text })),
  entities_beyond: { ...whole, description: 'entities for which `max_goals` has no room' },
  shock_count: whole,
  accuracy: object({
    metric: text,
    ...spread,
    skill_vs_naive: object(spread),
    goals: { ...whole, description: 'with forecasts that were graded' },
  }),
  worst: array(ranked),
  reconciliation: object({
    method: { enum: METHODS },
    levels: array(object({ name: text, group_by: any })),
  }),
  shared_pipeline: flag,
  max_goals: whole,
  auto_sync: flag,
  skip_discovery: flag,
  owner: text,
  created_at: time,
  updated_at: time,
  version: { ...whole, description: 'counts what people changed' },
} as const;

export const oneAnswer = orWouldBe(object({ data: object(fleet) }));
const plan = object({
  entities: { ...array(text), description: 'that would get a goal' },
  beyond: whole,
  room: { ...nullable(whole), description: 'goals that the plan still allows; null: as many as one likes' },
});
export const dryAnswer = orWouldBe(object({ data: object({ ...fleet, plan }) }));
export const listAnswer = object({ data: object({ fleets: array(object(fleet)), ...perPageMembers }) });
export const begunAnswer = object({
  status: text,
  data: object({ fleet_id: text, status: text, poll_url: text }),
});
export const dryRunAnswer = object({
  data: object({ dry_run: flag, fleet_id: text }, { goals: whole, plan }),
});
export const leaderboardAnswer = object({
  data: object({ metric: text, goals: array(ranked), ...perPageMembers }),
});
const point = object({
  ts: time,
  mean: number,
  quantiles,
  own_quantiles: { ...nullable(quantiles), description: 'of the sum, forecast as one series' },
});
export const forecastAnswer = object({
  data: object({
    level: text,
    method: { enum: METHODS, description: 'what was done' },
    step_s: whole,
    model: { ...nullable(text), description: 'what forecast the sums; null: nothing did' },
    shrinkage: nullable(object({ intensity: number, errors: whole })),
    forecasts: array(object({ id: text, goal_id: nullable(text), entities: whole, points: array(point) })),
    left_out: array(object({ entity: text, goal_id: text, reason: text })),
    warnings: array(object({ code: text, message: text })),
    ...perPageMembers,
  }),
});
