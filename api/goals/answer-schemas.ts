import { HEALTH_REASONS } from '../../domain/goals/facts.js';
import { HEALTHS } from '../../domain/goals/health.js';
import { AUTOMATIC, GOAL_METRICS, OBJECTIVES } from '../../domain/goals/settings.js';
import { GOAL_STATUSES } from '../../domain/goals/state.js';
import { array, nullable, object } from '../../json-schema.js';
import { asOfMember, thenToo } from '../edge/as-of.js';
import { orWouldBe, wasDry } from '../edge/dry-run.js';
import { perPageMembers } from '../edge/paging.js';

const text = { type: 'string' } as const;
const number = { type: 'number' } as const;
const whole = { type: 'integer', minimum: 0 } as const;
const time = { type: 'string', format: 'date-time' } as const;
const flag = { type: 'boolean' } as const;
const any = { type: 'object' } as const;

const champion = nullable(
  object({
    promotion_id: { ...nullable(text), description: 'of what a deployment serves' },
    model: { ...any, description: 'by `kind`: `served`, `local` or `ensemble`' },
    name: text,
    score: { ...nullable(number), description: "in the goal's metric; null: it was not judged" },
    since: time,
    tournament_id: nullable(text),
  }),
);
const sources = { oneOf: [{ const: 'all' }, array(text)] } as const;
const settings = {
  name: text,
  description: nullable(text),
  target: text,
  objective: { enum: OBJECTIVES },
  objective_params: object({ value: nullable(number), direction: nullable(text), by: nullable(time) }),
  horizon: whole,
  step_s: whole,
  cadence_s: whole,
  timezone: text,
  metric: { enum: GOAL_METRICS },
  candidates: object({ signals: sources, event_streams: sources, exclude: array(text) }),
  options: object({
    scheduled_events: flag,
    shock_enabled: flag,
    importance_bar: nullable(number),
    auto_discovery: { enum: AUTOMATIC },
    auto_tournament: { enum: AUTOMATIC },
    quantiles: array(number),
    calibration: text,
    max_credit_per_month: nullable(number),
    fallback: text,
  }),
  tags: array(text),
  segment_id: nullable(text),
  pipeline_id: nullable(text),
} as const;
export const goal = object({
  goal_id: text,
  ...settings,
  step_months: { ...nullable(whole), description: 'steps are so many calendar months; null: of `step_s`' },
  status: { enum: GOAL_STATUSES },
  shock_state: { enum: ['normal', 'shock', 'recovering'] },
  shock: nullable(any),
  champion,
  runner_up: champion,
  next_tournament_at: {
    ...nullable(time),
    description:
      'when models compete again, at the earliest, for a goal without a champion; null: it has one, they do '
      + 'not by themselves, or another moment was asked for',
  },
  edges: object({ validated: whole, weakening: whole, candidate: whole }),
  accuracy: object({
    metric: text,
    value_7d: nullable(number),
    value_30d: nullable(number),
    skill_vs_naive: nullable(number),
    coverage_80_30d: nullable(number),
    graded_steps: { ...whole, description: 'in 30 days; each forecast of each step counts' },
  }),
  latest_forecast: nullable(
    object({ forecast_id: text, issued_at: time, next_value: number, next_ts: time }),
  ),
  health: { enum: HEALTHS },
  health_reasons: array({ enum: HEALTH_REASONS }),
  fleet_id: nullable(text),
  owner: { ...text, description: 'the user who made it' },
  created_at: time,
  updated_at: time,
  activated_at: { ...nullable(time), description: 'when it became active first' },
  version: { ...whole, description: 'counts what people changed' },
});

export const oneAnswer = orWouldBe(object({ data: { ...goal, description: 'the goal' } }));
export const readAnswer = object({ data: { ...thenToo(goal), description: 'the goal' } });
export const listAnswer = object({
  data: object({ goals: array(goal), ...perPageMembers }, { as_of: asOfMember }),
});
export const activatedAnswer = object({
  status: text,
  data: object({ goal_id: text, status: text, poll_url: text }),
});
export const wouldActivateAnswer = object({ data: object({ dry_run: wasDry, goal_id: text, status: text }) });
export const deletedAnswer = object({}, { status: text, data: object({ dry_run: flag, goal_id: text }) });
const happening = object({
  kind: { ...text, description: '`goal.created`, `forecast.missed`' },
  at: time,
  actor: { ...text, description: '`token:<id>`, `reactor:<name>`, `scheduler:<name>`' },
  data: any,
});
export const timelineAnswer = object({ data: object({ timeline: array(happening), ...perPageMembers }) });
