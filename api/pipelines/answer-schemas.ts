import { INTENSITIES } from '../../domain/models/facts.js';
import { CYCLE_OUTCOMES, CYCLE_TRIGGERS } from '../../domain/pipelines/facts.js';
import { DECISIONS } from '../../domain/pipelines/commands.js';
import { MODES } from '../../domain/pipelines/settings.js';
import { PIPELINE_STATUSES } from '../../domain/pipelines/status.js';
import { CANDIDATE_STATUSES } from '../../projections/pipelines/documents.js';
import { array, nullable, object } from '../../json-schema.js';
import { perPageMembers } from '../edge/paging.js';

const text = { type: 'string' } as const;
const number = { type: 'number' } as const;
const whole = { type: 'integer', minimum: 0 } as const;
const time = { type: 'string', format: 'date-time' } as const;
const flag = { type: 'boolean' } as const;
const fault = nullable(object({ code: text, message: text }));
const interval = { ...nullable(array(number)), description: 'of the improvement, 90%' } as const;
const cap = nullable(number);

const entry = object({
  ref: { ...text, description: 'its `model_ref` in cycles and candidates' },
  model_id: text,
  family: nullable(text),
  slug: nullable(text),
  kind: { enum: ['custom', 'foundation', 'byom'] },
  name: text,
  intensity: nullable({ enum: INTENSITIES }),
  lookback: nullable(whole),
  status: { ...text, description: 'of its training in the last cycle; `new`: it was in none' },
});
const schedule = object({
  days: array(text),
  start_time: text,
  end_time: text,
  frequency: text,
  timezone: text,
});
const onNewData = object({
  min_rows: whole,
  quiet_seconds: whole,
  max_wait_seconds: whole,
  cooldown_seconds: whole,
});
const settings = {
  name: text,
  segment: text,
  metric: text,
  forecast_horizon: nullable(whole),
  training_schedule: nullable(schedule),
  promotion_policy: object({ mode: { enum: MODES }, demote_previous: flag, min_improvement: number }),
  retrain_triggers: object({ on_new_data: nullable(onNewData) }),
  budget: object({ monthly_credit_cap: cap }),
  accept_non_commercial: flag,
} as const;
const proposal = {
  candidate_id: text,
  cycle_id: text,
  training_id: text,
  model_ref: text,
  metric: text,
  score: { ...number, description: 'less is better' },
  serving_score: { ...nullable(number), description: 'on the same folds; null: nothing served' },
  improvement: { ...nullable(number), description: '1 - score / serving_score' },
  interval,
  coverage: { ...nullable(number), description: 'of the 80% band' },
  status: { enum: CANDIDATE_STATUSES },
  expires_at: nullable(time),
  deferred_until: nullable(time),
  promotion_id: nullable(text),
  error: fault,
} as const;
const candidate = object({ ...proposal, created_at: nullable(time) });
const cycle = object({
  cycle_id: text,
  number: whole,
  trigger: { enum: CYCLE_TRIGGERS },
  status: { enum: ['running', 'completed', 'failed'] },
  segment: text,
  metric: text,
  against: { ...nullable(text), description: 'the deployment that it was compared with' },
  started_at: time,
  finished_at: nullable(time),
  best_training_id: nullable(text),
  outcome: { ...nullable({ enum: CYCLE_OUTCOMES }), description: 'a candidate, or why there is none' },
  candidate_id: nullable(text),
  results: array(
    object({
      model_ref: text,
      training_id: nullable(text),
      status: text,
      score: nullable(number),
      improvement: nullable(number),
      interval,
      credits: { ...number, description: 'charged, or at most while it is under way' },
      error: fault,
    }),
  ),
});
const serving = object({
  promotion_id: text,
  training_id: text,
  model_ref: text,
  version: whole,
  score: number,
  since: time,
});
const members = {
  pipeline_id: text,
  goal_id: {
    ...nullable(text),
    description: 'the goal that names it: the newest of those that are not archived',
  },
  status: { enum: PIPELINE_STATUSES },
  ...settings,
  models: array(entry),
  serving: nullable(serving),
  candidate: nullable(candidate),
  last_cycle: nullable(cycle),
  next_run_at: { ...nullable(time), description: 'of the schedule; null: not by itself' },
  spend: object({ month: text, credits: number, cap }),
  version: whole,
  created_at: time,
  updated_at: time,
  created_by: text,
  etag: text,
} as const;
const pipeline = object(members);

export const oneAnswer = object({
  data: object(members, {
    dry_run: { const: true },
    cycle_credits: { ...number, description: 'dry_run: what its next cycle would cost at most' },
  }),
});
export const listAnswer = object({ data: object({ pipelines: array(pipeline), ...perPageMembers }) });
export const deletedAnswer = object(
  {},
  {
    status: { const: 'deleted' },
    data: {
      ...object({
        ...{ dry_run: { const: true }, pipeline_id: text, cancelled_trainings: whole },
        serving_promotion_id: { ...nullable(text), description: 'what serves it: it goes on being deployed' },
      }),
      description: 'dry_run: what would go with it',
    },
  },
);
export const cycleAnswer = object({ data: cycle });
export const cyclesAnswer = object({ data: object({ cycles: array(cycle), ...perPageMembers }) });
export const runAnswer = object({
  status: { const: 'queued' },
  data: object({
    cycle_id: text,
    status: { const: 'queued' },
    poll_url: text,
    credits: { ...number, description: 'at most' },
  }),
});
export const wouldRunAnswer = object({
  data: object({
    dry_run: { const: true },
    credits: number,
    entries: array(object({ model_ref: text, credits: number, error: fault })),
  }),
});
export const promotionsAnswer = object({
  data: object({
    promotions: array(
      object({
        ...proposal,
        created_at: time,
        decision: nullable({ enum: DECISIONS }),
        decided_by: { ...nullable(text), description: 'a user, or `policy`' },
        decided_at: nullable(time),
        reason: nullable(text),
        retired_promotion_id: nullable(text),
      }),
    ),
    ...perPageMembers,
  }),
});
export const decisionAnswer = object({
  data: object(
    {
      pipeline_id: text,
      candidate_id: text,
      decision: { enum: DECISIONS },
      decided_by: text,
      decided_at: time,
      promotion_id: { ...nullable(text), description: 'approve: the deployment that is being made' },
      retired_promotion_id: {
        ...nullable(text),
        description: 'what goes out of service once the candidate serves',
      },
    },
    { dry_run: { const: true } },
  ),
});
export const previewAnswer = object({ data: object({ runs: array(time), timezone: text }) });
